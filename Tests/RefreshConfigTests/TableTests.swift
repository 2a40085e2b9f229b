import RefreshCore
import Testing

@testable import RefreshConfig

@Suite("The table of keys") struct TableTests {
    private struct Place {
        let path: [String]
        let entry: Entry
    }

    private static func entries(of block: Block, at path: [String] = []) -> [Place] {
        block.entries.flatMap { entry -> [Place] in
            let here = path + [entry.name]
            switch entry.shape {
            case .block(let inner): return [Place(path: here, entry: entry)] + entries(of: inner, at: here)
            case .feeds(let inner):
                return [Place(path: here, entry: entry)] + entries(of: inner, at: here + ["a"])
            default: return [Place(path: here, entry: entry)]
            }
        }
    }

    private static let all = entries(of: RootTable.block)

    /// The file that sets one key.
    private static func file(_ path: [String], _ value: String) -> String {
        path.enumerated().map { String(repeating: " ", count: $0) + $1 + ":" }.joined(separator: "\n")
            + " \(value)\n"
    }

    @Test("every default is a value that its key accepts, and reads back the same") func defaults() throws {
        var checked = 0
        for place in TableTests.all {
            for value in [place.entry.fallback, place.entry.syndication].compactMap({ $0 }) {
                let text = try #require(value.text, "\(place.path)")
                var composer = YAMLComposer()
                try composer.read(Array(TableTests.file(place.path, text).utf8))
                var reader = ValueReader(problems: ProblemList(file: "f"), folder: "")
                let section = reader.root(try #require(composer.documents.first?.root))
                #expect(reader.problems.sorted.map(\.text) == [])
                #expect(TableTests.value(at: place.path, in: try #require(section)) == value, "\(place.path)")
                checked += 1
            }
        }
        #expect(checked > 30)
    }

    @Test("every key of a later version is refused as such, and never as unknown") func later() {
        var checked = 0
        for place in TableTests.all {
            guard case .later = place.entry.shape else { continue }
            let result = ConfigReader.read(bytes: Array(TableTests.file(place.path, "x").utf8), file: "f")
            let codes = result.problems.filter { $0.path == place.path.joined(separator: ".") }.map(\.code)
            #expect(codes == [.unsupported], "\(place.path)")
            checked += 1
        }
        #expect(checked > 100)
    }

    @Test("no block has a key twice, and each has its line for the reference") func names() {
        for block in [RootTable.block, DaemonTable.block, FeedTable.block, FeedTable.Request.block] {
            #expect(Set(block.names).count == block.names.count)
        }
        #expect(TableTests.all.allSatisfy { $0.entry.summary.hasSuffix(".") })
    }

    private static func value(at path: [String], in section: Section) -> ConfigValue? {
        guard let first = path.first, let value = section[first]?.value else { return nil }
        let rest = Array(path.dropFirst())
        switch value {
        case .block(let inner): return rest.isEmpty ? value : self.value(at: rest, in: inner)
        case .named(let feeds):
            return feeds.first.flatMap { self.value(at: Array(rest.dropFirst()), in: $0.section) }
        default: return value
        }
    }
}
