import RefreshCore
import Testing

@Suite("Formats of times") struct TimeFormatTests {
    static let read: [(format: String, text: String, time: String, offset: Int?)] = [
        ("%Y-%m-%d", "2024-03-05", "2024-03-05T00:00:00Z", nil),
        ("%Y-%m-%dT%H:%M:%S.%f%z", "2024-03-05T10:00:00.5+0130", "2024-03-05T08:30:00.500Z", 5_400),
        ("%FT%T%z", "2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z", 0),
        ("%F %R %z", "2024-03-05 10:00 -05:00", "2024-03-05T15:00:00Z", -18_000),
        ("%Y%m%d%H%M%S", "20240305100203", "2024-03-05T10:02:03Z", nil),
        ("%d/%b/%Y:%H:%M:%S %z", "05/Mar/2024:10:00:00 +0000", "2024-03-05T10:00:00Z", 0),
        ("%a, %d %B %Y %I:%M %p", "Tue, 5 march 2024 01:30 PM", "2024-03-05T13:30:00Z", nil),
        ("%A %e %h %y %I%p", "Tuesday  5 Mar 24 12AM", "2024-03-05T00:00:00Z", nil),
        ("%D", "03/05/69", "1969-03-05T00:00:00Z", nil), ("%D", "3/5/68", "2068-03-05T00:00:00Z", nil),
        ("%Y-%j", "2024-366", "2024-12-31T00:00:00Z", nil), ("%Y", "2024", "2024-01-01T00:00:00Z", nil),
        ("%s", "1709632800", "2024-03-05T10:00:00Z", 0), ("%s", "-1", "1969-12-31T23:59:59Z", 0),
        ("%s.%f", "1709632800.25", "2024-03-05T10:00:00.250Z", 0),
        ("%d.%m.%Y %H Uhr", "5.3.2024 8 Uhr", "2024-03-05T08:00:00Z", nil),
        ("%F %T %Z", "2024-03-05 10:00:00 EST", "2024-03-05T15:00:00Z", -18_000),
        ("%n%Y%t%m%%", "  2024   3%", "2024-03-01T00:00:00Z", nil),
        ("%T %F", "10:00:00 2024-03-05", "2024-03-05T10:00:00Z", nil),
        ("%S.%f %Y", "1.123456789 2024", "2024-01-01T00:00:01.123456Z", nil),
    ]

    @Test("read what they describe", arguments: read)
    func reads(format: String, text: String, time: String, offset: Int?) throws {
        let reading = try #require(try TimeFormat(parsing: format).read(text.utf8))
        #expect(reading.timestamp.rfc3339 == time)
        #expect(reading.offset == offset)
    }

    @Test(
        "read nothing else",
        arguments: [
            ("%Y-%m-%d", "2024-13-05"), ("%Y-%m-%d", "2023-02-29"), ("%Y-%m-%d", "2024-03-05T"),
            ("%Y-%m-%d", "2024-03"),
            ("%Y-%m-%d", ""), ("%Y-%m-%d", "20240305"), ("%Y %H", "2024 24"), ("%Y %b", "2024 Mrz"),
            ("%Y %I%p", "2024 13PM"),
            ("%Y %I%p", "2024 1XM"), ("%Y-%j", "2023-366"), ("%Y-%j", "2024-0"), ("%F %Z", "2024-03-05 XYZ"),
            ("%F %z", "2024-03-05 0100"), ("%F%z", "2024-03-05"), ("%s", "12a"),
            ("%s", "9999999999999999999"), ("%s", ""),
            ("%Y.%f", "2024."), ("%a %F", "Xyz 2024-03-05"), ("%Y", "20245"),
        ])
    func readsNothingElse(format: String, text: String) throws {
        #expect(try TimeFormat(parsing: format).read(text.utf8) == nil)
    }

    @Test(
        "are refused with place and remedy",
        arguments: [
            ("%Y-%Q", 3, "unknown letter %Q; known are %Y %m %d %H %M %S %f %z and further ones of strptime"),
            ("%Y%", 2, #"a letter is missing after "%"; a percent sign is "%%""#),
            ("%m-%d", 0, "the format says no year; it needs %Y, %y, %D, %F or %s"),
            ("", 0, "the format says no year; it needs %Y, %y, %D, %F or %s"),
            ("%F %I", 0, "hours of half a day need both %I and %p; %H counts to 23"),
            ("%F %p", 0, "hours of half a day need both %I and %p; %H counts to 23"),
            ("%Y%é", 2, "unknown letter %; known are %Y %m %d %H %M %S %f %z and further ones of strptime"),
        ])
    func areRefused(format: String, offset: Int, message: String) {
        let failure = #expect(throws: TimeFormat.Failure.self) { try TimeFormat(parsing: format) }
        #expect(failure?.offset == offset && failure?.message == message)
    }

    @Test(
        "write what they read",
        arguments: [
            ("%Y-%m-%dT%H:%M:%S.%f%z", "2024-03-05T07:08:09.012345+0130"),
            ("%FT%T%z", "2024-12-31T23:08:09+0130"),
            ("%a, %d %b %Y %H:%M:%S %z", "Tue, 05 Mar 2024 07:08:09 +0130"),
            ("%A %e %B %y", "Tuesday  5 March 24"),
            ("%Y-%j %I:%M %p", "2024-065 12:08 PM"), ("%s", "1709615289"), ("%D %R", "03/05/24 07:08"),
            ("%Y%m%d%H%M%S", "20240305070809"), ("%s.%f", "1709615289.500000"),
        ])
    func writes(format: String, text: String) throws {
        let format = try TimeFormat(parsing: format)
        let reading = try #require(format.read(text.utf8))
        #expect(format.text(of: reading.timestamp, offset: reading.offset ?? 0) == text)
    }

    @Test("write names of zones only for UTC, and times before 1970")
    func writesZones() throws {
        let format = try TimeFormat(parsing: "%F %T %Z")
        #expect(format.text(of: Timestamp(seconds: -1)) == "1969-12-31 23:59:59 UTC")
        #expect(format.text(of: Timestamp(seconds: 0), offset: -9_000) == "1969-12-31 21:30:00 -0230")
        #expect(try TimeFormat(parsing: "%s").text(of: Timestamp(microseconds: -1)) == "-1")
    }
}
