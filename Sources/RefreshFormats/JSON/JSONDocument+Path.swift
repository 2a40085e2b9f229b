import RefreshCore

extension JSONDocument {
    /// The nodes that `path` selects from `node`, or from the document, in the order of RFC 9535.
    ///
    /// `node` is also what `$` means within the path's filters.
    package func nodes(at path: JSONPath, from node: JSONNode? = nil) throws(FormatFailure) -> [JSONNode] {
        let start = node ?? root
        if let steps = path.steps {
            return follow(steps, from: start.place).map { [self.node(at: $0.place)] } ?? []
        }
        let evaluation = JSONEvaluation(self, root: start.place)
        return try evaluation.places(of: path, from: start.place).map { self.node(at: $0) }
    }

    /// The one node that a singular path selects; nil of any other path.
    package func singular(_ path: JSONPath, from node: JSONNode? = nil) -> JSONNode? {
        guard let steps = path.steps else { return nil }
        return follow(steps, from: (node ?? root).place).map { self.node(at: $0.place) }
    }

    /// Whether `filter` holds for `node`, or for the document; `$` in it is the same as `@`.
    package func satisfies(_ filter: JSONFilter, at node: JSONNode? = nil) throws(FormatFailure) -> Bool {
        let place = (node ?? root).place
        let evaluation = JSONEvaluation(self, root: place)
        return try evaluation.holds(filter, at: place)
    }

    /// The string, number, boolean or null at the end of a singular path; nil where none is there.
    package func scalar(at path: JSONPath, from node: JSONNode? = nil) -> ScalarValue? {
        singular(path, from: node).flatMap(scalar(of:))
    }

    /// The value of a node that is neither object nor array.
    package func scalar(of node: JSONNode) -> ScalarValue? {
        switch node.kind {
        case .object, .array: nil
        case .string:
            JSONStringText.decoded(bytes.storage[inside(node.place)], halves: .replaced)
                .map { ScalarValue(kind: .string, bytes: $0) }
        case .number: ScalarValue(kind: .number, bytes: Array(text(of: node)))
        case .bool: ScalarValue(kind: .bool, bytes: Array(text(of: node)))
        case .null: ScalarValue(kind: .null, bytes: Array(text(of: node)))
        }
    }

    /// The place at the end of the steps, and whether a name on the way stands twice in its object.
    func follow(_ steps: [JSONPath.Step], from place: Int) -> (place: Int, isRepeated: Bool)? {
        var current = (place: place, isRepeated: false)
        for step in steps {
            switch step {
            case .name(let name):
                guard let next = lookUp(name, in: current.place) else { return nil }
                current = (next.place, current.isRepeated || next.isRepeated)
            case .index(let index):
                guard let next = element(index, of: current.place) else { return nil }
                current.place = next
            }
        }
        return current
    }

    /// The place of the element at `index`, counted from the end where it is negative.
    func element(_ index: Int, of place: Int) -> Int? {
        guard startByte(of: place) == JSONByte.openArray else { return nil }
        var left = index
        if index < 0 {
            left += JSONChildPlaces(self, of: place).reduce(0) { count, _ in count + 1 }
            if left < 0 { return nil }
        }
        var children = JSONChildPlaces(self, of: place)
        while let child = children.next() {
            if left == 0 { return child }
            left -= 1
        }
        return nil
    }
}

/// The places of an array's elements or of an object's values, in order; of anything else none.
struct JSONChildPlaces: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private var place: Int
    private let end: Int
    /// How far behind a child's start the next one's value is: past the name and the colon.
    private let ahead: Int

    init(_ document: JSONDocument, of place: Int) {
        self.document = document
        let byte = document.startByte(of: place)
        let isObject = byte == JSONByte.openObject
        ahead = isObject ? 2 : 0
        self.place = place + 1
        end = isObject || byte == JSONByte.openArray ? document.placeOfEnd(place) : 0
    }

    mutating func next() -> Int? {
        guard place < end else { return nil }
        let child = place + ahead
        // Behind a value stands a comma, or the bracket at `end`.
        place = document.placeBehind(child) + 1
        return child
    }
}
