import RefreshCore
import Testing

@Suite("Calendar") struct CivilTimeTests {
    @Test(
        "counts days from 1970 on",
        arguments: [
            (1970, 1, 1, 0, 4), (1969, 12, 31, -1, 3), (2000, 2, 29, 11_016, 2), (2000, 3, 1, 11_017, 3),
            (1900, 3, 1, -25_508, 4), (2026, 1, 31, 20_484, 6), (0, 1, 1, -719_528, 6),
            (9999, 12, 31, 2_932_896, 5),
        ])
    func countsDays(year: Int, month: Int, day: Int, days: Int, weekday: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSinceEpoch == days)
        #expect(date.weekday == weekday)
        #expect(CivilDate(daysSinceEpoch: days) == date)
    }

    @Test("knows every day of eight centuries by its neighbour")
    func neighbours() throws {
        var date = try #require(CivilDate(year: 1600, month: 1, day: 1))
        for days in (date.daysSinceEpoch + 1)...(date.daysSinceEpoch + 292_193) {
            let next = CivilDate(daysSinceEpoch: days)
            let sameMonth = next.month == date.month && next.day == date.day + 1
            let nextMonth = next.day == 1 && date.isLastOfMonth && next.month == date.month % 12 + 1
            #expect(sameMonth || nextMonth, "\(date) is followed by \(next)")
            #expect(next.daysSinceEpoch == days)
            date = next
        }
        #expect(date == CivilDate(year: 2399, month: 12, day: 31))
    }

    @Test(
        "has no such days",
        arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0)])
    func refusesDays(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test("tells times before 1970 and at the ends of its range")
    func tellsTimes() {
        let before = CivilTime(Timestamp(microseconds: -1))
        #expect(before.date == CivilDate(year: 1969, month: 12, day: 31))
        #expect([before.hour, before.minute, before.second, before.microsecond] == [23, 59, 59, 999_999])
        let ends = [Int64.min, .max].map { CivilTime(Timestamp(microseconds: $0)).date.year }
        #expect(ends == [-290_308, 294_247])
    }
}
