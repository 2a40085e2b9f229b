import RefreshCore

/// Evaluates paths and filters over the tokens of one document (RFC 9535); no tree is made.
///
/// Every node that is looked at is counted, over all that one value of this type evaluates, so that no path and no
/// filter costs more than a fixed multiple of what it took to read the document.
struct JSONEvaluation {
    let document: JSONDocument
    /// What `$` means.
    var root: Int
    private let patterns: PatternShelf
    private let limit: Int
    /// Steps that may still be taken.
    private var left: Int

    init(_ document: JSONDocument, root: Int = 0, patterns: PatternShelf = PatternShelf(), limit: Int? = nil)
    {
        self.document = document
        self.root = root
        self.patterns = patterns
        self.limit = limit ?? 10_000_000 + 32 * document.tokenCount
        left = self.limit
    }

    /// The places that `path` selects from the one at `place`.
    mutating func places(of path: JSONPath, from place: Int) throws(FormatFailure) -> [Int] {
        var places: [Int] = []
        // No path without repeated selectors selects a node twice.
        let most = document.tokenCount + 10_000
        let isWhole = try visit(path.segments[...], from: place) {
            places.append($0)
            return places.count <= most
        }
        if !isWhole { throw .queryTooCostly(limit: most) }
        return places
    }

    mutating func holds(_ filter: JSONFilter, at place: Int) throws(FormatFailure) -> Bool {
        try holds(filter.expression, place)
    }

    mutating func spend(_ steps: Int) throws(FormatFailure) {
        left -= steps
        if left < 0 { throw .queryTooCostly(limit: limit) }
    }

    // MARK: - Paths

    /// Calls `body` for every node that the segments select, until it says false; tells whether it never did.
    private mutating func visit(
        _ segments: ArraySlice<JSONPath.Segment>, from place: Int, _ body: (Int) -> Bool
    ) throws(FormatFailure) -> Bool {
        guard let segment = segments.first else {
            try spend(1)
            return body(place)
        }
        let rest = segments.dropFirst()
        guard segment.isDescendant else { return try select(segment.selectors, place, rest, body) }
        // Tokens stand in the order in which the descendants are to be visited: parents first.
        var at = place
        let end = document.placeBehind(place)
        while at < end {
            if document.isValue(at), try !select(segment.selectors, at, rest, body) { return false }
            at += 1
        }
        return true
    }

    private mutating func select(
        _ selectors: [JSONPath.Selector], _ place: Int, _ rest: ArraySlice<JSONPath.Segment>,
        _ body: (Int) -> Bool
    ) throws(FormatFailure) -> Bool {
        for selector in selectors {
            try spend(1)
            let goesOn: Bool
            switch selector {
            case .name(let name):
                guard let found = try child(name, of: place) else { continue }
                goesOn = try visit(rest, from: found, body)
            case .index(let index):
                guard let found = document.element(index, of: place) else { continue }
                try spend(index.magnitude < 64 ? 1 : 64)
                goesOn = try visit(rest, from: found, body)
            case .wildcard: goesOn = try children(of: place, nil, rest, body)
            case .filter(let filter): goesOn = try children(of: place, filter, rest, body)
            case .slice(let slice): goesOn = try self.slice(slice, of: place, rest, body)
            }
            if !goesOn { return false }
        }
        return true
    }

    private mutating func child(_ name: [UInt8], of place: Int) throws(FormatFailure) -> Int? {
        guard document.startByte(of: place) == JSONByte.openObject else { return nil }
        // A look at every member of the object, which has about four tokens each; nested ones are stepped over.
        var members = 0
        let found = document.lookUp(name, in: place, counting: &members)
        try spend(members)
        return found?.place
    }

    private mutating func children(
        of place: Int, _ filter: JSONFilter?, _ rest: ArraySlice<JSONPath.Segment>, _ body: (Int) -> Bool
    ) throws(FormatFailure) -> Bool {
        var children = JSONChildPlaces(document, of: place)
        while let child = children.next() {
            try spend(1)
            if let filter, try !holds(filter.expression, child) { continue }
            if try !visit(rest, from: child, body) { return false }
        }
        return true
    }

    private mutating func slice(
        _ slice: JSONPath.Slice, of place: Int, _ rest: ArraySlice<JSONPath.Segment>, _ body: (Int) -> Bool
    ) throws(FormatFailure) -> Bool {
        guard document.startByte(of: place) == JSONByte.openArray else { return true }
        let elements = Array(JSONChildPlaces(document, of: place))
        try spend(elements.count)
        for index in slice.indexes(count: elements.count) {
            if try !visit(rest, from: elements[index], body) { return false }
        }
        return true
    }

    // MARK: - Filters

    private mutating func holds(
        _ expression: JSONFilter.Expression, _ current: Int
    ) throws(FormatFailure) -> Bool {
        switch expression {
        case .any(let parts):
            for part in parts where try holds(part, current) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, current) { return false }
            return true
        case .not(let inner): return try !holds(inner, current)
        case .exists(let query):
            if query.path.isSingular { return try single(query, current) != nil }
            return try !visit(query.path.segments[...], from: start(query, current)) { _ in false }
        case .comparison(let left, let comparison, let right):
            return try compare(value(left, current), comparison, value(right, current))
        case .matches(let text, let pattern, let isWhole):
            return try matches(value(text, current), value(pattern, current), isWhole: isWhole)
        }
    }

    private func start(_ query: JSONFilter.Query, _ current: Int) -> Int { query.isRelative ? current : root }

    /// The node of a singular query.
    private mutating func single(_ query: JSONFilter.Query, _ current: Int) throws(FormatFailure) -> Int? {
        var place = start(query, current)
        for step in query.path.steps ?? [] {
            try spend(1)
            switch step {
            case .name(let name):
                guard let next = try child(name, of: place) else { return nil }
                place = next
            case .index(let index):
                guard let next = document.element(index, of: place) else { return nil }
                try spend(index.magnitude < 64 ? 1 : 64)
                place = next
            }
        }
        return place
    }

    private mutating func value(
        _ operand: JSONFilter.Operand, _ current: Int
    ) throws(FormatFailure) -> JSONOperand {
        switch operand {
        case .literal(.null): return .null
        case .literal(.bool(let value)): return .bool(value)
        case .literal(.number(let text)): return .number(text[...])
        case .literal(.string(let text)): return .string(text[...])
        case .query(let query): return try document.operand(at: single(query, current))
        case .length(let operand):
            let value = try value(operand, current)
            guard let length = document.length(of: value) else { return .nothing }
            try spend(length)
            return .number(Array(String(length).utf8)[...])
        case .count(let query):
            var count = 0
            _ = try visit(query.path.segments[...], from: start(query, current)) { _ in
                count += 1
                return true
            }
            return .number(Array(String(count).utf8)[...])
        case .value(let query):
            var found: [Int] = []
            _ = try visit(query.path.segments[...], from: start(query, current)) {
                found.append($0)
                return found.count < 2
            }
            return document.operand(at: found.count == 1 ? found[0] : nil)
        }
    }

    private mutating func compare(
        _ left: JSONOperand, _ comparison: JSONFilter.Comparison, _ right: JSONOperand
    ) throws(FormatFailure) -> Bool {
        switch comparison {
        case .equal: return try equal(left, right)
        case .notEqual: return try !equal(left, right)
        case .less: return left.precedes(right)
        case .greater: return right.precedes(left)
        case .lessOrEqual:
            if left.precedes(right) { return true }
            return try equal(left, right)
        case .greaterOrEqual:
            if right.precedes(left) { return true }
            return try equal(left, right)
        }
    }

    private mutating func equal(_ left: JSONOperand, _ right: JSONOperand) throws(FormatFailure) -> Bool {
        if case .container(let one) = left, case .container(let other) = right {
            // Both are walked over once, whatever comes out.
            try spend(document.placeBehind(one) - one + document.placeBehind(other) - other)
        }
        return document.equal(left, right)
    }

    private mutating func matches(
        _ text: JSONOperand, _ pattern: JSONOperand, isWhole: Bool
    ) throws(FormatFailure) -> Bool {
        guard case .string(let text) = text, case .string(let pattern) = pattern,
            let compiled = patterns.pattern(pattern, isWhole: isWhole)
        else { return false }
        try spend(1 + text.count / 16)
        // Most matches need next to nothing; one that needs more pays for all that it may take.
        if let isMatch = compiled.matches(text, limit: 1_000 + 4 * text.count) { return isMatch }
        let most = 100_000 + 20 * text.count
        try spend(most)
        guard let isMatch = compiled.matches(text, limit: most) else { throw .queryTooCostly(limit: most) }
        return isMatch
    }
}

extension JSONPath.Slice {
    /// The indexes of an array of `count` elements that it selects (2.3.4.2.2).
    fileprivate func indexes(count: Int) -> StrideTo<Int> {
        func fromStart(_ index: Int) -> Int { index >= 0 ? index : count + index }
        let step = self.step ?? 1
        if step > 0 {
            let lower = min(max(fromStart(start ?? 0), 0), count)
            let upper = min(max(fromStart(end ?? count), 0), count)
            return stride(from: lower, to: upper, by: step)
        }
        guard step < 0 else { return stride(from: 0, to: 0, by: 1) }
        let upper = min(max(start.map(fromStart) ?? count - 1, -1), count - 1)
        let lower = min(max(end.map(fromStart) ?? -1, -1), count - 1)
        return stride(from: upper, to: lower, by: step)
    }
}
