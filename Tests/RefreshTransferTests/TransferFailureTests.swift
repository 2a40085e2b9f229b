import Glibc
import RefreshCore
import Testing

@testable import RefreshTransfer

@Suite("Transfer failures as a feed keeps them") struct TransferFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let failure: TransferFailure
        let kind: RefreshFailure.Class
        let code: String
        var detail: String?
        var testDescription: String { code }
    }

    static let place = "https://a.example/feed"

    static let cases = [
        Case(failure: .resolve(host: "a.example"), kind: .transient, code: "dns-failed"),
        Case(failure: .connectionRefused(at: place), kind: .transient, code: "connection-refused"),
        Case(
            failure: .noRoute(at: place), kind: .offline, code: "no-route",
            detail: "this host has no network that leads to https://a.example/feed"),
        Case(
            failure: .proxy("http://p:1", reason: "r"), kind: .transient, code: "proxy-failed",
            detail: "the proxy http://p:1 makes no connection: r"),
        Case(failure: .unreachable(at: place, reason: "r"), kind: .transient, code: "unreachable"),
        Case(failure: .connectTimeout(at: place), kind: .transient, code: "connect-timeout"),
        Case(failure: .stalled(at: place), kind: .transient, code: "stalled"),
        Case(failure: .timeout(at: place), kind: .transient, code: "timeout"),
        Case(failure: .tls(at: place, reason: "r"), kind: .transient, code: "tls-failed"),
        Case(failure: .reset(at: place), kind: .transient, code: "connection-reset"),
        Case(
            failure: .cut(at: place, received: 0), kind: .transient, code: "body-cut",
            detail: "https://a.example/feed closed the connection without a whole answer"),
        Case(
            failure: .cut(at: place, received: 7), kind: .transient, code: "body-cut",
            detail: "https://a.example/feed cut its answer short after 7 bytes"),
        Case(failure: .tooLarge(limit: ByteCount(9)), kind: .data, code: "body-too-large"),
        Case(failure: .tooLargeDecoded(limit: ByteCount(9)), kind: .data, code: "body-too-large"),
        Case(failure: .headTooLarge(limit: ByteCount(9)), kind: .data, code: "head-too-large"),
        Case(failure: .tooManyRedirects(limit: 3), kind: .loop, code: "too-many-redirects"),
        Case(failure: .redirectRefused(reason: "r"), kind: .upstream, code: "redirect-refused"),
        Case(failure: .redirectLoop(at: place), kind: .loop, code: "redirect-loop"),
        Case(
            failure: .addressRefused(host: "a.example", address: "10.0.0.1"), kind: .config,
            code: "address-refused",
            detail:
                "a.example is at 10.0.0.1, which is not a public address; \"allow_private: true\" permits it"),
        Case(failure: .unsupportedCoding("br"), kind: .data, code: "unsupported-coding"),
        Case(failure: .badCoding(reason: "r"), kind: .data, code: "bad-coding"),
        Case(failure: .protocolError(at: place, reason: "r"), kind: .data, code: "protocol-error"),
        Case(failure: .badRequest(reason: "r"), kind: .config, code: "bad-request"),
        Case(failure: .cancelled, kind: .internal, code: "cancelled"),
        Case(failure: .stopped, kind: .internal, code: "stopped"),
        Case(failure: .internal("r"), kind: .internal, code: "internal", detail: "r"),
    ]

    @Test("have a class and a stable code", arguments: cases)
    func converts(_ item: Case) {
        let failure = item.failure.failure
        #expect(failure.class == item.kind)
        #expect(failure.code == item.code)
        #expect(!failure.detail.isEmpty)
        if let detail = item.detail { #expect(failure.detail == detail) }
        #expect(failure.status == nil && failure.retryAfter == nil)
    }

    @Test("name a place without its query")
    func namesPlace() throws {
        #expect(try WebURL(parsing: "https://a.example/feed?key=secret").place == Self.place)
    }

    @Test(
        "count time in whole milliseconds, of which 0 would mean no limit",
        arguments: [
            (Duration.zero, 1), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2),
            (.seconds(60), 60_000), (.seconds(1 << 40), 2_000_000_000), (.seconds(-5), 1),
        ])
    func milliseconds(_ duration: Duration, _ count: Int) { #expect(duration.wholeMilliseconds == count) }

    // Policy 2.3 has other delays for a host without a network than for an upstream that is down.
    @Test(
        "tell this host's trouble from the other side's",
        arguments: [
            (ENETUNREACH, TransferFailure.noRoute(at: place)), (ENETDOWN, .noRoute(at: place)),
            (EADDRNOTAVAIL, .noRoute(at: place)), (EHOSTUNREACH, .unreachable(at: place, reason: "r")),
            (ETIMEDOUT, .unreachable(at: place, reason: "r")), (ECONNREFUSED, .connectionRefused(at: place)),
        ])
    func connects(_ code: Int32, _ failure: TransferFailure) throws {
        let request = TransferRequest(url: try WebURL(parsing: Self.place), userAgent: "t")
        let room = BufferRoom(pool: BufferPool(limit: .mebibytes(1))) {}
        let reception = Reception(try Hop(request, RedirectPolicy(request), remaining: .seconds(1)), room)
        #expect(reception.unconnected(code, "r") == failure)
    }

    @Test("do not choose between a Unix socket and a proxy")
    func socketAndProxy() throws {
        var request = TransferRequest(
            url: try WebURL(parsing: Self.place), userAgent: "t", unixSocket: "/run/s")
        request.proxy = try ProxySettings(parsing: "http://p.example:1")
        #expect(throws: TransferFailure.self) {
            try Hop(request, RedirectPolicy(request), remaining: .seconds(1))
        }
    }
}
