/// Texts in a format out of times.
extension TimeFormat {
    /// `time` as a clock shows it that is `offset` seconds ahead of UTC.
    package func text(of time: Timestamp, offset: Int = 0) -> String {
        let clock = CivilTime(time + .seconds(offset))
        var text: [UInt8] = []
        for piece in pieces { append(piece, clock, time, offset, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private func append(
        _ piece: Piece, _ clock: CivilTime, _ time: Timestamp, _ offset: Int, to text: inout [UInt8]
    ) {
        switch piece {
        case .year: append(clock.date.year, 4, to: &text)
        case .shortYear: append(((clock.date.year % 100) + 100) % 100, 2, to: &text)
        case .month: append(clock.date.month, 2, to: &text)
        case .monthName(let isLong):
            text.append(contentsOf: DateNames.name(ofMonth: clock.date.month, isLong: isLong).utf8)
        case .day(let isPadded):
            if isPadded && clock.date.day < 10 { text.append(0x20) }
            append(clock.date.day, isPadded ? 1 : 2, to: &text)
        case .dayOfYear:
            let first = CivilDate(year: clock.date.year, month: 1, day: 1) ?? clock.date
            append(clock.date.daysSinceEpoch - first.daysSinceEpoch + 1, 3, to: &text)
        case .weekday(let isLong):
            text.append(contentsOf: DateNames.name(ofWeekday: clock.date.weekday, isLong: isLong).utf8)
        case .hour: append(clock.hour, 2, to: &text)
        case .halfDayHour: append((clock.hour + 11) % 12 + 1, 2, to: &text)
        case .halfDay: text.append(contentsOf: (clock.hour < 12 ? "AM" : "PM").utf8)
        case .minute: append(clock.minute, 2, to: &text)
        case .second: append(clock.second, 2, to: &text)
        case .fraction: append(clock.microsecond, 6, to: &text)
        case .offset: append(offset: offset, to: &text)
        case .zone:
            if offset == 0 { text.append(contentsOf: "UTC".utf8) } else { append(offset: offset, to: &text) }
        case .epoch:
            let (whole, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            text.append(contentsOf: String(rest < 0 ? whole - 1 : whole).utf8)
        case .blanks: text.append(0x20)
        case .byte(let byte): text.append(byte)
        }
    }

    private func append(_ number: Int, _ digits: Int, to text: inout [UInt8]) {
        let written = String(number.magnitude)
        if number < 0 { text.append(0x2D) }
        text.append(contentsOf: repeatElement(0x30, count: max(0, digits - written.utf8.count)))
        text.append(contentsOf: written.utf8)
    }

    private func append(offset: Int, to text: inout [UInt8]) {
        text.append(offset < 0 ? 0x2D : 0x2B)
        let minutes = Int(offset.magnitude) / 60
        text.append(pair: minutes / 60)
        text.append(pair: minutes % 60)
    }
}
