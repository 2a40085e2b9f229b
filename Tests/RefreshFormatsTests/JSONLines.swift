import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

/// The cases of a corpus: one JSON text a line, read by the reader under test.
struct JSONLines {
    let cases: [JSONDocument]

    init(_ name: String) throws {
        let path = try #require(Corpora.path(name))
        let bytes = try #require(readFile(path))
        cases = try bytes.split(separator: 0x0A).map { try JSONDocument(parsing: PaddedBytes(Array($0))) }
    }
}

extension JSONDocument {
    init(_ text: String) throws(FormatFailure) { try self.init(parsing: PaddedBytes(text)) }

    func member(_ name: String) -> JSONNode? { member(name, of: root) }

    /// The value without white space and with strings decoded, to compare by.
    func canonical(_ node: JSONNode) -> String {
        switch node.kind {
        case .object:
            let members = members(of: node).map { "\(canonical($0.name)):\(canonical($0.value))" }
            return "{\(members.sorted().joined(separator: ","))}"
        case .array: return "[\(elements(of: node).map { canonical($0) }.joined(separator: ","))]"
        case .string:
            var text = JSONText()
            text.string(string(of: node) ?? Array("half a pair: ".utf8) + self.text(of: node))
            return text.text
        default: return String(decoding: text(of: node), as: UTF8.self)
        }
    }
}

/// A short spelling of paths: names and indexes, `*` for all.
func path(_ segments: String...) -> JSONPath {
    JSONPath(
        segments.map { segment in
            if segment == "*" { return .wildcard }
            return Int(segment).map { .index($0) } ?? .name(Array(segment.utf8))
        })
}
