import CLinux
import TestSupport
import Testing

@Suite("The API at its stop", .timeLimit(.minutes(1))) struct StopTests {
    @Test(
        "whoever has connected before it is answered from the cache, and told to close",
        arguments: ["/v1/feeds", "/v1/feeds/shop/items", "/v1/feeds/shop/items/c"])
    func answersTheLate(target: String) async throws {
        try await Rig.with { rig in
            let descriptor = try #require(UnixHTTP.connected(to: rig.path))
            defer { _ = close(descriptor) }
            // This connection is taken in before the next one, whose answer tells that the stop has begun.
            async let asked = rig.http.post("/v1/feeds/shop/refresh", json: #"{"wait":"all"}"#)
            await rig.control.arrived(1)
            async let stopped: Void = offPool { rig.server.stop() }
            #expect(await asked?.status == 503)
            let text = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            _ = await offPool { unsafe send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) }
            let answer = await offPool { () -> String in
                var bytes: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
                    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                    bytes += chunk.prefix(count)
                }
            }
            await stopped
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer.prefix(200))")
        }
    }
}
