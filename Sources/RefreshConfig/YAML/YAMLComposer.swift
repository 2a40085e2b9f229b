/// Builds trees from events: anchors in their place, bounded in depth and in what aliases multiply.
package struct YAMLComposer {
    /// How deep collections may nest.
    static let deepest = 64
    /// How many nodes aliases may stand for in all (billion laughs).
    static let mostAliased = 100_000

    private struct Open {
        let start: SourcePlace
        let anchor: String?
        let tag: String?
        let isMapping: Bool
        var children: [YAMLNode] = []
        /// This node and everything below, aliases written out.
        var weight = 1
    }

    private struct Anchored {
        let node: YAMLNode
        let weight: Int
    }

    private var open: [Open] = []
    private var anchors: [String: Anchored] = [:]
    private var aliased = 0
    private var documentStart: SourcePlace?
    /// The lines of block and quoted scalars that began on an earlier one, in order.
    private(set) var textLines: [ClosedRange<Int>] = []
    /// Every document of the stream, with the place where it begins.
    package private(set) var documents: [(start: SourcePlace, root: YAMLNode)] = []

    package init() {}

    /// Reads every document of a UTF-8 text; what was read before a failure stays.
    /// - Parameter file: which file of a configuration it is, for places.
    package mutating func read(_ bytes: [UInt8], file: Int = 0) throws(YAMLFailure) {
        try YAMLEventReader.read(bytes, file: file) { (event) throws(YAMLFailure) in try take(event) }
    }

    package mutating func take(_ event: YAMLEvent) throws(YAMLFailure) {
        switch event.kind {
        case .streamStart, .streamEnd, .documentEnd: break
        case .documentStart:
            documentStart = event.start
            // An anchor holds for its document only (YAML 1.2, 3.2.2.2).
            anchors = [:]
        case .alias(let name): try alias(name, at: event)
        case .scalar(let anchor, let tag, let text, let style):
            if style != .plain, event.end.line > event.start.line {
                textLines.append(event.start.line + 1...event.end.line)
            }
            let scalar = YAMLScalar(text: text, style: style, tag: tag)
            let node = YAMLNode(.scalar(scalar), start: event.start, end: event.end, tag: tag)
            finish(node, weight: 1, anchor: anchor)
        case .sequenceStart(let anchor, let tag): try begin(event, anchor, tag, isMapping: false)
        case .mappingStart(let anchor, let tag): try begin(event, anchor, tag, isMapping: true)
        case .sequenceEnd, .mappingEnd: close(at: event.end)
        }
    }

    private mutating func begin(
        _ event: YAMLEvent, _ anchor: String?, _ tag: String?, isMapping: Bool
    ) throws(YAMLFailure) {
        guard open.count < YAMLComposer.deepest else {
            let message = "nested deeper than \(YAMLComposer.deepest) levels"
            throw YAMLFailure(.limit, at: event.start, message)
        }
        // An alias to a node that is still open must not find an earlier one of that name.
        if let anchor { anchors[anchor] = nil }
        open.append(Open(start: event.start, anchor: anchor, tag: tag, isMapping: isMapping))
    }

    private mutating func close(at end: SourcePlace) {
        guard let done = open.popLast() else { preconditionFailure("libyaml closes only what it opened") }
        let content: YAMLNode.Content =
            done.isMapping ? .mapping(YAMLComposer.pairs(done.children)) : .sequence(done.children)
        let node = YAMLNode(content, start: done.start, end: end, tag: done.tag)
        finish(node, weight: done.weight, anchor: done.anchor)
    }

    private static func pairs(_ children: [YAMLNode]) -> [YAMLNode.Pair] {
        stride(from: 0, to: children.count - 1, by: 2).map {
            YAMLNode.Pair(key: children[$0], value: children[$0 + 1])
        }
    }

    private mutating func alias(_ name: String, at event: YAMLEvent) throws(YAMLFailure) {
        guard let found = anchors[name] else {
            let isOpen = open.contains { $0.anchor == name }
            let message =
                isOpen ? "\"*\(name)\" stands inside the value that it names" : "no \"&\(name)\" before this"
            throw YAMLFailure(.alias, at: event.start, message)
        }
        aliased += found.weight
        guard aliased <= YAMLComposer.mostAliased else {
            let message = "aliases stand for more than \(YAMLComposer.mostAliased) values"
            throw YAMLFailure(.limit, at: event.start, message)
        }
        var node = found.node
        node.isAlias = true
        finish(node, weight: found.weight, anchor: nil)
    }

    private mutating func finish(_ node: YAMLNode, weight: Int, anchor: String?) {
        if let anchor { anchors[anchor] = Anchored(node: node, weight: weight) }
        guard var parent = open.popLast() else {
            documents.append((documentStart ?? node.start, node))
            return
        }
        parent.children.append(node)
        parent.weight += weight
        open.append(parent)
    }
}
