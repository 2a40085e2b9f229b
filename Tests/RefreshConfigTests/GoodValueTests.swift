import RefreshConfig
import TestSupport
import Testing

/// Files with some of their effective values written above them, in lines `# expect: shop every = 5m`.
@Suite("Effective values of good files") struct GoodValueTests {
    static let folder = String(#filePath.dropLast("GoodValueTests.swift".count) + "Good")

    private struct Expectation {
        let feed: String
        let path: String
        let value: String
    }

    @Test("a feed has what the file says, and defaults elsewhere", arguments: try fileNames(in: folder))
    func values(_ name: String) throws {
        let bytes = try #require(readFile("\(GoodValueTests.folder)/\(name)"))
        let file = "/etc/refreshd/plugins.yaml"
        let result = ConfigReader.read(bytes: bytes, file: file)
        #expect(result.told.map(\.text) == [])
        #expect(result.plan != nil)
        for expected in try GoodValueTests.expectations(in: bytes) {
            let explained = ConfigReader.explain(bytes: bytes, file: file, feed: expected.feed)
            let explanation = try #require(explained.explanation, "\(expected.feed)")
            let values = explanation.lines.filter { $0.path == expected.path }.map(\.value)
            #expect(values == [expected.value], "\(expected.feed) \(expected.path)")
        }
    }

    @Test("there are enough of them") func count() throws {
        let names = try fileNames(in: GoodValueTests.folder)
        let expectations = try names.reduce(0) { count, name in
            let bytes = try #require(readFile("\(GoodValueTests.folder)/\(name)"))
            return count + (try GoodValueTests.expectations(in: bytes)).count
        }
        print("good files: \(names.count), values compared: \(expectations)")
        #expect(names.count >= 40)
        #expect(expectations >= 150)
    }

    private static func expectations(in bytes: [UInt8]) throws -> [Expectation] {
        try bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("# expect: ") }
            .map { line in
                let words = line.dropFirst("# expect: ".count)
                let parts = words.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                try #require(parts.count == 4 && parts[2] == "=")
                return Expectation(feed: String(parts[0]), path: String(parts[1]), value: String(parts[3]))
            }
    }
}
