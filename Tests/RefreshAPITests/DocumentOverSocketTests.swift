import CLinux
import RefreshCore
import RefreshStore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("The document of an http feed", .timeLimit(.minutes(1))) struct DocumentOverSocketTests {
    private static let target = "/v1/feeds/logo/document"

    private func bytes(_ count: Int) -> [UInt8] {
        var random = Randomness(seed: UInt64(count))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(
        "comes byte for byte, with what the upstream said of it",
        arguments: [0, 1, StoredDocument.part, StoredDocument.part + 1, 3_000_000])
    func comes(count: Int) async throws {
        let sent = bytes(count)
        try await Rig.with { rig in
            try await rig.commitDocument(
                "logo", sent,
                [
                    ("Content-Type", "image/png; x=y"), ("ETag", "W/\"a,b\""),
                    ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"),
                ])
            let answer = try #require(await rig.http.get(Self.target))
            #expect(answer.status == 200)
            #expect(answer.body == sent)
            #expect(answer.headers.first("Content-Type") == "image/png; x=y")
            #expect(answer.headers.first("Content-Length") == "\(count)")
            #expect(answer.headers.first("ETag") == "W/\"a,b\"")
            #expect(answer.headers.first("Last-Modified") == "Mon, 01 Jan 2024 00:00:00 GMT")
            #expect(answer.headers.first("Cache-Status")?.hasPrefix("refreshd; hit") == true)
            #expect(answer.headers.first("Refreshd-Fresh-At") != nil)
            let same = await rig.http.get(Self.target, headers: ["If-None-Match: \"x\", \"a,b\""])
            #expect(same?.status == 304)
            #expect(same?.body.isEmpty == true)
            #expect(same?.headers.first("ETag") == "W/\"a,b\"")
            let other = await rig.http.get(Self.target, headers: ["If-None-Match: \"c\""])
            #expect(other?.status == 200)
        }
    }

    @Test("answers HEAD with the head, and the connection goes on")
    func head() async throws {
        let sent = bytes(500_000)
        try await Rig.with { rig in
            try await rig.commitDocument("logo", sent)
            let path = rig.path
            let heard = await offPool { () -> [RawClient.Answer?] in
                guard let client = RawClient(path) else { return [] }
                client.say("HEAD \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return [client.hear(head: true), client.get(Self.target), client.get("/v1/feeds/logo")]
            }
            #expect(heard.map { $0?.status } == [200, 200, 200])
            #expect(heard.first??.headers.first("Content-Length") == "500000")
            #expect(heard.first??.headers.first("Content-Type") == "application/octet-stream")
            #expect(heard.dropFirst().first??.body == sent)
        }
    }

    @Test("has a tag of ours where the upstream's is none, or stands for other bytes as well")
    func tags() async throws {
        try await Rig.with { rig in
            func tag() async -> String? { await rig.http.get(Self.target)?.headers.first("ETag") }
            try await rig.commitDocument("logo", [1])
            let own = try #require(await tag())
            #expect(own.hasPrefix("\"") && own.utf8.count == 34)
            try await rig.commitDocument("logo", [2], [("ETag", "odd\u{7}")])
            let second = await tag()
            #expect(second != own && second?.utf8.count == 34)
            try await rig.commitDocument("logo", [3], [("ETag", "\"same\"")])
            #expect(await tag() == "\"same\"")
            try await rig.commitDocument("logo", [4], [("ETag", "\"same\"")])
            #expect(await tag()?.utf8.count == 34)
            let answer = await rig.http.get(Self.target, headers: ["If-None-Match: \"same\""])
            #expect(answer?.body == [4])
        }
    }

    @Test("is finished for a slow reader although another one has taken its place")
    func slowReader() async throws {
        let (first, second) = (bytes(4_000_000), bytes(2_000_000))
        try await Rig.with { rig in
            try await rig.commitDocument("logo", first)
            let path = rig.path
            let client = await offPool { () -> RawClient? in
                guard let client = RawClient(path) else { return nil }
                client.say("GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return client.read(1) == [UInt8(ascii: "H")] ? client : nil
            }
            let slow = try #require(client)
            try await rig.commitDocument("logo", second)
            #expect(await rig.http.get(Self.target)?.body == second)
            let heard = await offPool { slow.hear() }
            #expect(heard?.body == first)
        }
    }

    @Test("is refused where there is none, and says why")
    func refusals() async throws {
        try await Rig.with { rig in
            try rig.unfetched("new", adapter: "http")
            try await rig.commitDocument("logo", [1])
            func code(_ feed: String) async throws -> String? {
                try Body(await rig.http.get("/v1/feeds/\(feed)/document"))["code"]
            }
            #expect(try await code("shop") == "no-document")
            #expect(try await code("new") == "never-fetched")
            #expect(try await code("nosuch") == "feed-not-found")
            let wrong = await rig.http.get("\(Self.target)?limit=1")
            #expect(wrong?.status == 400)
            let cache = rig.folder.path("state/cache.sqlite3")
            let isBroken = await offPool { spoil(cache) }
            #expect(isBroken)
            #expect(try await code("logo") == "cache-failed")
        }
    }
}
