import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("The last run") struct LastRunTests {
    private let now = Timestamp(seconds: 1_767_225_600)
    private let feed = Bench.feed("shop")

    /// Runs a store in `boot`; the epoch of its feed, and whether it believed that commits were lost.
    private func run(_ folder: TemporaryFolder, boot: String, stop: Bool) async throws -> (Epoch, Bool) {
        let store = try Store(folder: folder.path, random: Randomness(seed: 3), now: now, boot: boot)
        let loaded = try await store.load(feeds: [feed])
        let epoch = try #require(loaded[feed]?.1.epoch)
        if stop {
            await offPool { store.stop() }
        } else {
            try copyAway(folder)
        }
        return (epoch, store.openReport.mayHaveLostCommits)
    }

    /// Leaves the files as a kill would: copied while the database is open.
    private func copyAway(_ folder: TemporaryFolder) throws {
        for name in ["cache.sqlite3", "cache.sqlite3-wal"] {
            let bytes = try #require(readFile(folder.path(name)))
            kept.write(bytes, to: name)
        }
    }

    private let kept = TemporaryFolder()

    @Test("keeps the epoch when it ended cleanly, in whatever boot") func clean() async throws {
        let folder = TemporaryFolder()
        let first = try await run(folder, boot: "a", stop: true)
        let second = try await run(folder, boot: "b", stop: true)
        #expect(first.0 == second.0)
        #expect(!second.1)
    }

    @Test("keeps the epoch when it was killed and the machine went on") func killed() async throws {
        let first = try await run(TemporaryFolder(), boot: "a", stop: false)
        let second = try await run(kept, boot: "a", stop: true)
        #expect(first.0 == second.0)
        #expect(!second.1)
    }

    @Test("changes every epoch when the machine went down under it, once") func powerCut() async throws {
        let first = try await run(TemporaryFolder(), boot: "a", stop: false)
        let second = try await run(kept, boot: "b", stop: true)
        #expect(first.0 != second.0)
        #expect(second.1)
        let third = try await run(kept, boot: "c", stop: true)
        #expect(second.0 == third.0)
    }

    @Test(
        "may have lost commits only without a clean stop and in another boot",
        arguments: [
            (true, "a", false), (true, "b", false), (false, "a", false), (false, "b", true),
            (false, "", true),
        ])
    func rule(clean: Bool, boot: String, lost: Bool) {
        #expect(LastRun(wasClean: clean, boot: "a").mayHaveLostCommits(now: boot) == lost)
    }
}
