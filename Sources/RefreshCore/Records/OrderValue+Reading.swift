/// Order values out of what upstreams write.
extension OrderValue {
    /// The value as one of the kind asked for; null where it cannot be one.
    package init(_ value: ScalarValue, kind: SortPlan.Kind) {
        switch (kind, value.kind) {
        case (_, .null): self = .null
        case (.time, .string), (.time, .number):
            self = Timestamp(written: value.bytes).map { .time($0) } ?? .null
        case (.number, .string), (.number, .number):
            self = DecimalNumber(ASCII.trimmed(value.bytes)).map { .number($0) } ?? .null
        case (.text, _): self = .text(value.bytes)
        case (.time, .bool), (.number, .bool): self = .null
        }
    }
}

extension Timestamp {
    /// A time in any of the forms that upstreams use: those of `init(feedDate:)`, dates with slashes and the year
    /// first, and seconds, milliseconds, microseconds or nanoseconds since 1970. No zone is UTC.
    ///
    /// The unit of a number goes by its size: below 10^11 seconds (to the year 5138), below 10^14 milliseconds, below
    /// 10^17 microseconds. Fewer than nine digits without a sign or point are read as a date first (`2024`,
    /// `20240501`). Nil where no time can be made out.
    package init?(written bytes: [UInt8]) {
        let text = ASCII.trimmed(bytes)
        if text.count > 8 || !text.allSatisfy(ASCII.isDigit), let time = Timestamp(epoch: text) {
            self = time
            return
        }
        if let time = Timestamp(feedDate: text) ?? Timestamp(epoch: text) {
            self = time
            return
        }
        guard text.count >= 8, text.prefix(4).allSatisfy(ASCII.isDigit), text[text.startIndex + 4] == 0x2F
        else {
            return nil
        }
        self.init(feedDate: text.map { $0 == 0x2F ? 0x2D : $0 })
    }

    /// A number of seconds, milliseconds, microseconds or nanoseconds, by its size.
    private init?(epoch text: ArraySlice<UInt8>) {
        guard let number = DecimalNumber(text) else { return nil }
        // 0.digits × 10^exponent: an exponent of 11 is a number below 10^11.
        let power: Int
        switch number.exponent {
        case ...11: power = 6
        case 12...14: power = 3
        case 15...17: power = 0
        case 18...20: power = -3
        default: return nil
        }
        guard let microseconds = number.shifted(by: power) else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension DecimalNumber {
    /// The whole part of the number times 10^`power`; nil where 64 bits do not hold it.
    package func shifted(by power: Int) -> Int64? {
        let places = exponent + power
        guard places > 0 else { return 0 }
        guard places <= 19 else { return nil }
        var value: Int64 = 0
        for place in 0..<places {
            let (tens, tooMany) = value.multipliedReportingOverflow(by: 10)
            let digit = place < digits.count ? Int64(digits[place]) : 0
            let (sum, tooLarge) =
                isNegative
                ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            if tooMany || tooLarge { return nil }
            value = sum
        }
        return value
    }
}
