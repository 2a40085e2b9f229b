import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Requests that are not what they seem", .timeLimit(.minutes(1))) struct HostileRequestsTests {
    /// A request within which another one hides, for a reader who sees an end where there is none.
    private struct Case {
        let name: String
        /// The statuses that come back before the connection ends.
        let statuses: [Int]
        let bytes: [UInt8]

        init(_ name: String, _ statuses: [Int], _ text: String) {
            self.name = name
            self.statuses = statuses
            bytes = Array(text.utf8)
        }
    }

    private static let hidden =
        "POST /v1/feeds/shop/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: 2\r\n\r\n{}"

    private static func get(_ fields: String, _ rest: String = "") -> String {
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(rest)"
    }

    /// A wish whose body is `rest`, of a feed that is not there.
    private static func post(_ fields: String, _ rest: String = "") -> String {
        "POST /v1/feeds/nosuch/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "\(fields)\r\n\(rest)"
    }

    private static let chunked = "Transfer-Encoding: chunked\r\n"

    private static let lengths: [Case] =
        ["+5", "-1", "5,5", "0x5", "5 5", "", "1e1"].map {
            Case("Content-Length \($0)", [400], post("Content-Length: \($0)\r\n", "{}   " + hidden))
        } + [
            Case(
                "too large for a number", [413],
                post("Content-Length: 18446744073709551617\r\n", "{}" + hidden)),
            Case("folded", [400], post("Content-Length:\r\n 99\r\n", hidden)),
            Case("twice", [400], post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}" + hidden)),
            Case(
                "two that differ", [400], post("Content-Length: 2\r\nContent-Length: 99\r\n", "{}" + hidden)),
            // libmicrohttpd shows the value up to the NUL.
            Case("with NUL", [404], post("Content-Length: 2\0 5\r\n", "{}")),
            Case("beside chunks", [400], post("Content-Length: 2\r\n" + chunked, "0\r\n\r\n" + hidden)),
            Case("behind chunks", [400], post(chunked + "Content-Length: 2\r\n", "0\r\n\r\n" + hidden)),
            Case("of a GET", [200], get("Content-Length: \(hidden.utf8.count)\r\n", hidden)),
        ]

    private static let codings: [Case] =
        [
            "xchunked", "chunked, chunked", "identity", "gzip, chunked", "chunked;q=1", "\"chunked\"", "cow",
        ].map {
            Case("Transfer-Encoding \($0)", [400], post("Transfer-Encoding: \($0)\r\n", "0\r\n\r\n" + hidden))
        } + [
            Case("two of them", [400], post(chunked + chunked, "0\r\n\r\n" + hidden)),
            Case(
                "a folded one", [400], post("Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n", hidden)
            ),
            Case(
                "a space before the colon", [400],
                post("Transfer-Encoding : chunked\r\nContent-Length: 4\r\n", hidden)),
        ]

    private static let chunks: [Case] =
        [
            "0x2\r\n{}\r\n0\r\n\r\n", "+2\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n",
            " 2\r\n{}\r\n0\r\n\r\n",
            "2 \r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n",
            "g\r\n{}\r\n0\r\n\r\n",
            "\r\n{}\r\n0\r\n\r\n",
        ].map { Case("chunk \($0.debugDescription)", [400], post(chunked, $0 + hidden)) } + [
            // Too large for libmicrohttpd to count, which says so itself.
            Case(
                "chunk beyond 64 bits", [413], post(chunked, "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n" + hidden))
        ]

    // A name with a space, CR or NUL in a value, and NUL in the target pass libmicrohttpd 0.9.75. None of them moves the
    // end of a request, and a target is read up to the NUL.
    private static let heads: [Case] = [
        Case("a line without a colon", [400], get("nonsense\r\n")),
        Case("a line that begins with a space", [400], "GET /healthz HTTP/1.1\r\n Host: evil\r\n\r\n"),
        Case("a name with a space", [200], get("X Y: 1\r\n")),
        Case("NUL in a value", [200], get("X: a\0b\r\n")),
        Case("NUL in a name", [400], get("X\0: a\r\n")),
        Case("NUL in the target", [404], "GET /health\0z HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Case("CR in a value", [200], get("X: a\rHost: evil\r\n")),
        Case("no Host", [400], "GET /healthz HTTP/1.1\r\n\r\n"),
        Case("two Hosts", [403], get("Host: evil\r\n")),
        Case(
            "another Host in the target", [403], "GET http://evil/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        ),
        Case("a host and a port", [403], "GET /healthz HTTP/1.1\r\nHost: localhost:80\r\n\r\n"),
        Case("HTTP/2's first words", [505], "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("HTTP/0.9", [400], "GET /healthz\r\n\r\n"),
        Case("an unknown version", [505], "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n"),
        Case("TLS", [], "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\r\n\r\n"),
    ]

    @Test("what hides in them is never done, and one answer at most comes before the connection ends")
    func smuggled() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let cases = [
                HostileRequestsTests.lengths, HostileRequestsTests.codings, HostileRequestsTests.chunks,
                HostileRequestsTests.heads,
            ].joined()
            for item in cases {
                let bytes = item.bytes
                let statuses = await offPool { HostileRequestsTests.statuses(bytes, path) }
                #expect(statuses == item.statuses, "\(item.name)")
                #expect(rig.control.wishes == [], "\(item.name)")
            }
            print("\(cases.count) hostile requests")
            let answer = await rig.http.get("/healthz")
            #expect(answer?.status == 200)
        }
    }

    @Test("one that ends its lines with LF alone is one request, and its answer is its own")
    func bareLineFeeds() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let statuses = await offPool {
                HostileRequestsTests.statuses(
                    Array(
                        "GET /healthz HTTP/1.1\nHost: localhost\n\nGET /v1/nothing HTTP/1.1\nHost: localhost\n\n"
                            .utf8),
                    path)
            }
            #expect(statuses == [200, 404])
        }
    }

    @Test(
        "a method that no path has gets 405 and what would do",
        arguments: ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "BREW", "X-Y_Z.1"])
    func methods(_ method: String) async throws {
        try await Rig.with { rig in
            let answer = await rig.http.ask(method, "/v1/feeds", headers: [], body: nil)
            #expect(answer?.status == 405)
            #expect(answer?.headers.first("Allow") == "GET, HEAD")
            let body = try Body(answer)
            #expect(body["code"] == "method-not-allowed")
        }
    }

    @Test("HTTP/1.0 is answered, and the connection ends behind it")
    func old() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let (answer, isEnded) = await offPool { () -> (RawClient.Answer?, Bool) in
                let client = RawClient(path)
                return (client?.ask("GET /v1/feeds/shop HTTP/1.0\r\n\r\n"), client?.isEnded() ?? false)
            }
            #expect(answer?.status == 200 && isEnded)
        }
    }

    @Test("five hundred requests sent at once are answered one by one, in their order")
    func pipeline() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let wrong = await offPool { () -> Int in
                guard let client = RawClient(path) else { return -1 }
                let targets = (0..<500).map { $0 % 3 == 0 ? "/v1/feeds/shop" : "/v1/nothing/\($0)" }
                // A thread of its own writes, or both ends would wait for each other with full buffers.
                let writer = WriterThread {
                    client.say(targets.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
                }
                defer { writer?.join() }
                return targets.count { client.hear()?.status != ($0.hasSuffix("shop") ? 200 : 404) }
            }
            #expect(wrong == 0)
        }
    }

    struct Oversize: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let text: String
        var testDescription: String { name }
    }

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(
        "whatever is too large is refused, and never kept",
        arguments: [
            Oversize(
                name: "target", status: 414, text: "GET /\(long(8_200)) HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            Oversize(
                name: "query", status: 414,
                text: "GET /v1/feeds?\(long(8_200)) HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            Oversize(
                name: "method", status: 405, text: "\(long(3_000)) / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            Oversize(name: "field", status: 431, text: get("X: \(long(20_000))\r\n")),
            Oversize(name: "field's name", status: 431, text: get("\(long(20_000)): x\r\n")),
            Oversize(
                name: "number of fields", status: 431,
                text: get(String(repeating: "X: \(long(8))\r\n", count: 2_000))),
            Oversize(name: "target without end", status: 414, text: "GET /\(long(200_000))"),
            Oversize(name: "head without end", status: 431, text: "GET / HTTP/1.1\r\nX: \(long(200_000))"),
            Oversize(
                name: "chunk", status: 413,
                text: post(chunked, "200000\r\n" + long(2 * 1_024 * 1_024) + "\r\n0\r\n\r\n")),
        ])
    func oversize(_ item: Oversize) async throws {
        try await Rig.with { rig in
            let (path, bytes) = (rig.path, Array(item.text.utf8))
            let statuses = await offPool { HostileRequestsTests.statuses(bytes, path) }
            #expect(statuses == [item.status])
            let answer = await rig.http.get("/healthz")
            #expect(answer?.status == 200)
        }
    }

    @Test(
        "a client whose chunk never ends is let go when its time is over",
        arguments: ["2;" + long(60_000), "8000000000000000\r\n{}\r\n0\r\n\r\n" + hidden])
    func endlessChunk(_ chunk: String) async throws {
        try await Rig.with { rig in
            let path = rig.path
            let client = await offPool { () -> RawClient? in
                let client = RawClient(path)
                client?.say(HostileRequestsTests.post(HostileRequestsTests.chunked, chunk))
                return RawClient(path)?.get("/healthz")?.status == 200 ? client : nil
            }
            let slow = try #require(client)
            rig.time.advance(by: .seconds(31))
            let isEnded = await offPool { slow.isEnded() }
            #expect(isEnded && rig.control.wishes == [])
        }
    }

    /// Says `bytes` and nothing more, and returns what is answered until the connection ends.
    private static func statuses(_ bytes: [UInt8], _ path: String) -> [Int] {
        guard let client = RawClient(path) else { return [-1] }
        // The server may have hung up before it has read all of it.
        client.say(bytes)
        _ = shutdown(client.descriptor, Int32(SHUT_WR))
        var statuses: [Int] = []
        while let answer = client.hear() { statuses.append(answer.status) }
        return statuses
    }
}

/// Writes while a test reads.
private typealias WriterThread = ServerThread

extension ServerThread {
    fileprivate init?(_ body: @escaping @Sendable () -> Void) { self.init(name: "writer", body) }
}
