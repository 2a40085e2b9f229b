import RefreshCore
import TestSupport
import Testing

@Suite("HTTP dates") struct HTTPDateTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    @Test(
        "have three forms",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "sun, 06 nov 1994 08:49:37 gmt", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun Nov 06 08:49:37 1994",
        ])
    func threeForms(text: String) {
        #expect(Timestamp(httpDate: text.utf8) == Timestamp(seconds: 784_111_777))
        #expect(Timestamp(httpDate: text.utf8, now: now) == Timestamp(seconds: 784_111_777))
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "0", "Sun", "Sun,", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06-Nov 1994 08:49:37 GMT",
            "Sun, 06  Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT",
            "Sxn, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
            "1994-11-06T08:49:37Z",
        ])
    func areNothingElse(text: String) {
        #expect(Timestamp(httpDate: text.utf8) == nil)
    }

    @Test(
        "with two digits mean the latest year at most 50 years ahead",
        arguments: [
            ("Friday, 01-Jan-77 00:00:00 GMT", "Sat, 01 Jan 1977 00:00:00 GMT"),
            ("Wednesday, 01-Jan-75 00:00:00 GMT", "Tue, 01 Jan 2075 00:00:00 GMT"),
            ("Thursday, 01-Jan-26 00:00:00 GMT", "Thu, 01 Jan 2026 00:00:00 GMT"),
            ("Saturday, 01-Jan-00 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"),
        ])
    func twoDigits(text: String, canonical: String) {
        #expect(Timestamp(httpDate: text.utf8, now: now)?.httpDate == canonical)
    }

    @Test("with two digits reach into the next century from near its end")
    func nextCentury() throws {
        let late = try #require(Timestamp(rfc3339: "2095-06-01T00:00:00Z".utf8))
        let read = Timestamp(httpDate: "Thursday, 01-Jan-05 00:00:00 GMT".utf8, now: late)
        #expect(read?.rfc3339 == "2105-01-01T00:00:00Z")
    }

    @Test("with two digits and no clock turn at 70")
    func withoutClock() {
        let texts = ["Thursday, 01-Jan-70 00:00:00 GMT", "Tuesday, 01-Jan-69 00:00:00 GMT"]
        #expect(texts.map { Timestamp(httpDate: $0.utf8)?.rfc3339.prefix(4) } == ["1970", "2069"])
    }

    @Test("are written as IMF-fixdate")
    func areWritten() {
        #expect(Timestamp(microseconds: 784_111_777_999_999).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(Timestamp(microseconds: .max).httpDate == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(Timestamp(microseconds: .min).httpDate == "Sat, 01 Jan 0000 00:00:00 GMT")
    }

    /// The corpus is for cookies, whose dates may be nearly anything and have no zones. Its canonical dates must be
    /// ours; of its odd ones we may read fewer, but none otherwise, save where an offset is written: a cookie's date
    /// ignores it, a feed's date means it.
    @Test(
        "agree with the cookie dates as far as they are read",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        var counts = ["canonical": 0, "strict": 0, "lenient": 0, "refused": 0, "offset": 0, "no date": 0]
        let cases = CorpusValue.lines(of: "http-dates/cases.jsonl")
        for item in cases {
            let input = try #require(item["input"].text)
            let expected = item["expected"]["http_date"].text
            if let expected {
                #expect(Timestamp(httpDate: expected.utf8)?.httpDate == expected)
                counts["canonical", default: 0] += 1
            }
            let strict = Timestamp(httpDate: input.utf8)?.httpDate
            #expect(strict == nil || strict == expected, "\(input)")
            let lenient = Timestamp(feedDate: input.utf8)?.httpDate
            let hasOffset = input.contains("-04") || input.contains("GMT-2")
            #expect(lenient == nil || lenient == expected || hasOffset, "\(input)")
            if expected == nil {
                // An offset is no excuse for taking one of these for a date.
                #expect(lenient == nil, "\(input)")
                counts["no date", default: 0] += 1
            }
            let kind =
                hasOffset ? "offset" : strict != nil ? "strict" : lenient != nil ? "lenient" : "refused"
            counts[kind, default: 0] += 1
        }
        #expect(cases.count == 41 && counts["no date"] == 6)
        print(
            "http-dates: \(cases.count) cases, \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
        )
    }
}
