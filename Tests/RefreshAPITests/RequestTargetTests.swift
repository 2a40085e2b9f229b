import Testing

@testable import RefreshAPI

@Suite("Request targets") struct RequestTargetTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let raw: String
        let segments: [String]
        var parameters: [String] = []
        var testDescription: String { raw }
    }

    @Test(
        "segments and parameters are split before they are decoded",
        arguments: [
            Case(raw: "/", segments: []),
            Case(raw: "/v1/feeds", segments: ["v1", "feeds"]),
            Case(raw: "/a%2Fb/c%3Fd", segments: ["a/b", "c?d"]),
            Case(raw: "/a+b", segments: ["a+b"]),
            Case(raw: "/v1//feeds/", segments: ["v1", "", "feeds", ""]),
            Case(raw: "/?a=1&a=2&b", segments: [], parameters: ["a=1", "a=2", "b="]),
            Case(raw: "/x?k=a%26b%3Dc&q=1+2%2B3", segments: ["x"], parameters: ["k=a&b=c", "q=1 2+3"]),
            Case(raw: "/x?", segments: ["x"]),
            Case(raw: "/x?a=b?c", segments: ["x"], parameters: ["a=b?c"]),
            Case(
                raw: "http://localhost/v1/feeds?limit=1", segments: ["v1", "feeds"], parameters: ["limit=1"]),
        ])
    func splits(_ item: Case) throws {
        let target = try RequestTarget(Array(item.raw.utf8))
        #expect(target.segments.map { String(decoding: $0, as: UTF8.self) } == item.segments)
        let parameters = target.parameters.map {
            "\(String(decoding: $0.name, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))"
        }
        #expect(parameters == item.parameters)
    }

    @Test(
        "what is no path is refused",
        arguments: ["", "*", "v1", "/%", "/%2", "/%zz", "/a?b=%f", "/a?%=1", "https://x/", "http://x", "x:/"])
    func refuses(_ raw: String) {
        #expect(throws: RequestTarget.Failure.self) { try RequestTarget(Array(raw.utf8)) }
    }
}
