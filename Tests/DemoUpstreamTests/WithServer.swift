import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import DemoUpstream

/// Runs a server on a free port, by `time`, while `body` runs, and sees that it ends when told to.
func withServer(
    by time: ManualTime = ManualTime(), _ body: @Sendable (_ port: UInt16) async throws -> Void
) async throws {
    var ends: [CInt] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let (stopping, teller) = (ends[0], ends[1])
    defer { _ = close(stopping) }
    let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
    async let failure = offPool { () -> Server.Failure? in
        do throws(Server.Failure) {
            let server = try Server(site: Site(), port: 0)
            port.yield(server.port)
            port.finish()
            try server.run(until: stopping, now: { time.now() })
            return nil
        } catch {
            port.finish()
            return error
        }
    }
    for await port in ports { try await body(port) }
    // A pipe without a writer is readable.
    try #require(close(teller) == 0)
    #expect(await failure == nil)
}
