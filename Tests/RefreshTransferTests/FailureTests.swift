import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Failed transfers", .timeLimit(.minutes(1))) struct FailureTests {
    private let service: TransferService

    init() throws { service = try TransferService() }

    private static let wire = ByteCount(100_000)
    private static let small = limits {
        $0.wire = wire
        $0.decoded = ByteCount(200_000)
        $0.head = .kibibytes(8)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: UpstreamAnswer
        let failure: @Sendable (String) -> TransferFailure
        var testDescription: String { name }
    }

    private static let text = UpstreamAnswer(text: "0123456789")
    private static let packed = gzip([UInt8](repeating: 0, count: 10_000_000))
    private static let packedHead = [("Content-Encoding", "gzip")]

    static let cases = [
        Case(name: "closed without a word", answer: .nothing) { .cut(at: $0, received: 0) },
        Case(name: "cut within the head", answer: .raw("HTTP/1.1 200 OK\r\nX: 1")) {
            .cut(at: $0, received: 0)
        },
        Case(name: "cut within the body", answer: text.sent(.cut(after: 4))) { .cut(at: $0, received: 4) },
        Case(name: "cut before the body", answer: text.sent(.cut(after: 0))) { .cut(at: $0, received: 0) },
        Case(name: "cut within chunks", answer: text.framed(.chunked(size: 3)).sent(.cut(after: 4))) {
            .cut(at: $0, received: 4)
        },
        Case(name: "shorter than its length", answer: text.framed(.claiming(11))) {
            .cut(at: $0, received: 10)
        },
        Case(
            name: "no last chunk",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
        ) {
            .cut(at: $0, received: 2)
        },
        Case(name: "reset within the body", answer: text.framed(.claiming(99)).sent(.reset(after: 10))) {
            .reset(at: $0)
        },
        Case(name: "endless", answer: .endless()) { _ in .tooLarge(limit: wire) },
        Case(name: "announced too large", answer: text.framed(.claiming(100_001))) { _ in
            .tooLarge(limit: wire)
        },
        Case(name: "one byte too large", answer: UpstreamAnswer(body: [UInt8](repeating: 0, count: 100_001)))
        { _ in
            .tooLarge(limit: wire)
        },
        Case(name: "gzip bomb", answer: UpstreamAnswer(headers: packedHead, body: packed)) { _ in
            .tooLargeDecoded(limit: ByteCount(200_000))
        },
        Case(
            name: "gzip, cut and closed",
            answer: UpstreamAnswer(headers: packedHead, body: Array(packed.prefix(99))).framed(.untilClose)
        ) { _ in
            .badCoding(reason: "it ends too early")
        },
        Case(name: "brotli", answer: UpstreamAnswer(headers: [("Content-Encoding", "br")], text: "x")) { _ in
            .unsupportedCoding("br")
        },
        Case(name: "huge head", answer: .hugeHead(bytes: 20_000)) { _ in .headTooLarge(limit: .kibibytes(8))
        },
        Case(
            name: "huge line",
            answer: UpstreamAnswer(headers: [("X", String(repeating: "h", count: 500_000))])
        ) { _ in
            .headTooLarge(limit: .kibibytes(8))
        },
        Case(
            name: "head without end",
            answer: .raw([.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(Array("X: 1\r\n".utf8))])
        ) { _ in .headTooLarge(limit: .kibibytes(8)) },
    ]

    @Test("say what is wrong with the answer", arguments: cases)
    func fails(_ item: Case) async throws {
        let upstream = try ScriptedUpstream { _ in item.answer }
        let failure = await service.failure(of: try upstream.request("/?token=secret", limits: Self.small))
        #expect(failure == item.failure(upstream.url()))
    }

    @Test(
        "call it no HTTP where it is none",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ])
    func nonsense(_ text: String) async throws {
        let upstream = try ScriptedUpstream { _ in .raw(text) }
        let failure = await service.failure(of: try upstream.request())
        guard case .protocolError(upstream.url(), _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    // MARK: - Time

    @Test("come in time where the answer stalls", arguments: [0, 5])
    func stalls(after count: Int) async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(text: "0123456789").sent(.stall(after: count, until: nil))
        }
        let quick = limits { $0.stall = .milliseconds(80) }
        let failure = await service.failure(of: try upstream.request("/?q=1", limits: quick))
        #expect(failure == .stalled(at: upstream.url()))
        await upstream.departures(1)
    }

    @Test("come in time where nothing is said at all")
    func silence() async throws {
        let upstream = try ScriptedUpstream { _ in .silence() }
        let quick = limits { $0.stall = .milliseconds(80) }
        #expect(
            await service.failure(of: try upstream.request(limits: quick)) == .stalled(at: upstream.url()))
    }

    @Test("come in time where the answer drips for ever")
    func drips() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(body: [UInt8](repeating: 0, count: 10_000)).sent(.slow(size: 1, milliseconds: 5))
        }
        let slow = limits {
            $0.stall = .milliseconds(80)
            $0.stallRate = 10_000
        }
        #expect(await service.failure(of: try upstream.request(limits: slow)) == .stalled(at: upstream.url()))
        let patient = limits { $0.total = .milliseconds(100) }
        #expect(
            await service.failure(of: try upstream.request(limits: patient)) == .timeout(at: upstream.url()))
    }

    @Test("come in time where no connection is made")
    func connects() async throws {
        let deaf = try DeafListener()
        let url = try WebURL(parsing: "http://127.0.0.1:\(deaf.port)/")
        for (connect, total, failure) in [
            (100, 10_000, TransferFailure.connectTimeout(at: url.description)),
            (10_000, 100, .timeout(at: url.description)),
        ] {
            let quick = limits {
                $0.connect = .milliseconds(connect)
                $0.total = .milliseconds(total)
            }
            let request = TransferRequest(url: url, limits: quick, allowPrivate: true, userAgent: "t")
            #expect(await service.failure(of: request) == failure)
        }
    }

    // MARK: - Places

    @Test("name a host that refuses")
    func refused() async throws {
        let upstream = try ScriptedUpstream { _ in .nothing }
        let request = try upstream.request("/a?token=secret")
        upstream.stop()
        let failure = try #require(await service.failure(of: request))
        #expect(failure == .connectionRefused(at: upstream.url("/a")))
        #expect(failure.failure.class == .transient)
        #expect(failure.failure.code == "connection-refused")
        #expect(failure.failure.detail == "\(upstream.url("/a")) refuses the connection")
    }

    @Test("name a host that nobody knows")
    func resolves() async {
        // No resolver is asked for a label of more than 63 bytes.
        let host = String(repeating: "a", count: 70) + ".example"
        let url = WebURL(scheme: .http, host: host, port: nil, path: "/", query: nil)
        let failure = await service.failure(of: TransferRequest(url: url, userAgent: "t"))
        #expect(failure == .resolve(host: host))
    }

    @Test(
        "refuse inner addresses",
        arguments: ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost"])
    func inner(_ host: String) async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "inner") }
        let url = try WebURL(parsing: "http://\(host):\(upstream.port)/")
        let failure = await service.failure(of: TransferRequest(url: url, userAgent: "t"))
        guard case .addressRefused(_, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(upstream.connections == 0)
        #expect(failure?.failure.class == .config)
    }

    @Test("refuse a pooled connection that somebody with more rights opened")
    func pooled() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "inner") }
        _ = try await service.perform(upstream.request())
        let failure = await service.failure(of: try upstream.request(allowPrivate: false))
        #expect(failure == .addressRefused(host: "127.0.0.1", address: "127.0.0.1"))
        #expect(upstream.requests.count == 1)
    }

    @Test("name the trouble where TLS is expected and not spoken")
    func tls() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "plain") }
        let url = try WebURL(parsing: "https://127.0.0.1:\(upstream.port)/")
        let quick = limits { $0.total = .seconds(5) }
        let failure = await service.failure(
            of: TransferRequest(url: url, limits: quick, allowPrivate: true, userAgent: "t"))
        guard case .tls(url.description, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("do not let a bad request out")
    func badRequest() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer() }
        for request in [
            try upstream.request(headers: [("X-A", "1\r\nX-B: 2")]),
            TransferRequest(
                url: WebURL(
                    scheme: .http, host: "127.0.0.1", port: upstream.port, path: "/ a\r\n", query: nil),
                allowPrivate: true, userAgent: "t"),
        ] {
            guard case .badRequest? = await service.failure(of: request) else {
                Issue.record("the request was sent")
                return
            }
        }
        #expect(upstream.connections == 0)
    }
}
