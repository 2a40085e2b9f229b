extension Cron {
    /// The first slot after `time`, or nil where none comes within fifty years.
    ///
    /// A slot in an hour that the zone's clock skips runs at the next valid minute, one in an hour that it shows twice
    /// runs the first time only. An hour field that starts with `*` runs through both hours as they pass (refresh
    /// policy 2.5).
    package func next(after time: Timestamp, in zone: Zone) -> Timestamp? {
        let from = time + .microseconds(1)
        return hours.isOpen ? running(from: from, zone.rules) : fixed(from: from, zone.rules)
    }

    /// Slots are readings of the clock, each of which happens once.
    private func fixed(from time: Timestamp, _ rules: any ZoneRules) -> Timestamp? {
        var clock = time + .seconds(rules.offset(at: time))
        while let slot = firstReading(from: clock) {
            let start =
                switch rules.instants(of: slot) {
                case .one(let instant): instant
                case .skipped(let transition): transition
                case .twice(let first, _): first
                }
            if start >= time { return start }
            clock = slot + .seconds(60)
        }
        return nil
    }

    /// Slots are what the clock shows as it runs: none in what it skips, and again in what it repeats.
    private func running(from time: Timestamp, _ rules: any ZoneRules) -> Timestamp? {
        var time = time
        // A zone changes its clock a few times a year at most.
        for _ in 0..<1_000 {
            let offset = rules.offset(at: time)
            guard let slot = firstReading(from: time + .seconds(offset)) else { return nil }
            let start = slot + .seconds(-offset)
            // A clock repeats a day at most; what comes later is shown by its reading alone.
            let horizon = min(start, time + .seconds(90_000))
            if rules.offset(at: horizon) != offset {
                time = Cron.change(after: time, until: horizon, rules)
            } else if start == horizon {
                return start
            } else {
                switch rules.instants(of: slot) {
                case .one(let instant), .twice(let instant, _): return instant
                case .skipped(let transition): time = transition
                }
            }
        }
        return nil
    }

    /// The first instant of another offset, between two instants of different ones.
    private static func change(after start: Timestamp, until end: Timestamp, _ rules: any ZoneRules)
        -> Timestamp
    {
        let offset = rules.offset(at: start)
        var (before, after) = (start.microseconds, end.microseconds)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if rules.offset(at: Timestamp(microseconds: middle)) == offset {
                before = middle
            } else {
                after = middle
            }
        }
        return Timestamp(microseconds: after)
    }

    /// The first slot that a clock shows from the reading `clock` on, as readings of a clock in UTC.
    private func firstReading(from clock: Timestamp) -> Timestamp? {
        let minute = CivilTime(clock + .microseconds(59_999_999))
        if matches(minute.date), months.contains(minute.date.month),
            let slot = slot(on: minute.date, fromHour: minute.hour, minute: minute.minute)
        {
            return slot
        }
        guard let date = nextDate(after: minute.date) else { return nil }
        return slot(on: date, fromHour: 0, minute: 0)
    }

    private func slot(on date: CivilDate, fromHour: Int, minute: Int) -> Timestamp? {
        guard var hour = hours.first(from: fromHour) else { return nil }
        var first = minutes.first(from: hour == fromHour ? minute : 0)
        if first == nil {
            guard let later = hours.first(from: hour + 1) else { return nil }
            hour = later
            first = minutes.first(from: 0)
        }
        return first.flatMap { CivilTime(date: date, hour: hour, minute: $0)?.timestamp() }
    }

    private func nextDate(after date: CivilDate) -> CivilDate? {
        var day = date.daysSinceEpoch + 1
        let last = day + 50 * 366
        while day < last {
            let date = CivilDate(daysSinceEpoch: day)
            guard months.contains(date.month) else {
                day += CivilDate.days(inMonth: date.month, of: date.year) - date.day + 1
                continue
            }
            if matches(date) { return date }
            day += 1
        }
        return nil
    }
}
