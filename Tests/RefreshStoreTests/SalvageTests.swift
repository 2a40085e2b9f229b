import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Salvage", .timeLimit(.minutes(1))) struct SalvageTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private static let pairs = 600

    private static func pair(_ number: Int) -> DurableStore.Pair {
        let name = String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
        return DurableStore.Pair(
            name: name, value: Array(String(repeating: "\(number) ", count: 40).utf8), updatedAt: now)
    }

    /// A database of 600 pauses with garbage in one of its pages, and how many of them can still be read at least: a page
    /// that was split still holds rows that live elsewhere by now.
    static func damaged(in folder: TemporaryFolder) throws -> (bytes: [UInt8], readable: Int) {
        let file = DatabaseFile.durable(in: folder.path)
        do {
            let table = try DurableTable(try file.open(now: now), of: file)
            for number in 1...pairs { try table.save(pair(number), in: .pauses) }
            try table.finish()
        }
        var bytes = try #require(readFile(file.path))
        // A leaf in the middle of the names.
        let middle = Array(String(repeating: "300 ", count: 40).utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: middle) })
        let page = place / DatabaseFile.pageSize * DatabaseFile.pageSize
        let held = (1...pairs).filter { number in
            let text = Array(pair(number).value)
            return bytes[page..<(page + DatabaseFile.pageSize)].indices.contains {
                bytes[$0...].starts(with: text)
            }
        }
        bytes.replaceSubrange(page..<(page + DatabaseFile.pageSize), with: repeatElement(0xA5, count: 8_192))
        try writeFile(bytes, to: file.path)
        return (bytes, pairs - held.count)
    }

    @Test("rows that still read come over, the rest is set aside, and the doubt stays until it is settled")
    func rows() async throws {
        let folder = TemporaryFolder()
        let damage = try SalvageTests.damaged(in: folder)
        #expect(damage.readable > 400 && damage.readable < SalvageTests.pairs)
        let aside = folder.path("durable.sqlite3.corrupt-20260101T000000Z")
        for round in 1...3 {
            let store = try DurableStore(folder: folder.path, now: SalvageTests.now)
            let found = try await store.all(in: .pauses)
            #expect(found.count >= damage.readable && found.count < SalvageTests.pairs)
            for pair in found { #expect(Int(pair.name).map(SalvageTests.pair) == pair) }
            if round == 1 {
                let quarantine = try #require(store.openReport.quarantine)
                #expect(quarantine.path == aside && quarantine.salvaged == found.count)
                #expect(readFile(aside) == damage.bytes)
            } else {
                #expect(store.openReport.quarantine == nil)
            }
            let doubt = try await store.doubt()
            #expect((doubt != nil) == (round < 3))
            if let doubt {
                #expect(doubt.text.contains("\(found.count) rows") && doubt.text.contains(aside))
                #expect(doubt.at == SalvageTests.now)
            }
            if round == 2 { try await store.settleDoubt() }
            await offPool { store.stop() }
        }
    }

    @Test("of what is no database nothing comes over, and that is in doubt too", arguments: [9_000, 3])
    func nothing(_ length: Int) async throws {
        let folder = TemporaryFolder()
        try writeFile(Array(repeating: 0x41, count: length), to: folder.path("durable.sqlite3"))
        let store = try DurableStore(folder: folder.path, now: SalvageTests.now)
        #expect(store.openReport.quarantine?.salvaged == 0)
        #expect(try await store.doubt() != nil)
        try await store.save(SalvageTests.pair(1), in: .tokens)
        await offPool { store.stop() }
    }

    @Test("a database that was never damaged is in no doubt") func sound() async throws {
        let folder = TemporaryFolder()
        let store = try DurableStore(folder: folder.path, now: SalvageTests.now)
        #expect(try await store.doubt() == nil)
        await offPool { store.stop() }
    }
}
