import CXML2
import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The corpus of XPath", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct XPathCorpusTests {
    @Test("selects what it says, refuses other functions, and opens nothing")
    func selects() throws {
        var documents: [String: [UInt8]] = [:]
        for line in try JSONLines("xpath/documents.jsonl").cases {
            documents[line.corpusName] = line.corpusInput
        }
        let refusals = LibXML.refusals.load(ordering: .relaxed)
        var right = 0
        var refused = 0
        for line in try JSONLines("xpath/cases.jsonl").cases {
            let item = try XPathCase(line)
            if line.text(of: line.member("extension_function")) == "true" {
                let failure = try #require(
                    XPath.check(item.expression, namespaces: item.namespaces), "\(item.name)")
                #expect(failure.message.contains("has no function"), "\(item.name)")
                refused += 1
                continue
            }
            let text = try #require(documents[item.document])
            let problem = item.problem(in: text)
            #expect(problem == nil, "\(item.name): \(problem ?? "")")
            if problem == nil { right += 1 }
        }
        print("xpath: \(right) cases right, \(refused) extension functions refused")
        #expect(right == 196 && refused == 11)
        #expect(LibXML.refusals.load(ordering: .relaxed) == refusals)
    }
}

/// A case of the corpus, its variables put in as the strings that they are.
private struct XPathCase {
    let name: String
    let document: String
    let context: String
    let expression: String
    let namespaces: [Namespace]
    private let line: JSONDocument

    init(_ line: JSONDocument) throws {
        self.line = line
        name = line.corpusName
        document = try #require(line.text(line.member("document")))
        context = try #require(line.text(line.member("context")))
        namespaces = line.members(of: try #require(line.member("namespaces"))).map {
            Namespace(prefix: line.text($0.name) ?? "?", uri: line.text($0.value) ?? "?")
        }
        var bytes = Array(try #require(line.text(line.member("expression"))).utf8)
        let variables = line.members(of: try #require(line.member("variables")))
        if variables.contains(where: { _ in true }) {
            let tokens = try XPathLexer.tokens(of: String(decoding: bytes, as: UTF8.self))
            for token in tokens.reversed() where token.kind == .variable {
                let value = variables.first { line.text($0.name) == String(token.text.dropFirst()) }
                let range = token.offset..<token.offset + token.text.utf8.count
                bytes.replaceSubrange(range, with: "'\(value.flatMap { line.text($0.value) } ?? "")'".utf8)
            }
        }
        expression = String(decoding: bytes, as: UTF8.self)
    }

    /// What differs from the expectation; nil for nothing.
    func problem(in text: [UInt8]) -> String? {
        guard let expected = line.member("expected") else { return "no expectation" }
        let failure = XPath.check(expression, namespaces: namespaces)
        if line.member("error", of: expected) != nil { return failure == nil ? "it was accepted" : nil }
        if let failure { return failure.message }
        do {
            let document = try MarkupDocument(parsing: text[...], as: .xml, namespaces: namespaces)
            return try problem(in: document, expected)
        } catch {
            return "\(error)"
        }
    }

    private func problem(in document: borrowing MarkupDocument, _ expected: JSONNode) throws -> String? {
        document.xpath.allow(steps: 1_000_000)
        let start = try unsafe document.xpath.value(
            of: document.xpath.compiled(context), at: document.xpath.document)
        guard let node = unsafe start.node(0) else { return "the context is nowhere" }
        let value = try unsafe document.xpath.value(of: document.xpath.compiled(expression), at: node)
        if let wanted = line.member("string", of: expected).flatMap({ line.text($0) }) {
            let found = String(decoding: value.text, as: UTF8.self)
            if found != wanted { return "\"\(found)\" instead of \"\(wanted)\"" }
        }
        if let wanted = line.int64(line.member("count", of: expected)), value.nodeCount != Int(wanted) {
            return "\(value.nodeCount) nodes instead of \(wanted)"
        }
        guard let values = line.member("first_node_values", of: expected) else { return nil }
        guard let first = unsafe value.node(0) else { return "no node" }
        for item in line.elements(of: values) {
            let text = line.text(line.member("expression", of: item)) ?? ""
            let found = try unsafe document.xpath.value(of: document.xpath.compiled(text), at: first)
            if String(decoding: found.text, as: UTF8.self) != line.text(line.member("string", of: item)) {
                return "\(text) is \(String(decoding: found.text, as: UTF8.self))"
            }
        }
        return nil
    }
}
