import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// A date, read in every way there is; where a line feed stands in it, a format and a date in that.
    static let dates = FuzzTarget(
        "dates",
        texts: [
            "2024-12-13T12:20:29.123456-05:00", "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Mon, 21 Apr 2025 06:00:00 EDT", "2024-05", "20240501",
            "2006/09/15 08:19:53 EDT",
            "2003-335", "13 1월 2024 오후 3:04", "Thu, 1 Jan 1970 00:00 +0000", "1790000000", "1790000000123.5",
            "120",
            "%d.%m.%Y %H:%M:%S.%f %z\n31.12.1999 23:59:60.5 +01:00", "%s.%f\n-12.5",
            "%j %y %I %p\n366 00 12 am",
            "%a, %e %B %Y %T %Z\nMon,  1 January 2024 00:00:00 UTC",
        ],
        words: [
            "Jan", "December", "Mon", "Sunday", "GMT", "EDT", "+0000", "-23:59", "T", "Z", "%Y", "%m", "%d",
            "%H", "%I",
            "%p", "%f", "%z", "%s", "%j", "am", "p.m.", "9999", "0000-02-29", "24:00:00", "23:59:60",
        ]
    ) { input in
        let times = [
            Timestamp(rfc3339: input), Timestamp(rfc822: input), Timestamp(httpDate: input),
            Timestamp(httpDate: input, now: Timestamp(seconds: 1_700_000_000)), Timestamp(feedDate: input),
            Timestamp(written: input), FeedDate.timestamp(input), formatted(input),
        ]
        for case let time? in times {
            if let broken = brokenPromise(of: time) { return broken }
        }
        let now = Timestamp(seconds: 1_700_000_000)
        guard let wait = RetryAfter.parse(String(decoding: input, as: UTF8.self), now: now) else {
            return nil
        }
        return wait >= .zero && wait <= RetryAfter.longest ? nil : "a wait is out of its bounds"
    }

    private static func formatted(_ input: [UInt8]) -> Timestamp? {
        let (first, second) = halves(of: input)
        guard let format = try? TimeFormat(parsing: String(decoding: first, as: UTF8.self)) else {
            return nil
        }
        _ = format.text(of: Timestamp(microseconds: .max))
        _ = format.text(of: Timestamp(microseconds: .min), offset: -86_399)
        guard let time = format.read(second)?.timestamp else { return nil }
        _ = format.text(of: time, offset: 3_600)
        return time
    }

    private static func brokenPromise(of time: Timestamp) -> String? {
        guard let written = Timestamp(rfc3339: time.rfc3339.utf8) else { return "a time is written as none" }
        let isWithin = (0...9_999).contains(CivilTime(time).date.year)
        if isWithin, written != time { return "a time is another one when it is written and read again" }
        guard let date = Timestamp(httpDate: time.httpDate.utf8) else { return "an HTTP date is none" }
        let difference = written - date
        return difference >= .zero && difference < .seconds(1) ? nil : "an HTTP date is another time"
    }
}
