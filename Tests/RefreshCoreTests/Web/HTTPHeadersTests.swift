import RefreshCore
import Testing

@Suite("Header fields") struct HTTPHeadersTests {
    private let headers = HTTPHeaders([("ETag", "\"a\""), ("Link", "<1>"), ("link", "<2>"), ("X-Empty", "")])

    @Test("are found by name without case")
    func found() {
        #expect(headers.first("etag") == "\"a\"")
        #expect(headers.first("LINK") == "<1>")
        #expect(headers.all("Link") == ["<1>", "<2>"])
        #expect(headers.first("x-empty") == "")
    }

    @Test("that are absent are absent")
    func absent() {
        #expect(headers.first("eta") == nil)
        #expect(headers.first("etags") == nil)
        #expect(headers.all("age").isEmpty)
    }

    @Test("keep order and spelling")
    func order() {
        var headers = headers
        headers.append("A-First", "1")
        #expect(headers.fields.map(\.name) == ["ETag", "Link", "link", "X-Empty", "A-First"])
    }
}

@Suite("Validators") struct ValidatorsTests {
    private let stored = Validators(etag: "W/\"1\"", lastModified: "Mon, 01 Jan 2024 00:00:00 +0000")

    @Test("of a 200 are the answer's own, byte for byte, and no others")
    func replaced() {
        let answer = HTTPHeaders([("etag", "W/\"2\" ")])
        #expect(Validators(replacingWith: answer) == Validators(etag: "W/\"2\" ", lastModified: nil))
        #expect(Validators(replacingWith: HTTPHeaders()).isEmpty)
    }

    @Test("of a 304 are updated where it says so and kept elsewhere")
    func merged() {
        let answer = HTTPHeaders([("ETag", "\"3\"")])
        #expect(stored.merged(with: answer) == Validators(etag: "\"3\"", lastModified: stored.lastModified))
        #expect(stored.merged(with: HTTPHeaders()) == stored)
        let dated = HTTPHeaders([("Last-Modified", "0")])
        #expect(stored.merged(with: dated) == Validators(etag: stored.etag, lastModified: "0"))
    }

    @Test("are empty only without both")
    func isEmpty() {
        #expect(Validators().isEmpty)
        #expect(!Validators(etag: "").isEmpty)
        #expect(!Validators(lastModified: "x").isEmpty)
    }
}
