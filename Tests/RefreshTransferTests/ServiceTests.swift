import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("The transfer service", .timeLimit(.minutes(1))) struct ServiceTests {
    @Test("uses a connection again")
    func reuses() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        for _ in 0..<20 { _ = try await service.perform(upstream.request()) }
        #expect(upstream.requests.count == 20)
        #expect(upstream.connections == 1)
    }

    @Test("does not mind that a server has closed the connection that it kept")
    func outlivesConnections() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}").framed(.claiming(2)) }
        for count in 1...5 {
            #expect(try await service.perform(upstream.request()).text == "{}")
            #expect(upstream.connections == count)
        }
    }

    @Test("takes nothing of what stands behind one answer for the next")
    func excess() async throws {
        let service = try TransferService()
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            request.order == 1
                ? .raw([
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n".utf8)),
                    .send(Array("Content-Length: 4\r\n\r\nevil".utf8)), .wait(gate),
                ]) : UpstreamAnswer(text: "good")
        }
        #expect(try await service.perform(upstream.request()).text == "{}")
        #expect(try await service.perform(upstream.request()).text == "good")
        gate.open()
    }

    @Test("performs a hundred requests at once")
    func parallel() async throws {
        let service = try TransferService()
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(text: request.target).sent(.stall(after: 1, until: gate))
        }
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                let request = try upstream.request("/\(number)")
                group.addTask { try await service.perform(request).text }
            }
            // All hundred are under way before the first may end.
            await gate.arrivals(100)
            gate.open()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == Set((0..<100).map { "/\($0)" }))
    }

    @Test("lets no stall hold up another transfer")
    func independent() async throws {
        let service = try TransferService(concurrency: 2)
        let gate = UpstreamGate()
        let slow = try ScriptedUpstream { _ in
            UpstreamAnswer(text: "slow").sent(.stall(after: 2, until: gate))
        }
        let quick = try ScriptedUpstream { _ in UpstreamAnswer(text: "quick") }
        let request = try slow.request()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<30 { group.addTask { try await service.perform(request).text } }
            await gate.arrivals(30)
            for _ in 0..<30 { #expect(try await service.perform(quick.request()).text == "quick") }
            gate.open()
            for try await text in group { #expect(text == "slow") }
        }
    }

    @Test("forgets a transfer whose task is cancelled")
    func cancels() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { _ in .silence() }
        let request = try upstream.request()
        let task = Task { await service.failure(of: request) }
        await upstream.received(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        // The connection goes with it: its answer is still to come.
        await upstream.departures(1)
    }

    @Test("asks nobody for a task that is cancelled already")
    func cancelledEarly() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer() }
        let request = try upstream.request()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await service.failure(of: request)
        }
        #expect(await task.value == .cancelled)
        #expect(upstream.connections == 0)
    }

    @Test("stops in the middle of a stall and takes nothing more")
    func stops() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(text: "slow").sent(.stall(after: 1, until: nil))
        }
        let deaf = try DeafListener()
        let stalled = try upstream.request()
        let connecting = TransferRequest(
            url: try WebURL(parsing: "http://127.0.0.1:\(deaf.port)/"), allowPrivate: true, userAgent: "t")
        let tasks = [stalled, stalled, connecting].map { request in
            Task { await service.failure(of: request) }
        }
        await upstream.received(2)
        service.stop()
        for task in tasks { #expect(await task.value == .stopped) }
        await upstream.departures(2)
        service.stop()
        #expect(await service.failure(of: stalled) == .stopped)
        #expect(upstream.requests.count == 2)
    }

    @Test("answers everybody once while it is being stopped and cancelled")
    func races() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        let request = try upstream.request()
        for round in 0..<20 {
            let service = try TransferService()
            let tasks = (0..<20).map { _ in Task { await service.failure(of: request) } }
            for task in tasks.prefix(round) { task.cancel() }
            service.stop()
            for task in tasks {
                let failure = await task.value
                #expect(failure == nil || failure == .stopped || failure == .cancelled)
            }
        }
    }

    @Test("speaks over a Unix socket without leave for private addresses")
    func unixSocket() async throws {
        let service = try TransferService()
        let folder = TemporaryFolder()
        let upstream = try ScriptedUpstream(unixSocket: folder.path("s")) { request in
            request.path == "/away"
                ? .redirect(to: "http://other.example/") : UpstreamAnswer(text: request.header("host") ?? "")
        }
        func request(_ path: String, socket: String) throws -> TransferRequest {
            TransferRequest(
                url: try WebURL(parsing: "http://localhost\(path)"), userAgent: "t",
                unixSocket: folder.path(socket))
        }
        #expect(try await service.perform(request("/", socket: "s")).text == "localhost")
        #expect(
            await service.failure(of: try request("/away", socket: "s"))
                == .redirectRefused(reason: "it leads away from the Unix socket, to http://other.example/"))
        #expect(
            await service.failure(of: try request("/", socket: "none"))
                == .connectionRefused(at: folder.path("none")))
        #expect(upstream.requests.count == 2)
    }

    @Test("forgets its connections when told, and what is under way fails")
    func drops() async throws {
        let service = try TransferService()
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            request.path == "/slow" ? .silence(until: gate) : UpstreamAnswer(text: "{}")
        }
        for _ in 0..<3 { _ = try await service.perform(upstream.request()) }
        let slow = try upstream.request("/slow")
        let task = Task { await service.failure(of: slow) }
        await upstream.received(4)
        #expect(upstream.connections == 1)
        service.dropConnections()
        #expect(await task.value == .reset(at: upstream.url("/slow")))
        await upstream.departures(1)
        for round in 1...20 {
            service.dropConnections()
            #expect(try await service.perform(upstream.request()).text == "{}")
            #expect(upstream.connections == 1 + round)
        }
    }

    @Test("loses no request while connections are being dropped")
    func dropsUnderLoad() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        let request = try upstream.request()
        await withTaskGroup(of: TransferFailure?.self) { group in
            for _ in 0..<200 {
                group.addTask { await service.failure(of: request) }
                service.dropConnections()
            }
            for await failure in group { #expect(failure == nil || failure == .reset(at: upstream.url())) }
        }
    }

    @Test("sends what must not be sent twice on a connection of its own", arguments: [true, false])
    func once(_ isOnce: Bool) async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { request in
            // Read, and perhaps acted upon, before the connection went down.
            request.method == "POST" ? .nothing : UpstreamAnswer(text: "{}")
        }
        _ = try await service.perform(upstream.request())
        var request = try upstream.request(method: "POST", body: Array("{}".utf8))
        request.isOnce = isOnce
        #expect(await service.failure(of: request) == .cut(at: upstream.url(), received: 0))
        // libcurl repeats by itself what went out on a pooled connection.
        #expect(upstream.requests.filter { $0.method == "POST" }.count == (isOnce ? 1 : 2))
    }

    // T-U5: the name led to a place that was allowed, and later to one that is not.
    @Test("judges the address at each request, whatever the name was worth before")
    func rebinding() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "inner") }
        let port = upstream.port
        let service = try TransferService(addresses: ["feed.example:\(port):127.0.0.1"])
        let url = try WebURL(parsing: "http://feed.example:\(port)/")
        func request(_ allowPrivate: Bool) -> TransferRequest {
            TransferRequest(url: url, allowPrivate: allowPrivate, userAgent: "t")
        }
        let refused = TransferFailure.addressRefused(host: "feed.example", address: "127.0.0.1")
        // At the connect, then on a pooled connection that somebody else may use.
        #expect(await service.failure(of: request(false)) == refused)
        #expect(upstream.connections == 0)
        #expect(try await service.perform(request(true)).text == "inner")
        #expect(await service.failure(of: request(false)) == refused)
        #expect(upstream.requests.count == 1)
    }

    @Test("tries no inner address behind a refused one of the same name")
    func severalAddresses() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "inner") }
        let port = upstream.port
        let service = try TransferService(addresses: [
            "feed.example:\(port):169.254.169.254,127.0.0.1,[::1],[::ffff:127.0.0.1]"
        ])
        let url = try WebURL(parsing: "http://feed.example:\(port)/")
        let failure = await service.failure(of: TransferRequest(url: url, userAgent: "t"))
        guard case .addressRefused("feed.example", _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(upstream.connections == 0)
    }
}
