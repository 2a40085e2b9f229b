import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("An odd date of a feed") struct OddDateTests {
    static let dates: [(text: String, expected: String?)] = [
        // Korean, Greek and Hungarian, as programs there wrote them.
        ("2004년 05월 28일  01:31:15", "2004-05-27T16:31:15Z"),
        ("2004-05-25 오후 11:23:17", "2004-05-25T14:23:17Z"),
        ("2004-05-28 오전 01:31:15", "2004-05-27T16:31:15Z"),
        ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z"),
        ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00Z"),
        ("2004年5月28日 01:31:15", "2004-05-28T01:31:15Z"),
        // Other words.
        ("Mi, 3. Mai 2023 10:00:00 +0200", "2023-05-03T08:00:00Z"),
        ("Fr, 29 Dez 2017 10:00:00 MEZ", "2017-12-29T09:00:00Z"),
        ("lun., 05 févr. 2018 08:00:00 +0100", "2018-02-05T07:00:00Z"),
        ("15 de marzo de 2019", "2019-03-15T00:00:00Z"),
        ("Вт, 05 мая 2020 10:00:00 +0300", "2020-05-05T07:00:00Z"),
        // Clocks of twelve hours.
        ("Tue, 05 May 2020 03:04:05 PM", "2020-05-05T15:04:05Z"),
        ("05 May 2020 12:04 am GMT", "2020-05-05T00:04:00Z"),
        ("May 5, 2020 12:30 p.m.", "2020-05-05T12:30:00Z"),
        // Other orders and counts.
        ("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53Z"),
        ("2006/09/15 08:19:53", "2006-09-15T08:19:53Z"),
        ("2003-335", "2003-12-01T00:00:00Z"), ("2003335", "2003-12-01T00:00:00Z"), ("2003-366", nil),
        ("1588672805", "2020-05-05T10:00:05Z"), ("1588672805000", "2020-05-05T10:00:05Z"),
        // What the formats ask for, and near misses of it.
        ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"),
        ("Thu,01 Jan 04 19:48 GMT", "2004-01-01T19:48:00Z"),
        ("2004-07-08 23:56:58.0", "2004-07-08T23:56:58Z"), ("2003-12-31T10:14:55Z", "2003-12-31T10:14:55Z"),
        ("2003-12-31T25:14:55Z", nil), ("Mon, 21 Apr 2025 06:00:00 EDT", "2025-04-21T10:00:00Z"),
        ("Mon, 21 Apr 2025 06:00:00 MEST", "2025-04-21T04:00:00Z"),
        ("Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z"),
        ("soon", nil), ("", nil), ("오후", nil), (":", nil), ("年月日", nil),
    ]

    @Test("is read in whatever words and order it stands", arguments: dates)
    func reads(text: String, expected: String?) {
        #expect(FeedDate.timestamp(Array(text.utf8))?.rfc3339 == expected, "\(text)")
    }
}
