/// The digits of written dates.
extension [UInt8] {
    /// Appends a number from 0 to 99 in two digits.
    mutating func append(pair number: Int) {
        append(0x30 + UInt8(truncatingIfNeeded: number / 10))
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a year from 0 to 9999 in four digits.
    mutating func append(yearOf time: CivilTime) {
        append(pair: time.date.year / 100)
        append(pair: time.date.year % 100)
    }

    /// Appends `hh:mm:ss`.
    mutating func append(clockOf time: CivilTime) {
        append(pair: time.hour)
        append(0x3A)
        append(pair: time.minute)
        append(0x3A)
        append(pair: time.second)
    }
}
