import RefreshCore
import Testing

@Suite("Durations as text") struct DurationTextTests {
    @Test(
        "are read",
        arguments: [
            ("30s", Duration.seconds(30)), ("5m", .seconds(300)), ("1h30m", .seconds(5_400)),
            ("2d", .seconds(172_800)), ("500ms", .milliseconds(500)),
            ("1d2h3m4s5ms", .milliseconds(93_784_005)),
            ("0s", .zero), ("90m", .seconds(5_400)), ("36500d", .seconds(3_153_600_000)),
            ("7us", .microseconds(7)),
        ])
    func areRead(text: String, duration: Duration) throws {
        #expect(try DurationText.parse(text) == duration)
    }

    @Test(
        "are refused with the remedy",
        arguments: [
            ("30", 2, #"missing unit; write "30s""#), ("1h30", 4, #"missing unit; write "1h30m""#),
            ("", 0, #"missing duration; write for example "30s""#),
            ("30 s", 2, #"no spaces; write it as one word, as in "1h30m""#),
            ("1.5h", 1, #"whole numbers only; take a smaller unit, as in "1h30m""#),
            ("-5s", 0, "must not be negative"), ("s", 0, #"missing number; write for example "1h30m""#),
            ("5min", 1, #"unknown unit "min"; write "5m""#), ("5M", 1, #"unknown unit "M"; write "5m""#),
            ("2w", 1, #"unknown unit "w"; units are ms, s, m, h and d, as in "2s""#),
            ("30m1h", 3, #"units go from large to small, each once; write for example "1h30m""#),
            ("1h1h", 2, #"units go from large to small, each once; write for example "1h30m""#),
            ("36501d", 0, "too long; the longest is 36500d"),
            ("99999999999999999999s", 0, "number too large"),
            ("9223372036854775807d", 0, "too long; the longest is 36500d"),
            ("5s\u{0}", 1, "unknown unit \"s\u{0}\"; units are ms, s, m, h and d, as in \"5s\""),
        ])
    func areRefused(text: String, offset: Int, message: String) {
        #expect(throws: UnitFailure(offset: offset, message: message)) { try DurationText.parse(text) }
    }

    @Test(
        "are written as short as they read",
        arguments: [
            (Duration.zero, "0s"), (.seconds(90), "1m30s"), (.seconds(129_600), "1d12h"),
            (.milliseconds(1_500), "1s500ms"), (.seconds(-5), "-5s"), (.microseconds(1), "1us"),
            (.nanoseconds(999), "0s"),
        ])
    func areWritten(duration: Duration, text: String) throws {
        #expect(DurationText.format(duration) == text)
        if duration > .microseconds(0) && !text.hasPrefix("0") {
            #expect(try DurationText.parse(text) == duration)
        }
    }
}
