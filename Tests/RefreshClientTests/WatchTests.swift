import RefreshClient
import RefreshCore
import TestSupport
import Testing

@Suite("Watching", .timeLimit(.minutes(1))) struct WatchTests {
    private static func change(_ key: String) -> String {
        #"{"op":"upsert","key":"\#(key)","rev":1,"created":true,"item":{"key":"\#(key)","data":{"n":1}}}"#
    }

    private static func page(_ changes: [String], key: String) -> UpstreamAnswer {
        Rig.json(#"{"changes":[\#(changes.joined(separator: ","))],"sync_key":"\#(key)","has_more":false}"#)
    }

    private static let end = Rig.problem(410, "resync", "the key is too old")
    private static let status = Rig.json(#"{"name":"shop","sync_key":"k0"}"#)

    @Test("begins now and shows a line for each change")
    func lines() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop": Self.status,
            "GET /v1/feeds/shop/changes?since=k0&wait=30s": Self.page(
                [Self.change("a"), Self.change("b")], key: "k1"),
            "GET /v1/feeds/shop/changes?since=k1&wait=30s": Self.end,
        ])
        let ending = try await rig.run(["watch", "shop"])
        #expect(ending.output == "upsert\ta\t1\tnew\t{\"n\":1}\nupsert\tb\t1\tnew\t{\"n\":1}\n")
        #expect(ending.code == .failure)
        #expect(ending.errors.contains("list again"))
        let json = try await rig.run(["watch", "shop", "--since", "k0", "--json"])
        #expect(json.output.hasPrefix(Self.change("a") + "\n" + Self.change("b") + "\n"))
    }

    @Test("begins at the beginning where it is asked to")
    func all() async throws {
        let rig = try Rig(["GET /v1/feeds/shop/changes?wait=30s": Self.end])
        #expect(try await rig.run(["watch", "shop", "--all"]).code == .failure)
        #expect(rig.daemon.requests.count == 1)
    }

    @Test("saves a key only after the command took the change")
    func command() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop": Self.status,
            "GET /v1/feeds/shop/changes?since=k0&limit=1&wait=30s": Self.page([Self.change("a")], key: "k1"),
            "GET /v1/feeds/shop/changes?since=k1&limit=1&wait=30s": Self.page([Self.change("b")], key: "k2"),
            "GET /v1/feeds/shop/changes?since=k2&limit=1&wait=30s": Self.end,
        ])
        let out = rig.folder.path("seen")
        let state = rig.folder.path("key")
        // Refuses b the first time.
        let command =
            "cat >> \(out); echo \"$REFRESHD_FEED $REFRESHD_OP $REFRESHD_KEY $REFRESHD_SYNC_KEY\" >> \(out); "
            + "test $REFRESHD_KEY = a || test -e \(rig.folder.path("willing"))"
        let words = ["watch", "shop", "--exec", command, "--state", state]
        let first = try await rig.run(words)
        #expect(first.code == .failure)
        #expect(first.errors.contains("the command ended with 1 for b"))
        #expect(readFile(state).map { String(decoding: $0, as: UTF8.self) } == "k1\n")
        rig.folder.write("", to: "willing")
        let second = try await rig.run(words)
        #expect(second.errors.contains("list again"))
        #expect(readFile(state).map { String(decoding: $0, as: UTF8.self) } == "k2\n")
        let seen = String(decoding: try #require(readFile(out)), as: UTF8.self)
        let b = Self.change("b") + "\nshop upsert b k2\n"
        #expect(seen == Self.change("a") + "\nshop upsert a k1\n" + b + b)
    }

    @Test("keeps the key in a place of its own where none is named")
    func place() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/changes?limit=1&wait=30s": Self.page([Self.change("a")], key: "k1"),
            "GET /v1/feeds/shop/changes?since=k1&limit=1&wait=30s": Self.end,
        ])
        let words = ["watch", "shop", "--all", "--exec", "true"]
        let variables = ["XDG_STATE_HOME": rig.folder.path("state")]
        _ = try await rig.run(words, variables)
        // The second time it goes on.
        _ = try await rig.run(words, variables)
        #expect(rig.daemon.requests.map(\.target).filter { $0.contains("since=k1") }.count == 2)
        #expect(rig.daemon.requests.count == 3)
    }

    @Test("outlives a daemon that starts again, and tells of a daemon that never was there")
    func absence() async throws {
        let rig = try Rig { request in
            switch request.order {
            case 1: Self.page([Self.change("a")], key: "k1")
            case 2: Rig.problem(503, "stopping", "the daemon stops")
            case 3: Self.page([Self.change("b")], key: "k2")
            default: Self.end
            }
        }
        let ending = try await rig.run(["watch", "shop", "--all"])
        #expect(ending.output == "upsert\ta\t1\tnew\t{\"n\":1}\nupsert\tb\t1\tnew\t{\"n\":1}\n")
        #expect(ending.errors.hasPrefix("refreshctl: the daemon stops; trying again\n"))
        rig.daemon.stop()
        #expect(try await rig.run(["watch", "shop", "--all"]).code == .unavailable)
    }
}
