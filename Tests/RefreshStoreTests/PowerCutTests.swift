import CFaultyVFS
import CSQLite
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// The power goes at a random write or sync: what was not synced is there, missing or torn, each piece by chance.
extension FaultyDiskTests {
    @Suite("Power cuts", .serialized) struct PowerCutTests {
        private let now = Timestamp(seconds: 1_767_225_600)
        private let feed = Bench.feed("shop")
        private static var cuts: Int { max(40, soakRuns / 10) }

        init() throws { try #require(faulty_install() == SQLITE_OK) }

        private func commit(_ number: Int) -> PassCommit {
            let body = "\(number) " + String(repeating: "x", count: 1_500)
            let records = (0..<40).map { Sample("k\($0)", body) }
            return PassCommit(
                feed: feed, at: now + .seconds(number), progress: FeedProgress(),
                page: Sample.page(records), retention: Retention(count: 1_000))
        }

        @Test("cost a cache at most its end, which its clients are told by a new epoch") func cache() throws {
            var random = Randomness(seed: 11)
            var (lost, kept, empty) = (0, 0, 0)
            for run in 1...PowerCutTests.cuts {
                let (folder, after) = (TemporaryFolder(under: "/dev/shm"), TemporaryFolder(under: "/dev/shm"))
                unsafe faulty_cut(
                    folder.path, CInt(Int.random(in: 1...700, using: &random)), random.next(), after.path)
                var (done, synced) = (0, 0)
                var epoch: Epoch?
                do {
                    let cache = CacheFile(folder: folder.path, boot: "first")
                    let writer = try Writer(try cache.open(now: now), random: Randomness(seed: UInt64(run)))
                    while faulty_is_cut() == 0, done < 200 {
                        done += 1
                        _ = try writer.perform([commit(done)])[0].get()
                        epoch = writer.heads[feed]?.epoch
                        if done % 5 == 0 {
                            try writer.checkpoint()
                            if faulty_is_cut() == 0 { synced = done }
                        }
                    }
                }
                try #require(faulty_is_cut() != 0)
                faulty_stop()
                let opened = try CacheFile(folder: after.path, boot: "second").open(now: now)
                #expect(opened.report.quarantine == nil, "run \(run)")
                let verdict = try opened.connection.prepare("PRAGMA integrity_check")
                #expect(try verdict.step() && verdict.text(0) == "ok", "run \(run)")
                let found = try body(after)
                #expect(found >= synced && found <= done, "run \(run): \(found), synced \(synced)")
                if let epoch, let head = try StoreReader(folder: after.path).head(of: feed) {
                    #expect(opened.report.mayHaveLostCommits && head.epoch != epoch, "run \(run)")
                }
                if found == 0 { empty += 1 } else if found < done - 1 { lost += 1 } else { kept += 1 }
            }
            print("power cuts: \(kept) caches kept all, \(lost) lost their end, \(empty) had nothing yet")
        }

        /// The number of the pass that the cache holds, a whole one; 0 of an empty cache.
        private func body(_ folder: TemporaryFolder) throws -> Int {
            var numbers: [Int] = []
            try StoreReader(folder: folder.path).items(of: feed, after: nil) { row in
                let text = unsafe String(decoding: row.body, as: UTF8.self)
                numbers.append(text.split(separator: " ").first.flatMap { Int($0) } ?? -1)
                return true
            }
            #expect(Set(numbers).count <= 1 && (numbers.isEmpty || numbers.count == 40))
            return numbers.first ?? 0
        }

        @Test("cost nothing of what must never be lost") func durable() throws {
            var random = Randomness(seed: 12)
            var acknowledged = 0
            for run in 1...PowerCutTests.cuts {
                let (folder, after) = (TemporaryFolder(under: "/dev/shm"), TemporaryFolder(under: "/dev/shm"))
                unsafe faulty_cut(
                    folder.path, CInt(Int.random(in: 1...200, using: &random)), random.next(), after.path)
                let file = DatabaseFile.durable(in: folder.path)
                var acked = 0
                do {
                    let table = try DurableTable(try file.open(now: now), of: file)
                    for number in 1...200 {
                        let value = Array(repeating: UInt8(number & 0xFF), count: 1_000)
                        try table.save(
                            DurableStore.Pair(name: "\(number)", value: value, updatedAt: now), in: .tokens)
                        if faulty_is_cut() != 0 { break }
                        acked = number
                    }
                }
                try #require(faulty_is_cut() != 0)
                faulty_stop()
                let opened = try DatabaseFile.durable(in: after.path).open(now: now)
                #expect(opened.report.quarantine == nil, "run \(run)")
                let rows = try DurableRows(opened)
                for number in 1..<(acked + 1) {
                    let pair = try rows.load("\(number)", in: .tokens)
                    #expect(pair?.value == Array(repeating: UInt8(number & 0xFF), count: 1_000), "run \(run)")
                }
                acknowledged += acked
            }
            print("power cuts: \(PowerCutTests.cuts), none of \(acknowledged) acknowledged values lost")
        }
    }
}
