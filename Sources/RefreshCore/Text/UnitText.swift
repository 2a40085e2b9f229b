/// What durations and sizes have in common: a whole number, and a unit directly behind it.
enum UnitText {
    /// The number at `place`, which moves behind it. `example` shows how to do without a fraction.
    static func number(_ bytes: [UInt8], at place: inout Int, example: String) throws(UnitFailure) -> Int64 {
        let start = place
        var value: Int64 = 0
        while place < bytes.count, ASCII.isDigit(bytes[place]) {
            let (tens, tooMany) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = tens.addingReportingOverflow(Int64(bytes[place] - 0x30))
            guard !tooMany, !tooLarge else { throw UnitFailure(offset: start, message: "number too large") }
            value = sum
            place += 1
        }
        guard place < bytes.count else { return value }
        switch bytes[place] {
        case 0x2D where place == start:
            throw UnitFailure(offset: place, message: "must not be negative")
        case 0x2E, 0x2C:
            throw UnitFailure(
                offset: place, message: #"whole numbers only; take a smaller unit, as in "\#(example)""#)
        case let byte where ASCII.isSpace(byte):
            throw UnitFailure(
                offset: place, message: #"no spaces; write it as one word, as in "\#(example)""#)
        default:
            guard place > start else {
                throw UnitFailure(offset: place, message: #"missing number; write for example "\#(example)""#)
            }
            return value
        }
    }

    /// Everything up to the next digit, point, sign or space; `place` moves behind it.
    static func unit(_ bytes: [UInt8], at place: inout Int) -> String {
        let start = place
        while place < bytes.count, !ASCII.isDigit(bytes[place]), !ASCII.isSpace(bytes[place]),
            ![0x2B, 0x2C, 0x2D, 0x2E].contains(bytes[place])
        {
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }
}
