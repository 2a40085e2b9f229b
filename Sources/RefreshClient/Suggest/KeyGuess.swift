import RefreshCore

/// Which of the values in each row tells the rows apart.
struct KeyGuess {
    /// One value of all rows; nil where a row has none.
    struct Column {
        /// As the configuration names it.
        let path: String
        /// The last word of the path.
        let name: String
        let values: [[UInt8]?]
    }

    /// The paths of the key, and a word on it.
    struct Found {
        let paths: [String]
        let reason: String
    }

    private static let names = [
        "id", "_id", "uuid", "guid", "key", "uid", "slug", "number", "code", "symbol", "sku", "isbn", "name",
        "url", "href", "link", "title",
    ]
    /// Longer ones are no names of anything.
    private static let longest = 200
    private static let mostPairs = 8

    /// Nil where no row has a value that could be one.
    static func key(of columns: [Column]) -> Found? {
        let useful = columns.filter { column in
            column.values.allSatisfy { $0.map { !$0.isEmpty && $0.count <= longest } ?? false }
        }
        let ranked = useful.enumerated().sorted {
            (rank($0.element.name), $0.offset) < (rank($1.element.name), $1.offset)
        }
        .map(\.element)
        if let column = ranked.first(where: { isUnique($0.values) }) {
            return Found(paths: [column.path], reason: "different in each of \(column.values.count) rows")
        }
        let some = ranked.prefix(mostPairs)
        for one in some {
            for other in some where one.path != other.path {
                let pairs = zip(one.values, other.values).map { [$0.0 ?? [], $0.1 ?? []] }
                if Set(pairs).count == pairs.count {
                    return Found(paths: [one.path, other.path], reason: "together different in each row")
                }
            }
        }
        return ranked.first.map {
            Found(paths: [$0.path], reason: "nothing tells the rows apart; rows with one key become one item")
        }
    }

    private static func isUnique(_ values: [[UInt8]?]) -> Bool { Set(values).count == values.count }

    private static func rank(_ name: String) -> Int {
        let lower = name.lowercased()
        if let place = names.firstIndex(of: lower) { return place }
        return lower.hasSuffix("id") ? names.count : names.count + 1
    }

    static func text(_ found: Found) -> String {
        found.paths.count == 1 ? YAMLText.scalar(found.paths[0]) : YAMLText.list(found.paths)
    }

    // MARK: - Times

    private static let timeNames = [
        "updated", "modified", "changed", "published", "pubdate", "created", "date", "time", "timestamp",
    ]

    /// The column whose values are all times, the one that tells of changes before others.
    static func time(of columns: [Column]) -> String? {
        let times = columns.filter { column in
            let values = column.values.compactMap { $0 }
            return !values.isEmpty && values.allSatisfy { isTime($0, named: column.name) }
        }
        return times.min { timeRank($0.name) < timeRank($1.name) }?.path
    }

    /// Digits alone are a time only where the name says so.
    private static func isTime(_ value: [UInt8], named name: String) -> Bool {
        if Timestamp(rfc3339: value) != nil { return true }
        guard timeRank(name) < timeNames.count, value.count >= 8 else { return false }
        return Timestamp(written: value) != nil
    }

    private static func timeRank(_ name: String) -> Int {
        let lower = name.lowercased()
        return timeNames.firstIndex { lower.contains($0) } ?? timeNames.count
    }
}
