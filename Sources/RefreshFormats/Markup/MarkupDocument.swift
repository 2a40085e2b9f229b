import CXML2
import RefreshCore

/// An XML or HTML document as a tree that XPath expressions are asked of.
package struct MarkupDocument: ~Copyable {
    package enum Language: Sendable { case xml, html }

    let xpath: XPathContext
    let limits: MarkupLimits

    /// Reads `bytes` in the charset that is told or found.
    ///
    /// XML has to be well-formed, has no entities of its own and is not looked up anywhere. HTML is read as far as it
    /// goes, as browsers do, but for their parser's finer rules; its elements are in lower case and in no namespace.
    /// - Parameters:
    ///   - charset: a label that decides, instead of the document and its header.
    ///   - namespaces: the prefixes of all expressions.
    package init(
        parsing bytes: ArraySlice<UInt8>, as language: Language, contentType: MediaType? = nil,
        charset: String? = nil, namespaces: [Namespace] = [], limits: MarkupLimits = MarkupLimits()
    ) throws(FormatFailure) {
        let isHTML = language == .html
        let text = Transcoder.utf8(
            bytes, label: charset, contentType: contentType, kind: isHTML ? .html : .xml)
        let source = MarkupDocument.prepared(text[...], isHTML: isHTML)
        var nodes = 0
        let tree = try unsafe MarkupParser.tree(of: source, isHTML: isHTML, limits: limits, nodes: &nodes)
        let made = unsafe XPathContext(owning: tree, nodes: nodes, namespaces: namespaces, limits: limits)
        guard let made else { throw .outOfMemory }
        xpath = made
        self.limits = limits
    }

    /// The string value of `expression` at the document; nil where it selects nothing or is no number.
    ///
    /// For single values such as the address of the next page.
    package borrowing func text(at expression: String) throws(FormatFailure) -> [UInt8]? {
        xpath.allow(steps: limits.steps)
        let value = try unsafe xpath.value(of: xpath.compiled(expression), at: xpath.document)
        if value.isNodeSet, value.nodeCount == 0 { return nil }
        return value.isNumber ? value.number : value.text
    }

    /// The texts of all nodes that `expression` selects, in their order; of another value its string.
    ///
    /// For lists such as the keys of deleted records.
    package borrowing func texts(at expression: String) throws(FormatFailure) -> [[UInt8]] {
        xpath.allow(steps: limits.steps)
        let value = try unsafe xpath.value(of: xpath.compiled(expression), at: xpath.document)
        guard value.isNodeSet else { return [value.text] }
        value.sort()
        var texts: [[UInt8]] = []
        var bytes = 0
        for index in 0..<value.nodeCount {
            texts.append(value.text(ofNode: index))
            bytes += texts[index].count
            guard bytes <= RecordLimits().text.bytes else { throw .tooLarge(bytes: bytes) }
        }
        return texts
    }

    private static func prepared(_ text: ArraySlice<UInt8>, isHTML: Bool) -> ArraySlice<UInt8> {
        if !isHTML { return text.drop { ASCII.isSpace($0) } }
        guard text.contains(0) else { return text }
        // As browsers do; libxml2 would take a zero byte for the end.
        var whole: [UInt8] = []
        whole.reserveCapacity(text.count + 64)
        for byte in text {
            if byte == 0 {
                whole.append(contentsOf: UTF8.encodedReplacementCharacter)
            } else {
                whole.append(byte)
            }
        }
        return whole[...]
    }
}
