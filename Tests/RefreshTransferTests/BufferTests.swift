import RefreshCore
import Synchronization
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("The pool of buffers", .timeLimit(.minutes(1))) struct BufferPoolTests {
    @Test("gives what there is, lets one exceed it, and the others wait in the order of asking")
    func order() async {
        let pool = BufferPool(limit: ByteCount(100))
        let first = pool.lease()
        #expect(first.grow(to: 80) { _ in })
        var second: BufferLease? = pool.lease()
        // Nobody exceeds the bound yet: this one may.
        #expect(second?.grow(to: 50) { _ in } == true)
        #expect(pool.used == 130)
        let calls = Mutex<[String]>([])
        let third = pool.lease()
        let fourth = pool.lease()
        #expect(!third.grow(to: 20) { isThere in calls.withLock { $0.append("third \(isThere)") } })
        #expect(!fourth.grow(to: 10) { isThere in calls.withLock { $0.append("fourth \(isThere)") } })
        #expect(second?.grow(to: 70) { _ in } == true)
        #expect(pool.used == 150 && calls.withLock { $0 } == [])
        second = nil
        #expect(calls.withLock { $0 } == ["third true", "fourth true"])
        #expect(pool.most == 150)
        _ = (first, third, fourth)
    }

    @Test("forgets who leaves, and lets nobody wait once it is closed")
    func leaves() async {
        let pool = BufferPool(limit: ByteCount(10))
        let holder = pool.lease()
        #expect(await holder.reserve(20))
        let waiting = Task { await pool.lease().reserve(20) }
        let cancelled = Task { await pool.lease().reserve(20) }
        cancelled.cancel()
        #expect(!(await cancelled.value))
        pool.close()
        #expect(!(await waiting.value))
        #expect(!(await pool.lease().reserve(20)))
        _ = holder
    }

    @Test("comes to rest whoever asks, leaves and shrinks, with everybody told once")
    func random() async {
        let pool = BufferPool(limit: ByteCount(1_000))
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let lease = pool.lease()
                    var held = 0
                    for step in 1...4 {
                        guard await lease.reserve(step * 60 + number % 7) else { return -1 }
                        held = step
                        if step == 3 { lease.shrink(to: 10) }
                    }
                    return held
                }
            }
            for await held in group { #expect(held == 4) }
        }
        #expect(pool.used == 0)
        #expect(pool.most <= 1_000 + 246)
    }
}

/// Real answers, all of which want more than there is.
@Suite("Answers that share the buffers", .timeLimit(.minutes(1))) struct BufferTests {
    // T-U1.
    @Test("come one after another where they do not fit together, and all of them whole")
    func share() async throws {
        let service = try TransferService(buffers: .mebibytes(1))
        let body = [UInt8](repeating: 0x61, count: 900_000)
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(body: body).framed(.chunked(size: 60_000)) }
        let request = try upstream.request()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { (try? await service.perform(request))?.body.count ?? -1 }
            }
            for await count in group { #expect(count == body.count) }
        }
        // The bound, the one answer that may exceed it, and what a step is rounded up to.
        #expect(service.buffers.most <= 1_048_576 + body.count + 262_144)
        #expect(await eventually { service.buffers.used == 0 })
    }

    @Test("are held by whoever reads them, until he lets go")
    func held() async throws {
        let service = try TransferService(buffers: .kibibytes(128))
        let body = [UInt8](repeating: 0x61, count: 200_000)
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(body: body) }
        let request = try upstream.request()
        var first: TransferAnswer? = try await service.perform(request)
        #expect(service.buffers.used >= body.count)
        let second = Task { try await service.perform(request).body.count }
        await upstream.received(2)
        _ = first?.body.count
        first = nil
        #expect(try await second.value == body.count)
    }

    @Test("end with their time where no room comes, by a fault of the daemon's and not of the upstream's")
    func noRoom() async throws {
        let service = try TransferService(buffers: .kibibytes(128))
        let body = [UInt8](repeating: 0x61, count: 400_000)
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(body: body) }
        let holder = try await service.perform(upstream.request())
        let hurried = try upstream.request(limits: limits { $0.total = .milliseconds(300) })
        let failure = await service.failure(of: hurried)
        #expect(failure == .noRoom)
        #expect(failure?.failure.class == .internal && failure?.failure.code == "no-room")
        #expect(holder.body.count == body.count)
    }

    @Test("that unpack are counted as they are unpacked, whatever they say of themselves")
    func unpacked() async throws {
        let service = try TransferService(buffers: .mebibytes(1))
        let text = [UInt8](repeating: 0x61, count: 3_000_000)
        let honest = gzip(text)
        // Two members: the last one says that all of it is small.
        let liar = honest + gzip("x")
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(
                headers: [("Content-Encoding", "gzip")], body: request.path == "/liar" ? liar : honest)
        }
        for (path, count) in [("/honest", text.count), ("/liar", text.count + 1)] {
            let answer = try await service.perform(upstream.request(path))
            #expect(answer.body.count == count)
            #expect(service.buffers.used >= count)
        }
        #expect(await eventually { service.buffers.used == 0 })
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let request = try? upstream.request(number % 2 == 0 ? "/honest" : "/liar")
                    guard let request else { return -1 }
                    return (try? await service.perform(request))?.body.count ?? -1
                }
            }
            for await count in group { #expect(count >= text.count) }
        }
        #expect(await eventually { service.buffers.used == 0 })
    }

    @Test("a new bound lets go on whoever waited")
    func raised() async throws {
        let service = try TransferService(buffers: .kibibytes(128))
        let body = [UInt8](repeating: 0x61, count: 400_000)
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(body: body) }
        let holder = try await service.perform(upstream.request())
        let request = try upstream.request()
        let waiting = Task { try await service.perform(request).body.count }
        await upstream.received(2)
        service.limitBuffers(.mebibytes(8))
        #expect(try await waiting.value == body.count)
        #expect(holder.body.count == body.count)
    }
}
