import RefreshCore

extension JSONDocument {
    /// The nodes that `path` selects from `node`, or from the document, in the order of the text (RFC 9535).
    package func nodes(at path: JSONPath, from node: JSONNode? = nil) -> [JSONNode] {
        var selected = [node ?? root]
        for segment in path.segments {
            switch segment {
            case .wildcard:
                selected = selected.flatMap { parent in
                    parent.kind == .object
                        ? members(of: parent).map(\.value) : Array(elements(of: parent))
                }
            case .name, .index: selected = selected.compactMap { child(of: $0, segment)?.node }
            }
        }
        return selected
    }

    /// The one node that a path without wildcards selects; of a path with wildcards the first.
    package func singular(_ path: JSONPath, from node: JSONNode? = nil) -> JSONNode? {
        path.isSingular ? follow(path, from: node ?? root)?.node : nodes(at: path, from: node).first
    }

    /// The node at the end of a singular path, and whether a name on the way stands twice in its object.
    func follow(_ path: JSONPath, from node: JSONNode) -> (node: JSONNode, isRepeated: Bool)? {
        var current = (node: node, isRepeated: false)
        for segment in path.segments {
            guard let next = child(of: current.node, segment) else { return nil }
            current = (next.node, current.isRepeated || next.isRepeated)
        }
        return current
    }

    private func child(
        of node: JSONNode, _ segment: JSONPath.Segment
    ) -> (node: JSONNode, isRepeated: Bool)? {
        switch segment {
        case .name(let name): lookUp(name, in: node)
        case .index(let index): element(index, of: node).map { ($0, false) }
        case .wildcard: nil
        }
    }

    /// The element at `index`, counted from the end where it is negative.
    private func element(_ index: Int, of node: JSONNode) -> JSONNode? {
        guard index < 0 else { return elements(of: node).dropFirst(index).first { _ in true } }
        let fromStart = count(of: node) + index
        return fromStart < 0 ? nil : element(fromStart, of: node)
    }
}
