import RefreshCore
import TestSupport
import Testing

@Suite("RFC 3339 dates") struct RFC3339Tests {
    @Test(
        "are read to the microsecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1985-04-12T23:20:50.52Z", 482_196_050_520_000),
            ("1996-12-19T16:39:57-08:00", 851_042_397_000_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000),
            ("2026-01-31t08:30:00.123456789z", 1_769_848_200_123_456),
            ("1969-12-31T23:59:59.999999Z", -1), ("2024-02-29T00:00:00-00:00", 1_709_164_800_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("2024-01-01T00:00:00+23:59", 1_703_980_860_000_000),
        ])
    func areRead(text: String, microseconds: Int64) {
        #expect(Timestamp(rfc3339: text.utf8)?.microseconds == microseconds)
        #expect(Timestamp(rfc3339: Array(text.utf8)[...])?.microseconds == microseconds)
        // Bytes that do not lie in one piece.
        #expect(Timestamp(rfc3339: text.utf8.lazy.map { $0 })?.microseconds == microseconds)
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "Z", "2024", "2024-05-01", "2024-05-01T10:00Z", "2024-05-01 10:00:00Z", "2024-05-01T10:00:00",
            "2024-05-01T10:00:00.Z", "2024-05-01T10:00:00,5Z", "2024-05-01T10:00:00+0100",
            "2024-05-01T10:00:00+1:00", "2024-05-01T10:00:00+24:00", "2024-05-01T10:00:00 Z",
            " 2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z ", "2024-05-01T10:00:60Z", "2024-13-01T10:00:00Z",
            "2023-02-29T10:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T10:60:00Z", "2024-05-01T10:00:00.5",
            "2024/05/01T10:00:00Z", "20240501T100000Z", "-024-05-01T10:00:00Z",
            "2024-05-01T10:00:00.0000+01:0",
            "2024-05-01T10:00:00\u{0}", "2024-05-01T-1:00:00Z",
        ])
    func areNothingElse(text: String) {
        #expect(Timestamp(rfc3339: text.utf8) == nil)
    }

    @Test(
        "put a leap second at the end of a month, before what follows",
        arguments: ["2016-12-31T23:59:60Z", "2016-12-31T23:59:60.7Z", "2016-12-31T15:59:60-08:00"])
    func leapSecond(text: String) throws {
        let leap = try #require(Timestamp(rfc3339: text.utf8))
        #expect(leap.rfc3339 == "2016-12-31T23:59:59.999999Z")
    }

    @Test("have no leap second in the middle of a month")
    func noLeapSecond() {
        #expect(Timestamp(rfc3339: "2016-12-30T23:59:60Z".utf8) == nil)
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:60+01:00".utf8) == nil)
    }

    @Test(
        "are written with the fraction that it takes",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_000, "1970-01-01T00:00:00.001Z"),
            (1, "1970-01-01T00:00:00.000001Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (951_827_696_120_000, "2000-02-29T12:34:56.120Z"),
            (Int64.max, "9999-12-31T23:59:59.999999Z"), (Int64.min, "0000-01-01T00:00:00Z"),
        ])
    func areWritten(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test("come back as they were written")
    func comeBack() {
        var microseconds: Int64 = -62_167_219_200_000_000
        while microseconds < 253_402_300_799_999_999 {
            let time = Timestamp(microseconds: microseconds)
            #expect(Timestamp(rfc3339: time.rfc3339.utf8) == time)
            #expect(Timestamp(httpDate: time.httpDate.utf8)?.microseconds == floor(microseconds))
            microseconds += 9_876_543_211_013
        }
    }

    private func floor(_ microseconds: Int64) -> Int64 {
        let rest = microseconds % 1_000_000
        return microseconds - (rest < 0 ? rest + 1_000_000 : rest)
    }

    @Test(
        "agree with the date-time cases of JSON Schema",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        let cases = CorpusValue.lines(of: "string-formats/cases.jsonl").filter {
            $0["format"].text == "date-time"
        }
        #expect(cases.count >= 24)
        for item in cases {
            let input = try #require(item["input"].text)
            #expect(
                (Timestamp(rfc3339: input.utf8) != nil) == item["expected"]["valid"].isTrue, "\(item["name"])"
            )
        }
        print("string-formats date-time: \(cases.count) of \(cases.count) cases")
    }
}
