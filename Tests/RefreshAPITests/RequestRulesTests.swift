import Testing

@testable import RefreshAPI

@Suite("Rules for every request") struct RequestRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var fields: [String: [String]] = [:]
        var target = "/v1/feeds"
        var headLength = 100
        let code: String?
        var testDescription: String { name }
    }

    @Test(
        "what cannot be trusted is refused before it is read",
        arguments: [
            Case(name: "a plain request", fields: ["Host": ["localhost"]], code: nil),
            Case(name: "our own name", fields: ["Host": ["RefreshD"]], code: nil),
            Case(name: "an empty host", fields: ["host": [""]], code: nil),
            Case(name: "no host", code: nil),
            Case(name: "a host of the net", fields: ["Host": ["evil.test"]], code: "foreign-origin"),
            Case(name: "a port", fields: ["Host": ["localhost:80"]], code: "foreign-origin"),
            Case(name: "two hosts", fields: ["Host": ["localhost", "evil"]], code: "foreign-origin"),
            Case(
                name: "an authority of the net", target: "http://evil.test/v1/feeds", code: "foreign-origin"),
            Case(name: "a page's origin", fields: ["Origin": ["http://localhost"]], code: "foreign-origin"),
            Case(name: "a page's address", fields: ["Referer": ["http://x/"]], code: "foreign-origin"),
            Case(name: "two lengths", fields: ["Content-Length": ["1", "1"]], code: "ambiguous-length"),
            Case(name: "a list of lengths", fields: ["Content-Length": ["1, 1"]], code: "ambiguous-length"),
            Case(name: "a signed length", fields: ["Content-Length": ["+1"]], code: "ambiguous-length"),
            Case(
                name: "a length beside chunks",
                fields: ["content-length": ["1"], "Transfer-Encoding": ["chunked"]], code: "ambiguous-length"),
            Case(name: "chunks", fields: ["Transfer-Encoding": ["Chunked"]], code: nil),
            Case(name: "another coding", fields: ["Transfer-Encoding": ["gzip"]], code: "ambiguous-length"),
            Case(
                name: "two codings", fields: ["Transfer-Encoding": ["chunked", "chunked"]],
                code: "ambiguous-length"),
            Case(name: "the longest body", fields: ["Content-Length": ["1048576"]], code: nil),
            Case(name: "a longer body", fields: ["Content-Length": ["1048577"]], code: "body-too-large"),
            Case(
                name: "a body beyond counting", fields: ["Content-Length": ["99999999999999999999"]],
                code: "body-too-large"),
            Case(name: "a long head", headLength: 16_385, code: "head-too-large"),
            Case(
                name: "a long target", target: "/" + String(repeating: "a", count: 8_192),
                code: "uri-too-long"),
            Case(name: "a broken target", target: "/%", code: "bad-target"),
            Case(name: "a POST without a type", method: "POST", code: "unsupported-media-type"),
            Case(
                name: "a form", method: "POST",
                fields: ["Content-Type": ["application/x-www-form-urlencoded"]],
                code: "unsupported-media-type"),
            Case(
                name: "JSON with a charset", method: "POST",
                fields: ["Content-Type": ["Application/JSON; charset=utf-8"]], code: nil),
        ])
    func refusal(_ item: Case) {
        var head = RequestHead()
        for (name, values) in item.fields {
            for value in values { head.add(name: Array(name.utf8).span, value: Array(value.utf8).span) }
        }
        let raw = Array(item.target.utf8)
        let refusal = RequestRules.refusal(
            target: try? RequestTarget(raw), targetLength: raw.count, headLength: item.headLength, head: head)
        let ofBody = item.method == "POST" ? RequestRules.refusal(ofBody: head) : nil
        #expect((refusal ?? ofBody)?.code.rawValue == item.code)
    }
}
