import RefreshCore

extension FeedTable {
    private static let rowsAndPlugins = AdapterKind.rows.union([.plugin])

    enum Expand {
        static let path = Key(
            "path", .path(singular: false), required: AdapterKind.all, "The nested array, from a row.")
        static let with = Key(
            "with", .map(.field, .path(singular: true)),
            "What is copied into each new row, from the object that holds the array.")

        static let block = Block([path.entry, with.entry])
    }

    enum CSV {
        private static let standard = CSVPlan()
        static let delimiter = DefaultedKey(
            "delimiter", .character(word: "auto"), default: "auto", "What parts the columns.")
        static let header = DefaultedKey(
            "header", .flag, default: standard.hasHeader, "Whether the first line names the columns.")
        static let columns = Key("columns", .texts, "Names in the place of the header's.")
        static let skip = DefaultedKey(
            "skip", .whole(0...1_000_000), default: standard.skip, "Lines before the first that counts.")
        static let comment = DefaultedKey(
            "comment", .character(word: "off"), default: "off", "Lines that begin so are left out.")

        static let block = Block([
            delimiter.entry, header.entry, columns.entry, skip.entry, comment.entry,
        ])
    }

    enum Records {
        private static let standard = RecordsPlan()
        static let path = Key(
            "path", .bodyPath(singular: false), adapters: [.json, .xml, .html], required: [.xml, .html],
            note: "$ for json",
            "Where the rows are: every node that it selects is one, and one array selected alone is spread.")
        static let format = Key(
            "format", .word as Form<RecordsPlan.Format>, adapters: AdapterKind.rows,
            note: "by adapter and content type", "How the answer is written.")
        static let pipe = Key(
            "pipe", .command, adapters: [.json],
            "A program that gets the answer and prints JSON lines: its arguments, without a shell.")
        static let expand = Key(
            "expand", .block(Expand.block), adapters: [.json],
            "A nested array whose elements become the rows.")
        static let filter = Key(
            "where", .filter, adapters: rowsAndPlugins,
            "A condition (RFC 9535, 2.3.5); rows for which it does not hold are left out.")
        static let fields = Key(
            "fields", .map(.field, .bodyPath(singular: false)), adapters: AdapterKind.rows,
            required: [.xml, .html],
            "The members of the stored record, by name; `[]` behind a name asks for all that the path selects."
        )
        static let drop = Key(
            "drop", .pathList, adapters: AdapterKind.lists, "What is taken out of the stored record.")
        static let ignore = Key(
            "ignore", .pathList, adapters: AdapterKind.lists,
            "What is stored, and no change where only it differs.")
        static let unordered = Key(
            "unordered", .pathList, adapters: AdapterKind.lists, "Arrays whose order is no change.")
        static let optional = DefaultedKey(
            "optional", .flag, default: standard.isOptional, adapters: AdapterKind.rows,
            "Whether an answer without `path` is a list without rows, and no failure.")
        static let rejectGuard = DefaultedKey(
            "reject_guard", .share, default: standard.rejectGuard, adapters: AdapterKind.lists,
            "The share of unusable records beyond which an answer is refused.")
        static let charset = Key(
            "charset", .token, adapters: AdapterKind.lists, note: "what the answer says",
            "The character encoding, whatever the answer says.")
        static let csv = Key("csv", .block(CSV.block), adapters: [.csv], "How lines are read.")
        static let namespaces = Key(
            "namespaces", .map(.any("a prefix"), .text), adapters: [.xml, .html],
            "Prefixes of XPath expressions, and the names that they stand for.")

        static let block = Block([
            path.entry, format.entry, pipe.entry, expand.entry, filter.entry, fields.entry, drop.entry,
            ignore.entry, unordered.entry, optional.entry, rejectGuard.entry, charset.entry, csv.entry,
            namespaces.entry,
        ])
    }

    enum Sort {
        static let by = Key(
            "by", .bodyPath(singular: true), required: AdapterKind.all, "The path of the value.")
        static let type = DefaultedKey(
            "type", .word, default: SortPlan.Kind.text, "What the value is.")
        static let direction = DefaultedKey(
            "direction", .word, default: SortPlan.Direction.desc, "Which end comes first.")

        static let block = Block([by.entry, type.entry, direction.entry])
    }

    static let sort = Key(
        "sort", .block(Sort.block), adapters: AdapterKind.lists, note: "first seen, newest first",
        "The feed's order. A missing or unreadable value sorts last.")
}
