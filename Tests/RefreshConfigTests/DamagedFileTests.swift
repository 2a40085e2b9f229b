import RefreshConfig
import TestSupport
import Testing

/// Files that were right, and then had an accident.
@Suite("Damaged files") struct DamagedFileTests {
    private static let folder = String(#filePath.dropLast("DamagedFileTests.swift".count))

    /// The same numbers in every run (Knuth's MMIX constants).
    private struct Chance {
        var state: UInt64

        mutating func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(limit, 1)))
        }
    }

    private static let pieces = [
        "", " ", "\n", "\t", ":", "- ", "[", "]", "{", "}", "null", "~", "0", "-1", "1e400", "off", "5m", "'",
        "\"", "&a ", "*a",
        "<<: *a", "$(", "$(since)", "$(var.X)", "type: page", "\u{0}", "\u{FF}", "#", "|", "!x ", "%", "@",
    ].map { Array($0.utf8) }

    private static func damaged(_ bytes: [UInt8], _ chance: inout Chance) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let line = chance.below(lines.count)
        switch chance.below(4) {
        case 0: lines.remove(at: line)
        case 1: lines.swapAt(line, chance.below(lines.count))
        case 2: lines.insert(lines[chance.below(lines.count)], at: line)
        default:
            let place = chance.below(lines[line].count + 1)
            let end = min(lines[line].count, place + chance.below(6))
            lines[line].replaceSubrange(place..<end, with: pieces[chance.below(pieces.count)])
        }
        return Array(lines.joined(separator: [0x0A]))
    }

    @Test(
        "are read to a plan or to mistakes with a place, whatever happened", arguments: ["Good", "Mistakes"])
    func damage(_ folder: String) throws {
        var chance = Chance(state: 7)
        var count = (plans: 0, refused: 0)
        for name in try fileNames(in: "\(DamagedFileTests.folder)\(folder)") {
            let bytes = try #require(readFile("\(DamagedFileTests.folder)\(folder)/\(name)"))
            for _ in 0..<(folder == "Good" ? 60 : 10) {
                let text = DamagedFileTests.damaged(bytes, &chance)
                let result = ConfigReader.read(bytes: text, file: "f", mode: .start)
                if result.plan == nil { count.refused += 1 } else { count.plans += 1 }
                #expect(result.plan != nil || !result.errors.isEmpty)
                let strict = ConfigReader.read(bytes: text, file: "f")
                #expect((strict.plan == nil) == !result.errors.isEmpty)
                for error in result.errors where error.code != .limit {
                    #expect(error.line > 0, "\(error.text)")
                }
            }
        }
        print("damaged \(folder): \(count.plans) plans, \(count.refused) refused")
    }
}
