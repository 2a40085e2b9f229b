import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The corpus of JSON parsing", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct JSONParsingCorpusTests {
    @Test("is accepted and refused as it says, case by case")
    func decides() throws {
        var decided = 0
        var free = 0
        var accepted = 0
        for line in try JSONLines("json-parsing/cases.jsonl").cases {
            let name = line.text(line.member("name")) ?? "?"
            let isAccepted = (try? JSONDocument(parsing: PaddedBytes(input(line)))) != nil
            switch line.text(line.member("expected")) {
            case "accept":
                decided += 1
                #expect(isAccepted, "\(name)")
            case "reject":
                decided += 1
                #expect(!isAccepted, "\(name)")
            default:
                free += 1
                if isAccepted { accepted += 1 }
            }
        }
        print("json-parsing: \(decided) decided cases, \(free) free ones of which \(accepted) are accepted")
        #expect(decided == 217 && free == 43)
        // Every number and every lone surrogate in an escape; what is not UTF-8 is not.
        #expect(accepted >= 31)
    }

    private func input(_ line: JSONDocument) throws -> [UInt8] {
        if let text = line.member("input") {
            // A lone surrogate cannot be decoded: such cases come in base64.
            return try #require(line.string(of: text))
        }
        if let base64 = line.text(line.member("input_base64")) {
            let url = base64.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }
            return try #require(Base64URL.decode(url))
        }
        let repeated = try #require(line.member("input_repeat"))
        let text = try #require(line.text(line.member("text", of: repeated)))
        let times = try #require(line.int64(line.member("times", of: repeated)))
        let tail = line.text(line.member("tail", of: repeated)) ?? ""
        return Array((String(repeating: text, count: Int(times)) + tail).utf8)
    }
}
