import RefreshCore

/// What a CSV text is cut by.
struct CSVDialect: Equatable {
    var delimiter = UInt8(ascii: ",")
    /// Lines that begin so are left out; empty is none.
    var comment: [UInt8] = []
    /// Whether a carriage return alone ends a line.
    var breaksAtReturn = false

    /// What `plan` says, and of the rest what `text` looks like.
    init(of text: [UInt8], plan: CSVPlan) {
        comment = Array((plan.comment ?? "").utf8)
        breaksAtReturn = CSVDialect.breaksAtReturn(text)
        delimiter = plan.delimiter ?? guess(text, skip: plan.skip)
    }

    // MARK: - Line ends

    /// Whether the first line outside quotes ends with a carriage return alone.
    private static func breaksAtReturn(_ text: [UInt8]) -> Bool {
        guard let first = text.firstIndex(of: 0x0D) else { return false }
        guard let feed = text.firstIndex(of: 0x0A) else { return true }
        if feed < first, !text[..<feed].contains(0x22) { return false }
        var isQuoted = false
        for (index, byte) in text.enumerated() {
            switch byte {
            case 0x22: isQuoted.toggle()
            case 0x0A where !isQuoted: return false
            case 0x0D where !isQuoted: return text[(index + 1)...].first != 0x0A
            default: break
            }
        }
        return false
    }

    // MARK: - Delimiter

    private static let candidates: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
    /// How much of a text a guess looks at.
    private static let sample = (bytes: 65_536, rows: 100)

    /// The candidate that cuts the first rows into equally many fields, the most of them; a comma where none does.
    private func guess(_ text: [UInt8], skip: Int) -> UInt8 {
        let start = Array(text.prefix(CSVDialect.sample.bytes))
        var best = (delimiter: UInt8(ascii: ","), odd: Int.max, fields: 1)
        for candidate in CSVDialect.candidates {
            var dialect = self
            dialect.delimiter = candidate
            let counts = dialect.fieldCounts(start, skip: skip, isCut: start.count < text.count)
            guard let first = counts.first, first > 1 else { continue }
            let odd = counts.count { $0 != first }
            if (odd, -first) < (best.odd, -best.fields) { best = (candidate, odd, first) }
        }
        return best.delimiter
    }

    /// How many fields each of the first rows has.
    private func fieldCounts(_ text: [UInt8], skip: Int, isCut: Bool) -> [Int] {
        var reader = CSVReader(text, dialect: self)
        reader.skip(lines: skip)
        var counts: [Int] = []
        while counts.count < CSVDialect.sample.rows, (try? reader.next()) == true {
            if reader.isBlank || isCut && reader.place == text.count { continue }
            counts.append(reader.fields.count)
        }
        return counts
    }
}
