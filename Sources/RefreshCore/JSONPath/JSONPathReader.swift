/// Reads the text of a JSONPath from left to right.
struct JSONPathReader {
    /// Filters within filters, and parentheses, go no deeper than this: reading them recurses.
    static let deepest = 64
    /// Segments of a path, those in its filters included: following them recurses.
    static let longest = 512

    let bytes: [UInt8]
    let isStrict: Bool
    var place = 0
    var depth = 0
    private var segmentCount = 0

    init(_ bytes: [UInt8], isStrict: Bool) {
        self.bytes = bytes
        self.isStrict = isStrict
    }

    static func isNameStart(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || byte == 0x5F || byte >= 0x80
    }

    static func isNameByte(_ byte: UInt8) -> Bool { isNameStart(byte) || ASCII.isDigit(byte) }

    /// The whole text as a path.
    mutating func path() throws(JSONPath.Failure) -> [JSONPath.Segment] {
        guard !bytes.isEmpty else { throw failure(#"empty path; "$" is the whole document"#) }
        var first: [JSONPath.Segment] = []
        if next == 0x24 {
            place += 1
        } else if isStrict {
            throw failure(#"a path starts with "$""#)
        } else if next != 0x5B && next != 0x2E {
            if next == 0x40 || next == 0x3F {
                throw failure(#"a path starts with "$"; a filter stands in [?…]"#)
            }
            // Without "$" the first name has no point before it.
            first.append(try nameOrWildcard(isDescendant: false))
        }
        let segments = first + (try self.segments())
        guard isAtEnd else {
            let stop = place
            skipBlanks()
            if isAtEnd { throw failure("white space at the end of the path", at: stop) }
            throw strayLetter(afterRoot: segments.isEmpty)
        }
        return segments
    }

    // MARK: - Places

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }
    var isAtEnd: Bool { place == bytes.count }

    mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    /// Takes `text` where it is next.
    mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard place + length <= bytes.count else { return false }
        for offset in 0..<length where unsafe bytes[place + offset] != text.utf8Start[offset] { return false }
        place += length
        return true
    }

    func failure(_ message: String, at offset: Int? = nil) -> JSONPath.Failure {
        JSONPath.Failure(offset: offset ?? place, message: message)
    }

    private func strayLetter(afterRoot: Bool) -> JSONPath.Failure {
        let name = String(decoding: bytes[place...].prefix(while: JSONPathReader.isNameByte), as: UTF8.self)
        if afterRoot, !name.isEmpty {
            return failure(#"after "$" comes "." or "["; a member "$\#(name)" is written ['$\#(name)']"#)
        }
        return failure(#"expected "." or "["; a name with other letters is written ['like this']"#)
    }

    // MARK: - Segments (2.5)

    /// As many segments as follow; behind them `place` stands where the last one ended.
    mutating func segments() throws(JSONPath.Failure) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while true {
            let start = place
            skipBlanks()
            guard next == 0x5B || next == 0x2E else {
                place = start
                return segments
            }
            segmentCount += 1
            guard segmentCount <= JSONPathReader.longest else {
                throw failure("more than \(JSONPathReader.longest) segments")
            }
            segments.append(try segment())
        }
    }

    private mutating func segment() throws(JSONPath.Failure) -> JSONPath.Segment {
        if take("..") {
            if next == 0x5B { return JSONPath.Segment(isDescendant: true, try bracketed()) }
            return try nameOrWildcard(isDescendant: true)
        }
        if take(".") { return try nameOrWildcard(isDescendant: false) }
        return JSONPath.Segment(try bracketed())
    }

    /// Behind points, or at the start: a name of letters, digits and `_`, or `*` (2.5.1.1).
    private mutating func nameOrWildcard(isDescendant: Bool) throws(JSONPath.Failure) -> JSONPath.Segment {
        if take("*") { return JSONPath.Segment(isDescendant: isDescendant, [.wildcard]) }
        guard let first = next else {
            throw failure(isDescendant ? #"missing name after "..""# : #"missing name after ".""#)
        }
        guard JSONPathReader.isNameStart(first) else {
            if first == 0x5B { throw failure(#"between "." and "[" stands a name; leave out the ".""#) }
            throw failure(
                ASCII.isDigit(first)
                    ? "a name that begins with a digit is written ['0'], an index [0]"
                    : "a name with other letters is written ['like this']")
        }
        let start = place
        while let byte = next, JSONPathReader.isNameByte(byte) { place += 1 }
        return JSONPath.Segment(isDescendant: isDescendant, [.name(Array(bytes[start..<place]))])
    }

    // MARK: - Selectors (2.3)

    private mutating func bracketed() throws(JSONPath.Failure) -> [JSONPath.Selector] {
        place += 1
        var selectors: [JSONPath.Selector] = []
        while true {
            skipBlanks()
            selectors.append(try selector())
            skipBlanks()
            if take("]") { return selectors }
            guard take(",") else { throw failure(#"missing "]""#) }
        }
    }

    private mutating func selector() throws(JSONPath.Failure) -> JSONPath.Selector {
        switch next {
        case 0x2A:
            place += 1
            return .wildcard
        case 0x22, 0x27: return .name(try quoted())
        case 0x3F:
            place += 1
            skipBlanks()
            return .filter(JSONFilter(try condition()))
        case 0x3A: return try slice(from: nil)
        case let byte? where byte == 0x2D || ASCII.isDigit(byte):
            let number = try integer()
            let behind = place
            skipBlanks()
            if next == 0x3A { return try slice(from: number) }
            place = behind
            return .index(number)
        default:
            throw failure(
                #"in brackets stands a quoted name, an index, "*", a slice such as 0:5, or "?" and a filter"#)
        }
    }

    /// From the first colon on.
    private mutating func slice(from start: Int?) throws(JSONPath.Failure) -> JSONPath.Selector {
        place += 1
        skipBlanks()
        let end = try integerIfAny()
        skipBlanks()
        var step: Int?
        if take(":") {
            skipBlanks()
            step = try integerIfAny()
        }
        return .slice(JSONPath.Slice(start: start, end: end, step: step))
    }

    private mutating func integerIfAny() throws(JSONPath.Failure) -> Int? {
        guard let byte = next, byte == 0x2D || ASCII.isDigit(byte) else { return nil }
        return try integer()
    }

    /// Without leading zeros and within what every JSON reader counts exactly (2.1, 2.3.3.1).
    private mutating func integer() throws(JSONPath.Failure) -> Int {
        let start = place
        let isNegative = next == 0x2D
        if isNegative { place += 1 }
        let digits = place
        var value = 0
        while let byte = next, ASCII.isDigit(byte) {
            value = value * 10 + Int(byte - 0x30)
            place += 1
            guard value < 1 << 53 else { throw failure("index beyond 2^53 - 1", at: start) }
        }
        guard place > digits else { throw failure(#"missing digits after "-""#) }
        let startsWithZero = bytes[digits] == 0x30
        guard !startsWithZero || (place == digits + 1 && !isNegative) else {
            throw failure("an index has no leading zeros and no minus zero", at: start)
        }
        return isNegative ? -value : value
    }
}
