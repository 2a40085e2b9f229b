/// Filters (RFC 9535, 2.3.5).
extension JSONPathReader {
    /// What an expression turned out to be, before it is known what stands behind it.
    private enum Piece {
        case operand(JSONFilter.Operand)
        /// A query of several nodes: it can be tested or counted, and not compared.
        case nodes(JSONFilter.Query)
        /// A function whose result is a truth.
        case truth(JSONFilter.Expression)
    }

    /// The whole text as a condition.
    mutating func wholeFilter() throws(JSONPath.Failure) -> JSONFilter {
        skipBlanks()
        guard !isAtEnd else { throw failure("empty filter; write for example @.status == 'open'") }
        let condition = try condition()
        skipBlanks()
        guard isAtEnd else { throw failure(#"expected "&&" or "||", or the end of the filter"#) }
        return JSONFilter(condition)
    }

    /// `a || b || c`.
    mutating func condition() throws(JSONPath.Failure) -> JSONFilter.Expression {
        guard depth < JSONPathReader.deepest else {
            throw failure("filters and parentheses are nested too deep")
        }
        depth += 1
        defer { depth -= 1 }
        var parts = [try conjunction()]
        while try takesOperator("||", "|") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(JSONPath.Failure) -> JSONFilter.Expression {
        var parts = [try basic()]
        while try takesOperator("&&", "&") { parts.append(try basic()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Takes an operator with the blanks around it; leaves all as it is where another thing stands there.
    private mutating func takesOperator(
        _ name: StaticString, _ half: StaticString
    ) throws(JSONPath.Failure) -> Bool {
        let start = place
        skipBlanks()
        if take(name) {
            skipBlanks()
            return true
        }
        if take(half) { throw failure(#"write "\#(name)""#, at: place - 1) }
        place = start
        return false
    }

    /// A comparison, a test, or an expression in parentheses.
    private mutating func basic() throws(JSONPath.Failure) -> JSONFilter.Expression {
        if take("!") {
            skipBlanks()
            if next == 0x28 { return .not(try parenthesised()) }
            let start = place
            let piece = try self.piece()
            return .not(try test(piece, at: start))
        }
        if next == 0x28 { return try parenthesised() }
        let start = place
        let left = try piece()
        let behind = place
        skipBlanks()
        guard let comparison = try takeComparison() else {
            place = behind
            return try test(left, at: start)
        }
        skipBlanks()
        let second = place
        let right = try piece()
        return .comparison(
            try operand(left, at: start), comparison, try operand(right, at: second))
    }

    private mutating func parenthesised() throws(JSONPath.Failure) -> JSONFilter.Expression {
        place += 1
        skipBlanks()
        let inner = try condition()
        skipBlanks()
        guard take(")") else { throw failure(#"missing ")""#) }
        return inner
    }

    private mutating func takeComparison() throws(JSONPath.Failure) -> JSONFilter.Comparison? {
        let start = place
        if take("==") { return .equal }
        if take("!=") { return .notEqual }
        if take("<=") { return .lessOrEqual }
        if take(">=") { return .greaterOrEqual }
        if take("<") { return .less }
        if take(">") { return .greater }
        if next == 0x3D { throw failure(#"write "==" to compare"#, at: start) }
        return nil
    }

    // MARK: - Types (2.4.1)

    private func test(_ piece: Piece, at start: Int) throws(JSONPath.Failure) -> JSONFilter.Expression {
        switch piece {
        case .truth(let expression): return expression
        case .nodes(let query), .operand(.query(let query)): return .exists(query)
        case .operand(.literal):
            throw failure("a value alone is no condition; compare it with another", at: start)
        case .operand:
            throw failure("the result of this function has to be compared, as in length(@.a) > 0", at: start)
        }
    }

    private func operand(_ piece: Piece, at start: Int) throws(JSONPath.Failure) -> JSONFilter.Operand {
        switch piece {
        case .operand(let operand): return operand
        case .nodes:
            throw failure(
                "this query may select several values; only the query of one can be compared", at: start)
        case .truth: throw failure("the result of this function is a truth, which is not compared", at: start)
        }
    }

    // MARK: - Pieces

    private mutating func piece() throws(JSONPath.Failure) -> Piece {
        switch next {
        case 0x40, 0x24: return piece(of: try query())
        case 0x22, 0x27: return .operand(.literal(.string(try quoted())))
        case let byte? where byte == 0x2D || ASCII.isDigit(byte):
            return .operand(.literal(.number(try number())))
        case let byte? where ASCII.isLetter(byte): return try word()
        case nil: throw failure("the filter ends too early")
        default: throw failure("here stands @ or $ with a path, a quoted text, a number, true, false or null")
        }
    }

    private func piece(of query: JSONFilter.Query) -> Piece {
        query.path.isSingular ? .operand(.query(query)) : .nodes(query)
    }

    private mutating func query() throws(JSONPath.Failure) -> JSONFilter.Query {
        let isRelative = next == 0x40
        place += 1
        return JSONFilter.Query(isRelative: isRelative, path: JSONPath(try segments()))
    }

    /// A number as JSON has it, save that it is kept as written (2.3.5.1: `number`).
    private mutating func number() throws(JSONPath.Failure) -> [UInt8] {
        let start = place
        _ = take("-")
        let whole = place
        takeDigits()
        guard place > whole else { throw failure(#"missing digits after "-""#) }
        guard bytes[whole] != 0x30 || place == whole + 1 else {
            throw failure("a number has no leading zeros", at: start)
        }
        if take(".") {
            let fraction = place
            takeDigits()
            guard place > fraction else { throw failure(#"missing digits after ".""#) }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            let exponent = place
            takeDigits()
            guard place > exponent else { throw failure("missing digits of the exponent") }
        }
        return Array(bytes[start..<place])
    }

    private mutating func takeDigits() {
        while let byte = next, ASCII.isDigit(byte) { place += 1 }
    }

    /// `true`, `false`, `null`, or a function.
    private mutating func word() throws(JSONPath.Failure) -> Piece {
        let start = place
        while let byte = next, JSONPathReader.isNameByte(byte) { place += 1 }
        let name = String(decoding: bytes[start..<place], as: UTF8.self)
        if next == 0x28 { return try function(name, at: start) }
        switch name {
        case "true": return .operand(.literal(.bool(true)))
        case "false": return .operand(.literal(.bool(false)))
        case "null": return .operand(.literal(.null))
        default:
            throw failure(#"a member is written @.\#(name), a text '\#(name)'"#, at: start)
        }
    }

    // MARK: - Functions (2.4)

    private mutating func function(_ name: String, at start: Int) throws(JSONPath.Failure) -> Piece {
        guard let count = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2][name] else {
            throw failure("unknown function; there are length, count, value, match and search", at: start)
        }
        guard depth < JSONPathReader.deepest else { throw failure("functions are nested too deep") }
        depth += 1
        defer { depth -= 1 }
        let arguments = try arguments()
        guard arguments.count == count else {
            throw failure("\(name) takes \(count == 1 ? "one argument" : "two arguments")", at: start)
        }
        switch name {
        case "length": return .operand(.length(try operand(arguments[0].piece, at: arguments[0].place)))
        case "count": return .operand(.count(try nodes(arguments[0])))
        case "value": return .operand(.value(try nodes(arguments[0])))
        default:
            let text = try operand(arguments[0].piece, at: arguments[0].place)
            let pattern = try operand(arguments[1].piece, at: arguments[1].place)
            if !isStrict, case .literal(.string(let bytes)) = pattern {
                try check(pattern: bytes, at: arguments[1].place)
            }
            return .truth(.matches(text: text, pattern: pattern, isWhole: name == "match"))
        }
    }

    private mutating func arguments() throws(JSONPath.Failure) -> [(piece: Piece, place: Int)] {
        place += 1
        skipBlanks()
        var arguments: [(piece: Piece, place: Int)] = []
        if take(")") { return arguments }
        while true {
            let start = place
            arguments.append((try piece(), start))
            skipBlanks()
            if take(")") { return arguments }
            guard take(",") else { throw failure(#"missing ")""#) }
            skipBlanks()
        }
    }

    private func nodes(_ argument: (piece: Piece, place: Int)) throws(JSONPath.Failure) -> JSONFilter.Query {
        switch argument.piece {
        case .nodes(let query), .operand(.query(let query)): return query
        default: throw failure("this function takes a query such as @.items[*]", at: argument.place)
        }
    }

    private func check(pattern: [UInt8], at start: Int) throws(JSONPath.Failure) {
        do throws(IRegexp.Failure) {
            _ = try IRegexp(parsing: pattern)
        } catch {
            throw failure("no pattern of RFC 9485: \(error.message)", at: start)
        }
    }
}
