/// Times out of texts in a format.
extension TimeFormat {
    /// Nil where `bytes` are not in this format, or no clock shows such a time.
    ///
    /// White space in the format stands for any, also none; numbers may have fewer digits than usual, save where
    /// another follows at once; `%y` from 69 on is in the last century; digits of a fraction beyond the sixth are cut
    /// off; `%z` also takes `Z` and a colon; weekdays are not checked. What is not said is the first of its kind.
    package func read(_ bytes: some Collection<UInt8>) -> Reading? {
        var reader = DateReader(bytes)
        var fields = Fields()
        for piece in pieces {
            guard fields.take(piece, &reader) else { return nil }
        }
        reader.skip()
        return reader.isAtEnd ? fields.reading : nil
    }

    private struct Fields {
        var year = 1970
        var month = 1
        var day = 1
        var dayOfYear: Int?
        var hour = 0
        var isAfternoon: Bool?
        var minute = 0
        var second = 0
        var microsecond = 0
        var offset: Int?
        var epoch: Int64?

        var reading: Reading? {
            if let epoch {
                let time = Timestamp(seconds: epoch) + .microseconds(microsecond)
                return Reading(time: CivilTime(time), offset: 0)
            }
            guard let date else { return nil }
            var hour = hour
            if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
            return CivilTime(date: date, hour: hour, minute: minute, second: second, microsecond: microsecond)
                .map { Reading(time: $0, offset: offset) }
        }

        private var date: CivilDate? {
            guard let dayOfYear else { return CivilDate(year: year, month: month, day: day) }
            guard dayOfYear >= 1, dayOfYear <= (CivilDate.isLeap(year) ? 366 : 365) else { return nil }
            return CivilDate(year: year, month: 1, day: 1).map {
                CivilDate(daysSinceEpoch: $0.daysSinceEpoch + dayOfYear - 1)
            }
        }

        mutating func take(_ piece: Piece, _ reader: inout DateReader) -> Bool {
            switch piece {
            case .year: return number(&reader, 4, into: \.year)
            case .shortYear:
                guard number(&reader, 2, into: \.year) else { return false }
                year += year < 69 ? 2_000 : 1_900
                return true
            case .month: return number(&reader, 2, into: \.month)
            case .monthName:
                guard let found = DateNames.month(reader.word()) else { return false }
                month = found
                return true
            case .day: return number(&reader, 2, into: \.day)
            case .dayOfYear:
                guard let found = TimeFormat.number(&reader, 3) else { return false }
                dayOfYear = found
                return true
            case .weekday: return DateNames.isWeekday(reader.word())
            case .hour: return number(&reader, 2, into: \.hour)
            case .halfDayHour: return number(&reader, 2, into: \.hour) && (1...12).contains(hour)
            case .minute: return number(&reader, 2, into: \.minute)
            case .second: return number(&reader, 2, into: \.second)
            default: return takeOther(piece, &reader)
            }
        }

        private mutating func takeOther(_ piece: Piece, _ reader: inout DateReader) -> Bool {
            switch piece {
            case .halfDay:
                let word = reader.word()
                isAfternoon = word.elementsEqual("pm".utf8)
                return isAfternoon == true || word.elementsEqual("am".utf8)
            case .fraction:
                guard let found = reader.fractionDigits() else { return false }
                microsecond = found
            case .offset:
                guard let found = reader.zuluOrOffset() else { return false }
                offset = found
            case .zone:
                guard let found = ZoneNames.known(reader.word()) else { return false }
                offset = found
            case .epoch:
                guard let found = reader.signedNumber() else { return false }
                epoch = found
            case .blanks: reader.skip()
            case .byte(let byte): return reader.take(byte)
            default: return false
            }
            return true
        }

        private mutating func number(
            _ reader: inout DateReader, _ digits: Int, into field: WritableKeyPath<Fields, Int>
        ) -> Bool {
            guard let found = TimeFormat.number(&reader, digits) else { return false }
            self[keyPath: field] = found
            return true
        }
    }

    /// Up to so many digits; what comes behind them belongs to the next piece. Blanks fill up what is short.
    private static func number(_ reader: inout DateReader, _ digits: Int) -> Int? {
        reader.skip()
        return reader.prefix(digits)
    }
}
