import RefreshCore

/// The elements that no field stands for, and those of other vocabularies, as they came: each has a value,
/// attributes and elements of its own. Kept flat: a parent comes before its children.
struct ExtensionTree {
    struct Node {
        let name: FeedVocabulary.ExtensionName
        /// An index; -1 at the top.
        let parent: Int
        var value: [UInt8] = []
        var attributes: [Attribute] = []
        fileprivate(set) var depth = 0
        fileprivate(set) var hasChildren = false
        /// Says something that changes without the entry changing: how many comments it has (SC1).
        var isCount = false
        /// Its text is an address.
        var isReference = false

        init(name: FeedVocabulary.ExtensionName, parent: Int) {
            self.name = name
            self.parent = parent
        }
    }

    struct Attribute {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// Elements of one entry, and elements within each other, kept at most.
    static let most = 256
    private static let deepest = 8

    private(set) var nodes: [Node] = []

    var isEmpty: Bool { nodes.isEmpty }

    /// Puts an element down; -1 where there is no room left.
    mutating func open(_ node: Node) -> Int {
        var node = node
        if node.parent >= 0 { node.depth = nodes[node.parent].depth + 1 }
        guard nodes.count < ExtensionTree.most, node.depth < ExtensionTree.deepest else { return -1 }
        if node.parent >= 0 { nodes[node.parent].hasChildren = true }
        nodes.append(node)
        return nodes.count - 1
    }

    /// Puts a text down that has neither attributes nor children; an empty one is left out.
    mutating func add(_ prefix: String, _ local: String, _ value: [UInt8]) {
        if value.isEmpty { return }
        var node = Node(name: FeedVocabulary.ExtensionName(prefix: prefix, local: local), parent: -1)
        node.value = value
        _ = open(node)
    }

    mutating func append(_ text: [UInt8], to node: Int) {
        if nodes.indices.contains(node) { nodes[node].value.append(contentsOf: text) }
    }

    /// Ends an element; one that says nothing is taken away again.
    mutating func close(_ node: Int, _ base: LinkBase) {
        guard nodes.indices.contains(node) else { return }
        let value = nodes[node].value.trimmedToArray
        nodes[node].value = nodes[node].isReference ? base.absolute(value) : value
        let isLast = node == nodes.count - 1
        if isLast, value.isEmpty, nodes[node].attributes.isEmpty { nodes.removeLast() }
    }
}
