import RefreshCore

/// The names of a CSV document's columns, and which of them records have.
struct CSVColumns {
    /// A member of a record: the column and the JSON text of its name with the colon.
    struct Member {
        let column: Int
        let name: [UInt8]
    }

    let names: [[UInt8]]
    private(set) var members: [Member] = []
    /// The columns of the key's parts.
    private(set) var key: [Int] = []

    /// - Parameters:
    ///   - header: the names as written. A second column of a name is called `name_2`, one without a name `column_3`
    ///     by its place from 1.
    init(header: [[UInt8]], plan: RecordsPlan) throws(FormatFailure) {
        names = CSVColumns.distinct(header)
        if plan.fields.isEmpty {
            members = names.enumerated().map { Member(column: $0.offset, name: CSVColumns.json($0.element)) }
        }
        for field in plan.fields {
            members.append(
                Member(column: try column(field.path), name: CSVColumns.json(Array(field.name.utf8))))
        }
        for part in plan.key { key.append(try column(part)) }
    }

    private func column(_ path: BodyPath) throws(FormatFailure) -> Int {
        let wanted = Array(path.text.utf8)
        guard let found = names.firstIndex(of: wanted) else {
            throw .columnMissing(
                name: path.text,
                known: names.prefix(10).map { String(decoding: $0.prefix(40), as: UTF8.self) })
        }
        return found
    }

    private static func json(_ name: [UInt8]) -> [UInt8] {
        var text = JSONText()
        text.name(name)
        return text.bytes
    }

    private static func distinct(_ header: [[UInt8]]) -> [[UInt8]] {
        var taken = Set(header.map(KeyBytes.init))
        var seen: Set<KeyBytes> = []
        var numbers: [KeyBytes: Int] = [:]
        return header.enumerated().map { index, written in
            if !written.isEmpty, seen.insert(KeyBytes(written)).inserted { return written }
            let base = written.isEmpty ? Array("column_\(index + 1)".utf8) : written
            var name = base
            while !taken.insert(KeyBytes(name)).inserted {
                let number = numbers[KeyBytes(base), default: 1] + 1
                numbers[KeyBytes(base)] = number
                name = base + Array("_\(number)".utf8)
            }
            return name
        }
    }
}
