import RefreshCore
import TestSupport
import Testing

@testable import DemoUpstream

@Suite("The demo server", .timeLimit(.minutes(1))) struct ServerTests {
    private static let request = "GET / HTTP/1.1\r\n\r\n"

    @Test("serves several requests on one connection, and ends when told")
    func serves() async throws {
        try await withServer { port in
            let client = try #require(Client(port: port))
            for _ in 0..<3 {
                let answer = await offPool { client.ask(Self.request) }
                #expect(answer.starts(with: "HTTP/1.1 200 OK\r\n".utf8))
            }
        }
    }

    @Test("serves a new client where as many as it takes are idle")
    func boundsConnections() async throws {
        try await withServer { port in
            let idle = (0..<Server.connectionsMax).compactMap { _ in Client(port: port) }
            #expect(idle.count == Server.connectionsMax)
            let late = try #require(Client(port: port))
            let answer = await offPool { late.ask(Self.request) }
            #expect(answer.starts(with: "HTTP/1.1 200 OK\r\n".utf8))
        }
    }

    @Test("holds a slow answer back until it is due, and serves others meanwhile")
    func holdsBack() async throws {
        let time = ManualTime()
        try await withServer(by: time) { port in
            let (patient, other) = (try #require(Client(port: port)), try #require(Client(port: port)))
            let order = "POST /control?path=/tickets&mode=slow&ms=90000 HTTP/1.1\r\n\r\n"
            #expect(await offPool { other.ask(order) }.starts(with: "HTTP/1.1 200".utf8))
            #expect(patient.say("GET /tickets HTTP/1.1\r\n\r\n"))
            // Longer than the server keeps an idle connection, and not yet enough.
            for pause in [Duration.zero, .seconds(50), .milliseconds(39_999)] {
                time.advance(by: pause)
                #expect(await offPool { other.ask(Self.request) }.starts(with: "HTTP/1.1 200".utf8))
                #expect(!patient.hasNews)
            }
            time.advance(by: .milliseconds(1))
            #expect(await offPool { other.ask(Self.request) }.starts(with: "HTTP/1.1 200".utf8))
            #expect(await offPool { patient.hear() }.starts(with: "HTTP/1.1 200".utf8))
        }
    }

    @Test(
        "waits as long as nothing is due, but never for long",
        arguments: [
            (nil, 5_000), (.seconds(9), 5_000), (.milliseconds(20), 20), (.microseconds(1), 1),
            (.microseconds(1_001), 2), (.zero, 0), (.seconds(-3), 0),
        ] as [(Duration?, CInt)])
    func pauses(left: Duration?, milliseconds: CInt) {
        let now = ManualTime().now().boot
        #expect(Server.pause(until: left.map { now + $0 }, at: now) == milliseconds)
    }

    @Test("hangs up on whom it was told to vanish for")
    func vanishes() async throws {
        try await withServer { port in
            let client = try #require(Client(port: port))
            let order = "POST /control?path=/news.atom&mode=vanish HTTP/1.1\r\n\r\n"
            #expect(await offPool { client.ask(order) }.starts(with: "HTTP/1.1 200".utf8))
            #expect(await offPool { client.ask("GET /news.atom HTTP/1.1\r\n\r\n") }.isEmpty)
        }
    }

    @Test("says which port is taken")
    func reportsTakenPort() async throws {
        try await withServer { port in
            #expect(throws: Server.Failure.portTaken(port)) { _ = try Server(site: Site(), port: port) }
        }
    }
}
