import RefreshCore

/// Evaluates paths and filters over the tokens of one document (RFC 9535); no tree is made.
///
/// Every node that is looked at is counted, over all that shares one budget, so that no path and no filter costs more
/// than a fixed multiple of what it took to read the documents.
struct JSONEvaluation {
    let document: JSONDocument
    /// What `$` means.
    private(set) var root: Int
    let budget: JSONBudget

    init(_ document: JSONDocument, root: Int = 0, budget: JSONBudget = JSONBudget()) {
        self.document = document
        self.root = root
        self.budget = budget
        budget.grow(by: document)
    }

    /// The same with another meaning of `$`.
    func rooted(at place: Int) -> JSONEvaluation {
        var copy = self
        copy.root = place
        return copy
    }

    /// The places that `path` selects from the one at `place`.
    func places(of path: JSONPath, from place: Int) throws(FormatFailure) -> [Int] {
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

    func spend(_ steps: Int) throws(FormatFailure) { try budget.spend(steps) }

    // MARK: - Paths

    /// Calls `body` for every node that the segments select, until it says false; tells whether it never did.
    func visit(
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

    private func select(
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

    func child(_ name: [UInt8], of place: Int) throws(FormatFailure) -> Int? {
        guard document.startByte(of: place) == JSONByte.openObject else { return nil }
        // A look at every member of the object, which has about four tokens each; nested ones are stepped over.
        var members = 0
        let found = document.lookUp(name, in: place, counting: &members)
        try spend(members)
        return found?.place
    }

    private func children(
        of place: Int, _ filter: JSONFilter?, _ rest: ArraySlice<JSONPath.Segment>, _ body: (Int) -> Bool
    ) throws(FormatFailure) -> Bool {
        var children = JSONChildPlaces(document, of: place)
        while let child = children.next() {
            try spend(1)
            if let filter, try !holds(filter, at: child) { continue }
            if try !visit(rest, from: child, body) { return false }
        }
        return true
    }

    private func slice(
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
