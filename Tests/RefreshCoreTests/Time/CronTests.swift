import RefreshCore
import TestSupport
import Testing

@Suite("Cron expressions") struct CronTests {
    @Test(
        "are refused with the place and the remedy",
        arguments: [
            ("", 0, "has 0 of 5 fields; write minute, hour, day, month and weekday, as in \"30 6 * * *\""),
            ("5 4", 3, "has 2 of 5 fields; write minute, hour, day, month and weekday, as in \"30 6 * * *\""),
            ("0 0 * * * *", 10, "has more than 5 fields; seconds and years are not among them"),
            ("61 * * * *", 0, "no minute is 61; write 0 to 59"),
            ("0 24 * * *", 2, "no hour is 24; write 0 to 23"),
            ("0 0 0 * *", 4, "no day of the month is 0; write 1 to 31"),
            ("0 0 * foo *", 6, "\"foo\" is no month; write 1 to 12 or jan to dec, or \"*\""),
            ("0 0 * * 8", 8, "no day of the week is 8; write 0 to 7"),
            ("*/0 * * * *", 2, "a step of 0 goes nowhere; write 1 or more"),
            ("*/x * * * *", 2, "\"x\" is no minute; write a step, as in \"*/15\""),
            ("0 20-4 * * *", 2, "a range goes upwards; write it as two, joined by a comma"),
            ("0 1, * * *", 4, "hour is missing; write 0 to 23, or \"*\""),
            (
                "H * * * *", 0,
                "no hash values here, the daemon's \"jitter\" spreads starts; write 0 to 59, or \"*\""
            ),
            ("0 0 30 2 *", 4, "no such date in any year; change the day of the month or the month"),
            (
                "@often", 0,
                "unknown short form; write @hourly, @daily, @weekly, @monthly or @yearly, or five fields"
            ),
            ("99999999999999999999 * * * *", 0, "no minute is 1000000000; write 0 to 59"),
        ])
    func areRefused(text: String, offset: Int, message: String) {
        #expect(throws: Cron.Failure(offset: offset, message: message)) { try Cron(parsing: text) }
    }

    @Test(
        "know the short forms",
        arguments: [
            ("@hourly", "2026-01-01T01:00:00Z"), ("@daily", "2026-01-02T00:00:00Z"),
            ("@midnight", "2026-01-02T00:00:00Z"), ("@weekly", "2026-01-04T00:00:00Z"),
            (" @Monthly ", "2026-02-01T00:00:00Z"), ("@annually", "2027-01-01T00:00:00Z"),
        ])
    func shortForms(text: String, next: String) throws {
        let start = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z".utf8))
        #expect(try Cron(parsing: text).next(after: start, in: .utc) == Timestamp(rfc3339: next.utf8))
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let cron: String
        let zone: String
        let after: String
        let next: [String]

        var testDescription: String { name }
    }

    /// Berlin skips 02:00–03:00 at 2026-03-29T01:00Z and repeats it at 2026-10-25T01:00Z.
    @Test(
        "run once per slot of the local clock",
        arguments: [
            Change(
                name: "a skipped slot runs at the next valid minute, then at its own",
                cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-03-28T12:00:00Z",
                next: ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
            Change(
                name: "many slots of a skipped hour are one run",
                cron: "*/10 2 * * *", zone: "Europe/Berlin", after: "2026-03-28T12:00:00Z",
                next: ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
            Change(
                name: "a doubled slot runs the first time only",
                cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-24T12:00:00Z",
                next: ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
            Change(
                name: "asked between the two hours it does not run again",
                cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-25T01:10:00Z",
                next: ["2026-10-26T01:30:00Z"]),
            Change(
                name: "an open hour runs through both hours",
                cron: "30 * * * *", zone: "Europe/Berlin", after: "2026-10-25T00:00:00Z",
                next: ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"]),
            Change(
                name: "an open hour has nothing to make up for in spring",
                cron: "30 * * * *", zone: "Europe/Berlin", after: "2026-03-29T00:00:00Z",
                next: ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"]),
            Change(
                name: "a step of open hours counts by the clock that is shown",
                cron: "0 */2 * * *", zone: "Europe/Berlin", after: "2026-10-24T23:00:00Z",
                next: ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T03:00:00Z"]),
            Change(
                name: "a change of half an hour",
                cron: "15 2 * * *", zone: "Australia/Lord_Howe", after: "2026-10-03T00:00:00Z",
                next: ["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]),
            Change(
                name: "a day that a zone left out",
                cron: "0 9 * * *", zone: "Pacific/Apia", after: "2011-12-29T12:00:00Z",
                next: ["2011-12-29T19:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T19:00:00Z"]),
            Change(
                name: "the leap day of a century that has none",
                cron: "0 0 29 2 *", zone: "UTC", after: "2096-03-01T00:00:00Z",
                next: ["2104-02-29T00:00:00Z"]),
        ])
    func runsOnce(_ item: Change) throws {
        let cron = try Cron(parsing: item.cron)
        let zone = try #require(item.zone == "UTC" ? Zone.utc : TZifZone.zone(item.zone))
        var time = try #require(Timestamp(rfc3339: item.after.utf8))
        for expected in item.next {
            let next = try #require(cron.next(after: time, in: zone))
            #expect(next == Timestamp(rfc3339: expected.utf8))
            time = next
        }
    }

    @Test("every time is later than the one before, through every change of a zone's clock")
    func goesForward() throws {
        let zone = try #require(TZifZone.zone("Europe/Dublin"))
        for text in ["*/7 * * * *", "*/7 0-3 * * *", "30 */3 1 * *", "0 0 L * 1"] {
            let cron = try Cron(parsing: text)
            var time = Timestamp(seconds: 1_700_000_000)
            for _ in 0..<2_000 {
                let next = try #require(cron.next(after: time, in: zone))
                #expect(next > time)
                time = next
            }
        }
    }
}
