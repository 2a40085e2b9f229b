import RefreshCore
import RefreshFormats

/// What tells the rows of a table apart.
enum CSVGuess {
    private static let delimiters: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]

    /// False where the text is no table.
    static func fill(_ suggestion: inout Suggestion, _ bytes: ArraySlice<UInt8>, type: MediaType?) -> Bool {
        let names = header(bytes)
        guard names.count > 1 else { return false }
        var columns: [KeyGuess.Column] = []
        for name in names {
            var plan = RecordsPlan()
            plan.key = [.column(name)]
            guard let page = try? CSVRecords.page(of: bytes, contentType: type, plan: plan) else {
                return false
            }
            let keys: [[UInt8]?] = page.rows.map { $0.key.bytes }
            columns.append(
                KeyGuess.Column(
                    path: name, name: name, values: keys + Array(repeating: nil, count: page.rejected)))
        }
        guard let rows = columns.first?.values.count, rows > 0 else { return false }
        suggestion.what += " of \(Wording.count(rows, "row"))"
        let time = KeyGuess.time(of: columns)
        if let key = KeyGuess.key(of: columns.filter { $0.path != time }) ?? KeyGuess.key(of: columns) {
            suggestion.set("key", KeyGuess.text(key), because: key.reason)
        } else {
            suggestion.set(
                "key", YAMLText.scalar(names[0]), because: "a guess: no column has a value in each row")
        }
        if let time { suggestion.set("sort", "{by: \(YAMLText.scalar(time)), type: time}") }
        return true
    }

    /// The names in the first line, cut by the mark that stands there most often.
    private static func header(_ bytes: ArraySlice<UInt8>) -> [String] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        let delimiter = delimiters.max { left, right in line.count { $0 == left } < line.count { $0 == right }
        }
        guard let delimiter, line.contains(delimiter), line.count < 65_536 else { return [] }
        var names: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line {
            if byte == 0x22 {
                isQuoted.toggle()
            } else if byte == delimiter, !isQuoted {
                names.append([])
            } else {
                names[names.count - 1].append(byte)
            }
        }
        let texts = names.map { String(decoding: $0, as: UTF8.self) }
        return texts.contains("") || Set(texts).count < texts.count ? texts.filter { !$0.isEmpty } : texts
    }
}
