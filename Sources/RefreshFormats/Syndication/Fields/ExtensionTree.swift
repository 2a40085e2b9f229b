/// The elements that no field stands for, and those of other vocabularies, as they came: each has a value,
/// attributes and elements of its own. Kept flat: a parent comes before its children.
struct ExtensionTree: Equatable {
    struct Node: Equatable {
        let name: FeedVocabulary.ExtensionName
        var value: [UInt8] = []
        var attributes: [Attribute] = []
        /// An index; -1 at the top.
        let parent: Int
        let depth: Int
        /// Says something that changes without the entry changing: how many comments it has (SC1).
        var isCount = false
    }

    struct Attribute: Equatable {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// Elements of one entry, and elements within each other, kept at most.
    static let most = 256
    private static let deepest = 8

    private(set) var nodes: [Node] = []

    var isEmpty: Bool { nodes.isEmpty }
    var hasCounts: Bool { nodes.contains { $0.isCount } }

    /// Puts an element down; -1 where there is no room left.
    mutating func open(
        _ name: FeedVocabulary.ExtensionName, _ attributes: [Attribute], in parent: Int, isCount: Bool
    ) -> Int {
        let depth = parent < 0 ? 0 : nodes[parent].depth + 1
        guard nodes.count < ExtensionTree.most, depth < ExtensionTree.deepest else { return -1 }
        nodes.append(Node(name: name, attributes: attributes, parent: parent, depth: depth, isCount: isCount))
        return nodes.count - 1
    }

    /// Puts a text down that has neither attributes nor children; an empty one is left out.
    mutating func add(_ prefix: String, _ local: String, _ value: [UInt8]) {
        if value.isEmpty { return }
        let name = FeedVocabulary.ExtensionName(prefix: prefix, local: local)
        let node = open(name, [], in: -1, isCount: false)
        if node >= 0 { nodes[node].value = value }
    }

    mutating func append(_ text: [UInt8], to node: Int) {
        if nodes.indices.contains(node) { nodes[node].value += text }
    }

    /// Ends an element; one that says nothing is taken away again.
    mutating func close(_ node: Int) {
        guard nodes.indices.contains(node) else { return }
        nodes[node].value = nodes[node].value.trimmedToArray
        let isLast = node == nodes.count - 1
        if isLast, nodes[node].value.isEmpty, nodes[node].attributes.isEmpty { nodes.removeLast() }
    }

    mutating func setReference(_ base: LinkBase, of node: Int) {
        if nodes.indices.contains(node) { nodes[node].value = base.absolute(nodes[node].value) }
    }

    // MARK: - Writing

    /// `{prefix: {name: [{value, attrs, children}]}}`, both in order of first sight.
    func write(to writer: inout RecordWriter, withCounts: Bool) {
        let kept = nodes.indices.filter { withCounts || !nodes[$0].isCount }
        if kept.isEmpty { return }
        var children: [Int: [Int]] = [:]
        for index in kept { children[nodes[index].parent, default: []].append(index) }
        write(children[-1] ?? [], children, as: "extensions", to: &writer)
    }

    private func write(
        _ members: [Int], _ children: [Int: [Int]], as name: StaticString, to writer: inout RecordWriter
    ) {
        if members.isEmpty { return }
        writer.name(name)
        writer.object { writer in
            for (prefix, named) in groups(members, by: \.name.prefix) {
                writer.name(Array(prefix.utf8))
                writer.object { writer in
                    for (local, same) in groups(named, by: \.name.local) {
                        writer.name(Array(local.utf8))
                        writer.array { writer in
                            for index in same { write(index, children, to: &writer) }
                        }
                    }
                }
            }
        }
    }

    private func write(_ index: Int, _ children: [Int: [Int]], to writer: inout RecordWriter) {
        let node = nodes[index]
        writer.object { writer in
            writer.member("value", node.value)
            if !node.attributes.isEmpty {
                writer.name("attrs")
                writer.object { writer in
                    for attribute in node.attributes {
                        writer.name(attribute.name)
                        writer.string(attribute.value)
                    }
                }
            }
            write(children[index] ?? [], children, as: "children", to: &writer)
        }
    }

    private func groups(
        _ members: [Int], by name: (Node) -> String
    ) -> [(name: String, members: [Int])] {
        if members.count == 1 { return [(name(nodes[members[0]]), members)] }
        var places: [String: Int] = [:]
        var groups: [(name: String, members: [Int])] = []
        for index in members {
            let name = name(nodes[index])
            if let place = places[name] {
                groups[place].members.append(index)
            } else {
                places[name] = groups.count
                groups.append((name, [index]))
            }
        }
        return groups
    }
}
