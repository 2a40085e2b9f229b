import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Transfers", .timeLimit(.minutes(1))) struct TransferTests {
    private let service: TransferService

    init() throws { service = try TransferService() }

    // MARK: - Requests

    @Test("send the request as given, and nothing of their own accord")
    func sends() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        _ = try await service.perform(
            upstream.request("/a/../b?c=%20d", headers: [("X-Key", "k"), ("Accept", "a/b")]))
        let request = try #require(upstream.requests.first)
        #expect(request.method == "GET")
        #expect(
            request.headers
                == HTTPHeaders([
                    ("Host", "127.0.0.1:\(upstream.port)"), ("X-Key", "k"), ("Accept", "a/b"),
                    ("User-Agent", "refreshd/test"), ("Accept-Encoding", "gzip"),
                ]))
        #expect(request.target == (try upstream.request("/a/../b?c=%20d").url.requestTarget))
    }

    @Test("echo validators byte for byte and tell what a 304 carried")
    func echoes() async throws {
        let etag = "W/\"a  b\\'é,\u{65}\u{301}\""
        let modified = "sometime  in 1999"
        let upstream = try ScriptedUpstream { request in
            .document(Array("{}".utf8), etag: etag, lastModified: modified, to: request)
        }
        let first = try await service.perform(upstream.request())
        let stored = Validators(replacingWith: first.headers)
        #expect(first.status == 200)
        let second = try await service.perform(upstream.request(validators: stored))
        #expect(second.status == 304)
        #expect(second.body.count == 0)
        #expect(Array((second.headers.first("etag") ?? "").utf8) == Array(etag.utf8))
        let sent = try #require(upstream.requests.last)
        #expect(Array((sent.header("if-none-match") ?? "").utf8) == Array(etag.utf8))
        #expect(sent.header("if-modified-since") == modified)
        #expect(stored.merged(with: second.headers) == stored)
    }

    @Test("ignore the body of a 304, and the next answer is not taken from it")
    func ignoresBody() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1
                ? .raw("HTTP/1.1 304 No\r\nETag: \"2\"\r\nContent-Length: 6\r\n\r\nlitter")
                : UpstreamAnswer(text: "second")
        }
        let first = try await service.perform(upstream.request(validators: Validators(etag: "\"1\"")))
        #expect(first.status == 304 && first.body.count == 0)
        #expect(first.headers.first("etag") == "\"2\"")
        #expect(try await service.perform(upstream.request()).text == "second")
    }

    @Test("send a body without asking for leave first")
    func posts() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(status: 202) }
        let body = Array(repeating: UInt8(0), count: 2_000_000)
        #expect(try await service.perform(upstream.request(method: "POST", body: body)).status == 202)
        let request = try #require(upstream.requests.first)
        #expect(request.method == "POST" && request.body == body)
        #expect(request.header("expect") == nil && request.header("content-type") == nil)
        _ = try await service.perform(upstream.request(method: "POST", body: []))
        _ = try await service.perform(upstream.request(method: "DELETE"))
        #expect(upstream.requests.map(\.method) == ["POST", "POST", "DELETE"])
        #expect(upstream.requests.map(\.body.count) == [2_000_000, 0, 0])
        #expect(upstream.connections == 1)
    }

    @Test("know that the answer to HEAD has no body")
    func heads() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Length", "999999999999")])
        }
        let answer = try await service.perform(upstream.request(method: "HEAD"))
        #expect(answer.status == 200 && answer.body.count == 0)
    }

    // MARK: - Answers

    @Test(
        "bring the whole body however it is framed",
        arguments: [
            UpstreamAnswer.Framing.length, .chunked(size: 7), .chunked(size: 100_000), .untilClose,
        ])
    func framings(_ framing: UpstreamAnswer.Framing) async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) | 0x80 }
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(body: body).framed(framing) }
        let answer = try await service.perform(upstream.request())
        #expect(answer.body.content == body[...])
        #expect(answer.body.storage.count == body.count + PaddedBytes.padding)
        #expect(answer.wireBytes == body.count)
        #expect(answer.effectiveURL.description == upstream.url())
        #expect(answer.permanentTarget == nil)
        #expect(answer.duration > .zero)
    }

    @Test("bring a body that comes in drops")
    func drips() async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(text: "drops").sent(.drip(size: 1, on: gate))
        }
        let request = try upstream.request()
        async let answer = service.perform(request)
        for drop in 1...5 {
            await gate.arrivals(drop)
            gate.step()
        }
        #expect(try await answer.text == "drops")
    }

    @Test("undo gzip and count the bytes of the wire")
    func unpacks() async throws {
        let packed = gzip(String(repeating: "refresh ", count: 50_000))
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Encoding", "gzip")], body: packed).framed(.chunked(size: 99))
        }
        let answer = try await service.perform(upstream.request())
        #expect(answer.body.count == 400_000)
        #expect(answer.wireBytes == packed.count)
    }

    @Test("leave interim answers and trailers out")
    func interim() async throws {
        let upstream = try ScriptedUpstream { _ in
            .raw(
                "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\nHTTP/1.1 200 OK\r\nETag: \"1\"\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nETag: \"late\"\r\n\r\n")
        }
        let answer = try await service.perform(upstream.request())
        #expect(answer.status == 200 && answer.text == "{}")
        #expect(answer.headers.all("etag") == ["\"1\""])
    }

    @Test(
        "say the status of a refusal whatever is wrong with its body",
        arguments: [
            UpstreamAnswer(status: 503, headers: [("Retry-After", "7")], text: "wait").sent(.cut(after: 2)),
            UpstreamAnswer(
                status: 503, headers: [("Retry-After", "7"), ("Content-Encoding", "br")], text: "wait"),
            UpstreamAnswer(
                status: 503, headers: [("Retry-After", "7")], body: [UInt8](repeating: 0, count: 65_536)
            )
            .framed(.chunked(size: 65_536)).sent(.endless),
        ])
    func refusals(_ answer: UpstreamAnswer) async throws {
        let upstream = try ScriptedUpstream { _ in answer }
        let answer = try await service.perform(upstream.request())
        #expect(answer.status == 503)
        #expect(answer.headers.first("retry-after") == "7")
        #expect(answer.body.count <= 65_536)
    }
}
