import RefreshCore

/// Reads the rows of a CSV answer as records: JSON objects whose members are strings, by the names of the columns.
package enum CSVRecords {
    /// The rows that `plan` finds in `bytes`.
    ///
    /// Empty lines are no rows. A row with fewer fields than the header lacks the members of the others; one with
    /// more is refused, unless what is too much is empty. Lines before the header are passed over as the plan says.
    package static func page(
        of bytes: ArraySlice<UInt8>, contentType: MediaType? = nil, plan: RecordsPlan,
        limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        let text = Transcoder.utf8(bytes, label: plan.charset, contentType: contentType, kind: .text)
        var reader = CSVReader(text, dialect: CSVDialect(of: text, plan: plan.csv))
        reader.skip(lines: plan.csv.skip)
        guard let columns = try columns(&reader, plan) else {
            return RecordPage(text: [], rows: [])
        }
        var writer = CSVRowWriter(columns: columns, limits: limits)
        var rows = RowCollector(reserving: min(text.count / 32, 65_536))
        while try reader.next() {
            if reader.isBlank || columns.names.count > 1 && isSpace(reader) { continue }
            guard rows.count < limits.rows else { throw .tooManyRecords(limit: limits.rows) }
            switch writer.row(reader) {
            case .success(let row): rows.add(row)
            case .failure(let refusal): rows.reject(refusal.reason)
            }
            guard writer.text.count <= limits.text.bytes else { throw .tooLarge(bytes: writer.text.count) }
        }
        return try rows.page(text: writer.text, limits: limits)
    }

    /// The columns by the header or by the plan; nil for a document without rows. Where neither names them, the
    /// places do: `column_1` and so on.
    private static func columns(
        _ reader: inout CSVReader, _ plan: RecordsPlan
    ) throws(FormatFailure) -> CSVColumns? {
        let start = reader
        var hasRow = try reader.next()
        while hasRow, reader.isBlank { hasRow = try reader.next() }
        guard hasRow else { return nil }
        var names = reader.fields.map { Array(reader.bytes(of: $0)) }
        if !plan.csv.hasHeader {
            reader = start
            names = names.map { _ in [] }
        }
        if !plan.csv.columns.isEmpty { names = plan.csv.columns.map { Array($0.utf8) } }
        return try CSVColumns(header: names, plan: plan)
    }

    /// Whether nothing but space stands in the line.
    private static func isSpace(_ reader: CSVReader) -> Bool {
        reader.fields.count == 1 && reader.bytes(of: reader.fields[0]).allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
}
