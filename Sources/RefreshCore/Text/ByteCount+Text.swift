/// Sizes as people write them: `512B`, `64KiB`, `8MiB`.
extension ByteCount {
    private static let units: [(name: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
    ]

    /// Reads a whole number with one of the units B, KiB, MiB, GiB and TiB.
    ///
    /// Others are refused: `MB` is a million bytes to some and 1,048,576 to others.
    package init(parsing text: String) throws(UnitFailure) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else {
            throw UnitFailure(offset: 0, message: #"missing size; write for example "64KiB""#)
        }
        var place = 0
        let number = try UnitText.number(bytes, at: &place, example: "1536MiB")
        let start = place
        let name = UnitText.unit(bytes, at: &place)
        guard let unit = ByteCount.units.first(where: { $0.name == name }) else {
            throw ByteCount.wrongUnit(name, at: start, number: number)
        }
        guard place == bytes.count else {
            throw UnitFailure(offset: place, message: #"one number and one unit only, as in "1536MiB""#)
        }
        let (product, tooLarge) = Int(number).multipliedReportingOverflow(by: unit.bytes)
        guard !tooLarge else { throw UnitFailure(offset: 0, message: "too large; at most 8388607TiB") }
        self.init(product)
    }

    /// The shortest text that reads as this size.
    package var text: String {
        let unit = bytes == 0 ? nil : ByteCount.units.first { bytes.isMultiple(of: $0.bytes) }
        guard let unit else { return "\(bytes)B" }
        return "\(bytes / unit.bytes)\(unit.name)"
    }

    private static func wrongUnit(_ name: String, at offset: Int, number: Int64) -> UnitFailure {
        if name.isEmpty {
            return UnitFailure(
                offset: offset, message: #"missing unit; write "\#(number)MiB", or "\#(number)B" for bytes"#)
        }
        let letter = name.utf8.first.map(ASCII.lowercased)
        let meant = units.first { $0.name.utf8.first.map(ASCII.lowercased) == letter }?.name
        return UnitFailure(
            offset: offset,
            message: meant.map { #"unknown unit "\#(name)"; write "\#(number)\#($0)""# }
                ?? #"unknown unit "\#(name)"; units are B, KiB, MiB, GiB and TiB, as in "\#(number)MiB""#)
    }
}
