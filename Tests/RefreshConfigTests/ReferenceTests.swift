import RefreshConfig
import TestSupport
import Testing

@Suite("The reference of keys") struct ReferenceTests {
    private static let file = String(
        #filePath.dropLast("Tests/RefreshConfigTests/ReferenceTests.swift".count)
            + "docs/configuration-reference.md")

    @Test("docs/configuration-reference.md is what the table says") func upToDate() {
        let written = readFile(ReferenceTests.file).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            written == ConfigReference.markdown,
            "write it anew: refreshctl schema --format markdown > docs/configuration-reference.md")
    }

    @Test("docs/plugins.schema.json is what the table says") func schema() {
        let file = ReferenceTests.file.dropLast("configuration-reference.md".count) + "plugins.schema.json"
        let written = readFile(String(file)).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            written == "\(ConfigSchema.json)\n",
            "write it anew: refreshctl schema > docs/plugins.schema.json")
    }

    @Test("every line of a table has four cells") func cells() {
        for line in ConfigReference.markdown.split(separator: "\n") where line.hasPrefix("| `") {
            var bars = 0
            var last: Character = " "
            for letter in line {
                if letter == "|", last != "\\" { bars += 1 }
                last = letter
            }
            #expect(bars == 5 || bars == 3, "\(line)")
        }
    }
}
