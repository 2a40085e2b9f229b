/// How rows are found in an answer, what becomes of them, and what identifies them.
package struct RecordsPlan: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable { case json, jsonl, xml, html, csv }

    /// The path of the rows; of a `feed` and of an `http` document without meaning.
    package var path: BodyPath
    /// The paths, from a row, of the parts of its key; of a `feed` and of an `http` document empty.
    package var key: [BodyPath]
    /// Nil is the adapter's own.
    package var format: Format?
    /// A program that gets the body and prints JSON lines: its arguments, the first its path.
    package var pipe: [String] = []
    package var expand: ExpandPlan?
    /// Rows for which it does not hold are left out.
    package var filter: JSONFilter?
    /// The members of the stored record, in order; empty stores the row as it is.
    package var fields: [FieldPlan] = []
    /// Taken out of the stored record.
    package var drop: [JSONPath] = []
    /// Stored, and no change where only these differ (semantics C1).
    package var ignore: [JSONPath] = []
    /// Arrays whose order is no change.
    package var unordered: [JSONPath] = []
    /// Whether a document without `path` is a list without rows, and no failure.
    package var isOptional = false
    /// The share of rejected records beyond which a page is refused (semantics I5).
    package var rejectGuard = 0.5
    /// What decides, instead of the document and its header.
    package var charset: String?
    package var csv = CSVPlan()
    /// Prefixes of XPath expressions.
    package var namespaces: [Namespace] = []
    /// An older copy never overwrites a newer one (semantics C3).
    package var version: BodyPath?
    /// Of a `feed`: what tells its entries apart, whatever its documents look like; nil is found on the first of them.
    package var keyLevel: KeyLevel?

    package init(path: BodyPath = .root, key: [BodyPath] = []) {
        self.path = path
        self.key = key
    }

    /// Of a JSON document.
    package init(path: JSONPath = .root, key: [JSONPath]) {
        self.init(path: .json(path), key: key.map(BodyPath.json))
    }
}

/// A nested array whose elements become the rows.
package struct ExpandPlan: Sendable, Equatable {
    package let path: JSONPath
    /// Copied into each row from the enclosing object, by their new names.
    package let with: [FieldPlan]

    package init(path: JSONPath, with: [FieldPlan] = []) {
        self.path = path
        self.with = with
    }
}

/// A member of a record and where its value is.
package struct FieldPlan: Sendable, Hashable {
    /// `[]` at its end asks for all that the path selects.
    package let name: String
    package let path: BodyPath

    package init(name: String, path: BodyPath) {
        self.name = name
        self.path = path
    }
}

package struct CSVPlan: Sendable, Equatable {
    /// Nil is found out.
    package var delimiter: UInt8?
    package var hasHeader = true
    /// Names in the place of the header's.
    package var columns: [String] = []
    /// Lines before the first that counts.
    package var skip = 0
    /// Lines that begin so are left out.
    package var comment: String?

    package init() {}
}

package struct Namespace: Sendable, Hashable {
    package let prefix: String
    package let uri: String

    package init(prefix: String, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}

/// The feed's order; without it the order of the first sight, newest first.
package struct SortPlan: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case time, number, text }
    package enum Direction: String, Sendable, CaseIterable { case desc, asc }

    package var by: BodyPath
    package var kind: Kind
    package var direction = Direction.desc

    package init(by: BodyPath, kind: Kind = .text, direction: Direction = .desc) {
        self.by = by
        self.kind = kind
        self.direction = direction
    }
}
