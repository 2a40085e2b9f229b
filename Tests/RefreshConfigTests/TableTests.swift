import RefreshCore
import Testing

@testable import RefreshConfig

@Suite("The table of keys") struct TableTests {
    private struct Place {
        let path: String
        let entry: Entry
    }

    private static func entries(of block: Block, at path: String) -> [Place] {
        block.entries.flatMap { entry -> [Place] in
            let here = path.isEmpty ? entry.name : "\(path).\(entry.name)"
            let below = entry.shape.blocks.flatMap { inner -> [Place] in
                entries(of: inner.block, at: ([here] + inner.path).joined(separator: "."))
            }
            return [Place(path: here, entry: entry)] + below
        }
    }

    private static let all = entries(of: RootTable.block, at: "")
    private static let ofFeed = entries(of: FeedTable.block, at: "feed")
    private static let ofDaemon = entries(of: DaemonTable.block, at: "daemon")

    @Test("every default is a value that its key accepts, and reads back the same") func defaults() throws {
        var checked = 0
        for place in TableTests.all {
            for value in [place.entry.fallback].compactMap({ $0 }) + place.entry.exceptions.values {
                let text = try #require(value.text, "\(place.path)")
                var composer = YAMLComposer()
                try composer.read(Array(text.utf8))
                let node = try #require(composer.documents.first?.root)
                var reader = ValueReader(problems: ProblemList(file: "f"), folder: "")
                let read = reader.value(place.entry.shape, node, ["a", "b", "c"])
                #expect(reader.problems.sorted.map(\.text) == [], "\(place.path)")
                #expect(read == value, "\(place.path)")
                checked += 1
            }
        }
        print("table: \(Set(TableTests.all.map(\.path)).count) keys, \(checked) defaults read back")
        #expect(checked > 300)
    }

    @Test("no block has a key twice, and each has its line for the reference") func names() {
        func check(_ block: Block) {
            #expect(Set(block.names).count == block.names.count, "\(block.names)")
            for entry in block.entries {
                for inner in entry.shape.blocks { check(inner.block) }
            }
        }
        check(RootTable.block)
        #expect(TableTests.all.allSatisfy { $0.entry.summary.hasSuffix(".") })
    }

    @Test("every key that does nothing yet is a key") func notYet() {
        let known = Set((TableTests.ofFeed + TableTests.ofDaemon).map(\.path)).union(["plugins", "budgets"])
        #expect(NotYet.keys.subtracting(known) == [])
    }

    @Test("what does nothing yet is told in one warning, and is no error") func oneWarning() throws {
        let text = """
            daemon: {quota: 5/1m}
            defaults: {expect: 1d}
            feeds:
              a: {adapter: feed, url: 'https://h.example/', tags: [x], keep: {gone: 1h}}
              b: {adapter: csv, url: 'https://h.example/b', key: id, tags: [y]}
            """
        let result = ConfigReader.read(bytes: Array(text.utf8), file: "f")
        #expect(result.plan?.feeds.count == 2)
        let found = ["adapter: csv", "daemon.quota", "expect", "keep.gone", "tags"].filter { key in
            let name = key.hasPrefix("daemon") ? key : "feed.\(key)"
            return NotYet.keys.contains(name) || key == "adapter: csv" && NotYet.adapters.contains(.csv)
        }
        let expected = "f: warning: these keys do nothing yet in this build: \(found.joined(separator: ", "))"
        #expect(result.problems.map(\.text) == (found.isEmpty ? [] : [expected]))
    }

    @Test("a key meant for others is refused with the adapters' own words", arguments: AdapterKind.allCases)
    func adapters(_ kind: AdapterKind) {
        for entry in FeedTable.block.entries where !entry.adapters.contains(kind) {
            #expect(!entry.required.contains(kind), "\(entry.name)")
        }
    }
}
