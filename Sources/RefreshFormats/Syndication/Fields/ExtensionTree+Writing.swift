import RefreshCore

extension ExtensionTree {
    /// `{prefix: {name: [{value, attrs, children}]}}`, both in order of first sight.
    func write(to writer: inout RecordWriter) {
        if !isEmpty { write(childrenOf: -1, as: "extensions", to: &writer) }
    }

    /// The nodes are few; looking through them again costs less than sorting them by parent would.
    private func write(childrenOf parent: Int, as name: StaticString, to writer: inout RecordWriter) {
        writer.name(name)
        writer.object { writer in
            for first in parent + 1..<nodes.count
            where isFirst(first, of: parent, by: { $0.prefix == $1.prefix }) {
                writer.name(nodes[first].name.prefix)
                writer.object { writer in
                    for named in first..<nodes.count
                    where nodes[named].parent == parent
                        && nodes[named].name.prefix == nodes[first].name.prefix
                        && isFirst(named, of: parent, by: { $0 == $1 })
                    {
                        write(allLike: named, to: &writer)
                    }
                }
            }
        }
    }

    /// Whether no earlier child of the parent is the same in this respect.
    private func isFirst(
        _ index: Int, of parent: Int,
        by isSame: (FeedVocabulary.ExtensionName, FeedVocabulary.ExtensionName) -> Bool
    ) -> Bool {
        guard nodes[index].parent == parent else { return false }
        for earlier in parent + 1..<index
        where nodes[earlier].parent == parent && isSame(nodes[earlier].name, nodes[index].name) {
            return false
        }
        return true
    }

    private func write(allLike first: Int, to writer: inout RecordWriter) {
        writer.name(nodes[first].name.local)
        writer.array { writer in
            for index in first..<nodes.count
            where nodes[index].parent == nodes[first].parent && nodes[index].name == nodes[first].name {
                write(index, to: &writer)
            }
        }
    }

    private func write(_ index: Int, to writer: inout RecordWriter) {
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
            if node.hasChildren, nodes[(index + 1)...].contains(where: { $0.parent == index }) {
                write(childrenOf: index, as: "children", to: &writer)
            }
        }
    }

    /// What a hash of the tree is made of: all of it but the counts (SC1). Empty where there is nothing else.
    func stableText(into text: inout [UInt8]) {
        for node in nodes where !node.isCount {
            text.append(contentsOf: node.name.prefix)
            text.append(0)
            text.append(contentsOf: node.name.local)
            text.append(0)
            text.append(contentsOf: node.value)
            for attribute in node.attributes {
                text.append(0)
                text.append(contentsOf: attribute.name)
                text.append(0)
                text.append(contentsOf: attribute.value)
            }
            // Where it stands; depths are few.
            text.append(UInt8(truncatingIfNeeded: node.depth + 1))
        }
    }
}
