import RefreshCore
import RefreshFormats

/// A value within an answer of the daemon. What is absent, null or of another type reads as nil.
struct AnswerValue {
    private let document: JSONDocument
    private let node: JSONNode

    /// A record may be as deep as a document of its upstream was; the daemon's own brackets stand around it.
    private static let depth = 256 + 16

    private init(_ document: JSONDocument, _ node: JSONNode) {
        self.document = document
        self.node = node
    }

    /// Nil where `body` is no JSON object.
    init?(parsing body: PaddedBytes) {
        guard let document = try? JSONDocument(parsing: body, depth: AnswerValue.depth),
            document.text(of: document.root).first == UInt8(ascii: "{")
        else { return nil }
        self.init(document, document.root)
    }

    subscript(_ name: String) -> AnswerValue? {
        guard let member = document.member(name, of: node) else { return nil }
        let found = AnswerValue(document, member)
        return found.text == "null" ? nil : found
    }

    var elements: [AnswerValue] { document.elements(of: node).map { AnswerValue(document, $0) } }
    var string: String? { document.text(node) }
    var int: Int? { document.int64(node).map { Int($0) } }
    var bool: Bool? { document.bool(node) }
    /// RFC 3339.
    var time: Timestamp? { string.flatMap { Timestamp(rfc3339: $0.utf8) } }
    var milliseconds: Duration? { int.map { .milliseconds($0) } }
    /// The JSON text itself.
    var text: String { String(decoding: document.text(of: node), as: UTF8.self) }
    /// A string's content; of any other value its JSON text.
    var words: String { string ?? text }
}
