import RefreshCore
import Testing

@Suite("Log line") struct LogLineTests {
    private static let time = Timestamp(seconds: 1_700_000_000)
    private static let hostile = [
        "a\n<0>forged", "a\r\nb", "title \u{1B}]0;owned\u{07}", "next\u{85}line", "a\u{2028}b",
        "\u{202E}gnp.exe",
        "nul \u{0}", String(repeating: "é\n", count: 20_000),
    ]

    private func line(_ level: LogLevel, _ message: String, _ format: LogFormat) -> String {
        String(decoding: LogLine.bytes(level, message, at: LogLineTests.time, format: format), as: UTF8.self)
    }

    @Test("has the form that its reader expects")
    func forms() {
        #expect(line(.warning, "feed \"a\": late", .journal) == "<4>feed \"a\": late\n")
        #expect(line(.debug, "x", .journal) == "<7>x\n")
        #expect(line(.error, "x", .text) == "2023-11-14T22:13:20Z refreshd: error: x\n")
        #expect(line(.info, "x", .text) == "2023-11-14T22:13:20Z refreshd: x\n")
        #expect(
            line(.notice, "feed \"a\"", .json)
                == #"{"time":"2023-11-14T22:13:20Z","level":"notice","message":"feed \"a\""}"# + "\n")
    }

    @Test("is one line whatever stands in it", arguments: hostile, [LogFormat.text, .journal, .json])
    func oneLine(message: String, format: LogFormat) {
        let line = line(.info, message, format)
        #expect(line.utf8.count(where: { $0 == 0x0A }) == 1 && line.hasSuffix("\n"))
        #expect(line.dropLast().unicodeScalars.allSatisfy { !SafeText.isUnsafe($0) })
        #expect(line.utf8.count < 48 * 1_024)
    }
}
