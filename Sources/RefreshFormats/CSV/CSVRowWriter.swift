import RefreshCore

/// Writes rows as JSON objects, one behind the other in one buffer.
struct CSVRowWriter {
    private(set) var text: [UInt8] = []
    private let columns: CSVColumns
    private let limits: RecordLimits

    init(columns: CSVColumns, limits: RecordLimits) {
        self.columns = columns
        self.limits = limits
    }

    /// The reader's current row; what is refused leaves nothing behind.
    mutating func row(_ reader: CSVReader) -> Result<RecordPage.Row, RecordRefusal> {
        let start = text.count
        do throws(RecordRefusal) {
            try check(reader)
            let key = try key(of: reader)
            write(reader)
            let body = start..<text.count
            guard body.count <= limits.item.bytes else {
                throw .longRecord(bytes: body.count, limit: limits.item)
            }
            return .success(RecordPage.Row(key: key, body: body, hash: ContentHash.of(text[body])))
        } catch {
            text.removeSubrange(start...)
            return .failure(error)
        }
    }

    private func check(_ reader: CSVReader) throws(RecordRefusal) {
        let count = columns.names.count
        if reader.fields.count > count, reader.fields[count...].contains(where: { !$0.range.isEmpty }) {
            throw .surplusFields(found: reader.fields.count, known: count)
        }
    }

    private func key(of reader: CSVReader) throws(RecordRefusal) -> RecordKey {
        var parts: [[UInt8]] = []
        for column in columns.key {
            guard column < reader.fields.count else { throw .absent(path: name(column)) }
            parts.append(Array(reader.bytes(of: reader.fields[column])))
        }
        return try limits.key(of: parts, named: columns.key.first.map(name) ?? "")
    }

    private func name(_ column: Int) -> String { String(decoding: columns.names[column], as: UTF8.self) }

    private mutating func write(_ reader: CSVReader) {
        text.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in columns.members where member.column < reader.fields.count {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            text.append(contentsOf: member.name)
            let field = reader.fields[member.column]
            if field.needsEscape {
                var string = JSONText()
                string.string(reader.bytes(of: field))
                text.append(contentsOf: string.bytes)
            } else {
                text.append(UInt8(ascii: "\""))
                text.append(contentsOf: reader.bytes(of: field))
                text.append(UInt8(ascii: "\""))
            }
        }
        text.append(UInt8(ascii: "}"))
    }
}
