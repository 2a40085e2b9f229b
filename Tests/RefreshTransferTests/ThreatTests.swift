import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

/// Upstreams that mean harm, each with the bound that holds and what was measured against it.
@Suite("Threats", .timeLimit(.minutes(1))) struct ThreatTests {
    private let service: TransferService

    init() throws { service = try TransferService(buffers: .mebibytes(1)) }

    private func measured(_ name: String, _ work: () async throws -> String) async rethrows -> Duration {
        let start = ContinuousClock.now
        let said = try await work()
        let took = ContinuousClock.now - start
        print("threat \(name): \(said), \(took)")
        return took
    }

    @Test("T-U1: a body without end is cut at its limit, and the connection with it")
    func endless() async throws {
        let upstream = try ScriptedUpstream { _ in .endless() }
        let request = try upstream.request(limits: limits { $0.wire = .mebibytes(4) })
        _ = await measured("T-U1, endless body") {
            #expect(await service.failure(of: request) == .tooLarge(limit: .mebibytes(4)))
            return "at most \(service.buffers.most) bytes held"
        }
        await upstream.departures(1)
        #expect(service.buffers.most <= 4 * 1_048_576)
        #expect(await eventually { service.buffers.used == 0 })
    }

    @Test("T-U1: many of them together hold no more than the bound and one of them")
    func manyEndless() async throws {
        let upstream = try ScriptedUpstream { _ in .endless() }
        let request = try upstream.request(limits: limits { $0.wire = .mebibytes(4) })
        _ = await measured("T-U1, twelve endless bodies") {
            await withTaskGroup(of: TransferFailure?.self) { group in
                for _ in 0..<12 { group.addTask { await service.failure(of: request) } }
                for await failure in group { #expect(failure == .tooLarge(limit: .mebibytes(4))) }
            }
            return "at most \(service.buffers.most) bytes held"
        }
        #expect(service.buffers.most <= 5 * 1_048_576 + 262_144)
        await upstream.departures(12)
    }

    @Test("T-U2: ten gigabytes in ten megabytes of gzip stop at the limit of what is unpacked")
    func bomb() async throws {
        let member = gzip([UInt8](repeating: 0, count: 10_000_000))
        var body: [UInt8] = []
        for _ in 0..<1_000 { body += member }
        let bomb = body
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Encoding", "gzip")], body: bomb)
        }
        let request = try upstream.request(
            limits: limits {
                $0.wire = .mebibytes(32)
                $0.decoded = .mebibytes(16)
            })
        _ = await measured("T-U2, \(bomb.count) bytes of gzip") {
            #expect(await service.failure(of: request) == .tooLargeDecoded(limit: .mebibytes(16)))
            return "at most \(service.buffers.most) bytes held"
        }
        #expect(service.buffers.most <= bomb.count + 16 * 1_048_576)
        #expect(await eventually { service.buffers.used == 0 })
    }

    @Test("T-U2: a refusal that unpacks to much is not read to its end")
    func bombInRefusal() async throws {
        let bomb = gzip([UInt8](repeating: 0, count: 30_000_000))
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(status: 500, headers: [("Content-Encoding", "gzip")], body: bomb)
        }
        let answer = try await service.perform(upstream.request())
        #expect(answer.status == 500 && answer.body.count <= 1_048_576)
    }

    @Test("T-U3: a byte now and then, in the head or in the body, ends in time, and nobody else waits for it")
    func drip() async throws {
        let head = UpstreamAnswer.raw(
            [.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8))]
                + (0..<600).flatMap { _ in
                    [UpstreamAnswer.Step.pause(milliseconds: 100), .send(Array("x".utf8))]
                })
        let body = UpstreamAnswer(text: String(repeating: "x", count: 600)).sent(
            .slow(size: 1, milliseconds: 100))
        let upstream = try ScriptedUpstream { request in
            switch request.path {
            case "/head": head
            case "/body": body
            default: UpstreamAnswer(text: "{}")
            }
        }
        let limits = limits {
            $0.stall = .milliseconds(500)
            $0.stallRate = 100
        }
        let slow = try ["/head", "/body"].map { try upstream.request($0, limits: limits) }
        let tasks = slow.map { request in Task { await service.failure(of: request) } }
        await upstream.received(2)
        var others = 0
        let took = await measured("T-U3, drips") {
            for task in tasks {
                while others < 20, let request = try? upstream.request("/other") {
                    if await service.failure(of: request) == nil { others += 1 }
                }
                let failure = await task.value
                if case .stalled? = failure {} else { Issue.record("\(String(describing: failure))") }
            }
            return "\(others) other requests meanwhile"
        }
        #expect(others == 20)
        #expect(took < .seconds(30))
    }

    @Test("T-U3: a head without end is cut at its limit")
    func endlessHead() async throws {
        let line = Array("X-More: \(String(repeating: "h", count: 1_000))\r\n".utf8)
        let upstream = try ScriptedUpstream { _ in
            .raw([.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(line)])
        }
        let request = try upstream.request()
        _ = await measured("T-U3, endless head") {
            let failure = await service.failure(of: request)
            #expect(failure == .headTooLarge(limit: request.limits.head))
            return "limit \(request.limits.head.bytes) bytes"
        }
        await upstream.departures(1)
    }

    @Test(
        "T-U4: a redirect leads to http and https alone, and asks nobody else",
        arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "dict://127.0.0.1/"])
    func schemes(target: String) async throws {
        let upstream = try ScriptedUpstream { _ in .redirect(to: target) }
        let failure = await service.failure(of: try upstream.request())
        guard case .redirectRefused? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(upstream.requests.count == 1)
    }

    @Test("T-U4: a chain of redirects ends at its limit, in requests")
    func chain() async throws {
        let upstream = try ScriptedUpstream { .redirect(to: "/\($0.order)") }
        let failure = await service.failure(of: try upstream.request(limits: limits { $0.hops = 10 }))
        #expect(failure == .tooManyRedirects(limit: 10))
        #expect(upstream.requests.count == 11)
    }

    @Test("T-U16: an answer from the far future, or a pause of thirty years, moves nothing beyond its clamp")
    func farFuture() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                status: 429,
                headers: [
                    ("Retry-After", "1000000000"), ("Date", "Fri, 31 Dec 9999 23:59:59 GMT"),
                    ("Expires", "Fri, 31 Dec 9999 23:59:59 GMT"),
                ])
        }
        let now = ManualTime().now().wall
        let answer = try await service.perform(upstream.request())
        let wait = try #require(
            answer.headers.first("retry-after").flatMap { RetryAfter.parse($0, now: now) })
        var origin = OriginProgress()
        let until = origin.asked(wait, at: now)
        print("threat T-U16: Retry-After 1000000000 holds for \(until - now)")
        #expect(until == now + .seconds(7 * 86_400))
        for digits in ["99999999999999999999999999", "-5", "1e9", "Fri, 31 Dec 9999 23:59:59 GMT"] {
            let wait = RetryAfter.parse(digits, now: now)
            var origin = OriginProgress()
            #expect(origin.asked(wait, at: now) <= now + .seconds(7 * 86_400), "\(digits)")
        }
        var schedule = Schedule(every: .seconds(300))
        schedule.jitter = 0
        var progress = FeedProgress()
        progress.httpHint = HTTPFreshness(answer.headers, now: now)
        let due = DueTime.afterSuccess(
            FetchPolicy(schedule: schedule), progress, start: now, done: now, chance: 0)
        let next = try #require(due).at
        print("threat T-U16: Expires in 9999 puts the next pass off by \(next - now)")
        #expect(next <= now + .seconds(86_400))
    }
}
