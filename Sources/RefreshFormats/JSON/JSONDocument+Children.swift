/// The elements of an array, in order; of anything else none.
package struct JSONElements: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private var place: Int
    private let end: Int

    init(_ document: JSONDocument, of node: JSONNode) {
        self.document = document
        place = node.place + 1
        end = node.kind == .array ? document.placeOfEnd(node.place) : 0
    }

    package mutating func next() -> JSONNode? {
        guard place < end else { return nil }
        let node = document.node(at: place)
        // Behind a value stands a comma, or the bracket at `end`.
        place = document.placeBehind(place) + 1
        return node
    }
}

/// The members of an object, in order; of anything else none.
package struct JSONMembers: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private var place: Int
    private let end: Int

    init(_ document: JSONDocument, of node: JSONNode) {
        self.document = document
        place = node.place + 1
        end = node.kind == .object ? document.placeOfEnd(node.place) : 0
    }

    package mutating func next() -> (name: JSONNode, value: JSONNode)? {
        guard place < end else { return nil }
        let member = (document.node(at: place), document.node(at: place + 2))
        place = document.placeBehind(place + 2) + 1
        return member
    }
}

extension JSONDocument {
    package func elements(of node: JSONNode) -> JSONElements { JSONElements(self, of: node) }
    package func members(of node: JSONNode) -> JSONMembers { JSONMembers(self, of: node) }

    /// How many elements an array has; of anything else 0.
    package func count(of node: JSONNode) -> Int { elements(of: node).reduce(0) { count, _ in count + 1 } }

    /// The value of the last member of this name, compared without escapes; nil where there is none.
    package func member(_ name: [UInt8], of node: JSONNode) -> JSONNode? {
        lookUp(name, in: node.place).map { self.node(at: $0.place) }
    }

    package func member(_ name: String, of node: JSONNode) -> JSONNode? {
        member(Array(name.utf8), of: node)
    }

    /// The place of the value of the last member of this name, and whether the name stands there more than once.
    func lookUp(_ name: [UInt8], in object: Int) -> (place: Int, isRepeated: Bool)? {
        var members = 0
        return lookUp(name, in: object, counting: &members)
    }

    /// - Parameter members: goes up by the members looked at.
    func lookUp(
        _ name: [UInt8], in object: Int, counting members: inout Int
    ) -> (place: Int, isRepeated: Bool)? {
        guard startByte(of: object) == JSONByte.openObject else { return nil }
        var found: Int?
        var isRepeated = false
        var place = object + 1
        let end = placeOfEnd(object)
        while place < end {
            if isNamed(name, inside(place)) {
                isRepeated = found != nil
                found = place + 2
            }
            members += 1
            place = placeBehind(place + 2) + 1
        }
        return found.map { ($0, isRepeated) }
    }

    private func isNamed(_ name: [UInt8], _ range: Range<Int>) -> Bool {
        // An escape is never shorter than what it stands for.
        guard range.count >= name.count else { return false }
        let text = bytes.storage[range]
        if text.contains(JSONByte.backslash) {
            return JSONStringText.decoded(text).map { $0 == name } ?? false
        }
        return text.elementsEqual(name)
    }
}
