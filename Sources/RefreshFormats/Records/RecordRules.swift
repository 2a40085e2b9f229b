import RefreshCore

/// All that decides what becomes of the records of an answer.
package struct RecordRules: Sendable, Equatable {
    package var plan: RecordsPlan
    package var sort: SortPlan?
    /// Rows for which it holds are deletions.
    package var deletedWhen: JSONFilter?
    /// Where the document lists the keys of deleted records.
    package var deletedList: JSONPath?
    /// Singular paths whose values are given for every row found, also of those that are left out: cursors.
    package var watched: [JSONPath] = []
    /// Members that every row gets, by name, as JSON; they take the place of the row's own.
    package var constants: [Constant] = []
    package var limits: RecordLimits

    package struct Constant: Sendable, Equatable {
        package let name: String
        package let json: [UInt8]

        package init(name: String, json: [UInt8]) {
            self.name = name
            self.json = json
        }
    }

    package init(_ plan: RecordsPlan, limits: RecordLimits = RecordLimits()) {
        self.plan = plan
        self.limits = limits
    }

    /// The rules of a feed; watched are the cursor of its `incremental` block and the value of keyset paging, in this
    /// order, as far as there are such.
    package init(_ feed: Feed) {
        plan = feed.records
        sort = feed.details.sort
        deletedWhen = feed.deletes.when
        deletedList = feed.deletes.list?.json
        if case .field(let field) = feed.details.incremental?.kind, let path = field.cursor.inRow {
            watched.append(path)
        }
        if case .keyset(let from, _) = feed.details.paging.kind, let path = from.inRow {
            watched.append(path)
        }
        limits = RecordLimits()
        let bounds = feed.details.limits
        limits.rows = bounds.rows
        limits.key = bounds.keyBytes.bytes
        limits.item = bounds.itemBytes
        limits.depth = bounds.depth
        limits.rejectGuard = feed.records.rejectGuard
    }
}
