import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Streams", .timeLimit(.minutes(1))) struct StreamTests {
    private static let target = "/v1/feeds/shop/changes"

    private func since(_ rig: Rig) throws -> String {
        "\(StreamTests.target)?since=\(try rig.key("shop", try rig.newest("shop")))"
    }

    /// Opens a stream off the pool, and goes on when it has begun.
    private func listen(
        _ rig: Rig, _ target: String, accept: String = "text/event-stream", fields: String = ""
    ) async throws -> StreamClient {
        let path = rig.path
        return try #require(
            await offPool { StreamClient(path, target, accept: accept, fields: fields) })
    }

    @Test("a stream begins with the state and what is there, and goes on with what comes")
    func flows() async throws {
        try await Rig.with { rig in
            let stream = try await listen(rig, StreamTests.target)
            #expect(stream.status == 200)
            #expect(stream.type == "text/event-stream")
            // Of the one that was deleted before anybody listened there is nothing to tell.
            let first = await offPool { stream.events(4) }
            #expect(first.map(\.name) == ["state", "change", "change", "change"])
            #expect(first.allSatisfy { !$0.data.contains(#""op":"delete""#) })
            try await rig.commit(
                "shop",
                [("a/b", #"{"price":2}"#), ("c", #"{"n":1e400}"#), (#"["x","y"]"#, #"{"pair":true}"#)])
            let next = await offPool { stream.next() }
            #expect(next?.data.contains(#""price":2"#) == true)
            #expect(next?.id == (try rig.key("shop", try rig.newest("shop"))))
        }
    }

    @Test("a broken stream goes on behind the last event that came through")
    func resumes() async throws {
        try await Rig.with { rig in
            let start = "\(StreamTests.target)?since=\(try rig.key("shop", 1))"
            let first = try await listen(rig, start)
            let seen = await offPool { first.events(3) }
            let second = try await listen(rig, start, fields: "Last-Event-ID: \(seen[2].id ?? "")\r\n")
            let rest = await offPool { second.events(3) }
            let whole = try await listen(rig, start)
            let all = await offPool { whole.events(5) }
            #expect(all.last?.data.contains(#""op":"delete""#) == true)
            #expect(seen.dropFirst().map(\.id) + rest.dropFirst().map(\.id) == all.dropFirst().map(\.id))
        }
    }

    @Test("lines of JSON tell the same")
    func lines() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let line = await offPool { () -> [UInt8]? in
                guard let client = StreamClient(path, StreamTests.target, accept: "application/x-ndjson")
                else {
                    return nil
                }
                guard client.type == "application/x-ndjson", var size = client.raw.read(1) else { return nil }
                while size.suffix(2) != [0x0D, 0x0A] { size += client.raw.read(1) ?? [0x0D, 0x0A] }
                return client.raw.read(17)
            }
            #expect(line.map { String(decoding: $0, as: UTF8.self) } == #"{"event":"state","#)
        }
    }

    @Test("silence is broken by a sign of life each 15 seconds")
    func heartbeats() async throws {
        try await Rig.with { rig in
            let stream = try await listen(rig, try since(rig))
            let path = rig.path
            let alive = await offPool { () -> Bool in
                guard stream.next()?.name == "state" else { return false }
                _ = RawClient(path)?.get("/healthz")
                rig.time.advance(by: .seconds(15))
                _ = RawClient(path)?.get("/healthz")
                return stream.heartbeat()
            }
            #expect(alive)
        }
    }

    @Test("a turn of the feed's state is told")
    func states() async throws {
        try await Rig.with { rig in
            let stream = try await listen(rig, try since(rig))
            let first = await offPool { stream.next() }
            #expect(first?.data.contains(#""state":"active""#) == true)
            try rig.fail("shop", RefreshFailure(.transient, code: "http-503", detail: "", status: 503))
            let second = await offPool { stream.next() }
            #expect(second?.name == "state")
            #expect(second?.data.contains(#""code":"http-503""#) == true)
        }
    }

    @Test("a feed that goes, and a daemon that stops, end the stream with a word")
    func ends() async throws {
        try await Rig.with { rig in
            let (one, two) = (try await listen(rig, try since(rig)), try await listen(rig, "/v1/events"))
            rig.board.remove(try rig.feed("shop"))
            let gone = await offPool { one.events(3) }
            #expect(gone.map(\.name) == ["state", "bye"])
            #expect(gone.last?.data == #"{"reason":"feed-removed"}"#)
            let bye = await offPool { () -> [StreamClient.Event] in
                rig.server.stop()
                return two.events(2)
            }
            #expect(bye.map(\.name) == ["bye"])
            #expect(bye.last?.data == #"{"reason":"stopping"}"#)
        }
    }

    @Test("a key that cannot be answered is refused before the stream begins")
    func refused() async throws {
        try await Rig.with { rig in
            let key = try rig.key("shop", 1, epoch: Epoch(99))
            let stream = try await listen(rig, StreamTests.target, fields: "Last-Event-ID: \(key)\r\n")
            #expect(stream.status == 410)
        }
    }

    @Test("notices tell which feeds have changed, and not what stood before")
    func notices() async throws {
        try await Rig.with { rig in
            let stream = try await listen(rig, "/v1/events")
            try await rig.commit("shop", [("n", "1")])
            let notice = await offPool { stream.next() }
            #expect(notice?.name == "changed")
            #expect(notice?.id == nil)
            #expect(notice?.data.contains(try rig.key("shop", try rig.newest("shop"))) == true)
        }
    }

    @Test("a client that takes nothing for half a minute is let go, and others are served")
    func stuck() async throws {
        try await Rig.with { rig in
            let big = String(repeating: "x", count: 100_000)
            try await rig.commit("shop", (0..<30).map { ("k\($0)", "\"\(big)\($0)\"") })
            let stream = try await listen(rig, StreamTests.target)
            let path = rig.path
            let isEnded = await offPool { () -> Bool in
                // 3 MB do not fit into a socket that nobody reads.
                for _ in 0..<40 { _ = RawClient(path)?.get("/healthz") }
                rig.time.advance(by: .seconds(31))
                for _ in 0..<3 { _ = RawClient(path)?.get("/healthz") }
                var events = 0
                while stream.next() != nil { events += 1 }
                return events < 30
            }
            #expect(isEnded)
        }
    }

    @Test("there is an end to how many streams there may be")
    func tooMany() async throws {
        try await Rig.with(streams: 2) { rig in
            let open = [try await listen(rig, "/v1/events"), try await listen(rig, "/v1/events")]
            let third = try await listen(rig, "/v1/events")
            #expect(open.map(\.status) == [200, 200])
            #expect(third.status == 503)
            let body = await offPool { third.raw.read(60) }
            #expect(String(decoding: body ?? [], as: UTF8.self).contains("too-many-streams"))
        }
    }
}
