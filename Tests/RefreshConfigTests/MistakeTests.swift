import RefreshConfig
import TestSupport
import Testing

/// Files with their mistakes written above them, in lines `# expect: 3:5: feeds.shop.every: …`.
@Suite("One-mistake files") struct MistakeTests {
    static let folder = #filePath.dropLast("MistakeTests.swift".count) + "Mistakes"

    @Test("each says exactly what is wrong and where", arguments: try fileNames(in: String(folder)))
    func mistakes(_ name: String) throws {
        let bytes = try #require(readFile("\(MistakeTests.folder)/\(name)"))
        let expected = MistakeTests.expectations(in: bytes)
        #expect(!expected.isEmpty, "\(name) says nothing of what it expects")
        let result = ConfigReader.read(bytes: bytes, file: "f")
        #expect(result.told.map { String($0.text.dropFirst("f:".count)) } == expected)
        let isRight = expected.allSatisfy { $0.contains(": warning: ") }
        #expect((result.plan != nil) == isRight)
    }

    @Test("there are enough of them") func count() throws {
        #expect(try fileNames(in: String(MistakeTests.folder)).count >= 150)
    }

    private static func expectations(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("# expect: ") }.map { String($0.dropFirst("# expect: ".count)) }
    }
}
