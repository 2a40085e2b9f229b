import RefreshCore

extension JSONRecords {
    /// What rules make of records that another format's reader has found and keyed: rows for which the filter does not
    /// hold go, deletions are marked, parts are dropped, order values, versions and watched values are read.
    ///
    /// The bodies are JSON objects already, of which the paths of the rules speak; keys stay as they are.
    package static func refined(
        _ page: RecordPage, by rules: RecordRules
    ) throws(FormatFailure) -> RecordHarvest {
        let plan = rules.plan
        let isPlain =
            plan.filter == nil && plan.drop.isEmpty && plan.version == nil && rules.sort == nil
            && rules.deletedWhen == nil && rules.watched.isEmpty
        let listed = page.rows.count + page.rejected
        if isPlain {
            return RecordHarvest(
                page: page, listed: listed, filtered: 0, watched: [], deleted: [], unreadableDeletions: 0)
        }
        var refiner = RecordRefiner(rules)
        let text = PaddedBytes(page.text)
        for row in page.rows { try refiner.take(row, of: text) }
        return RecordHarvest(
            page: RecordPage(
                text: plan.drop.isEmpty ? page.text : refiner.written, rows: refiner.rows,
                newestFirst: page.newestFirst, rejected: page.rejected, rejections: page.rejections),
            listed: listed, filtered: refiner.filtered, watched: refiner.watched, deleted: [],
            unreadableDeletions: 0)
    }
}

/// Takes one row after another.
private struct RecordRefiner {
    private let rules: RecordRules
    private let reader: RecordReader
    private let budget = JSONBudget()
    private(set) var rows: [RecordPage.Row] = []
    private(set) var watched: [[ScalarValue?]]
    private(set) var filtered = 0
    /// The bodies, where something is dropped from them.
    private(set) var written: [UInt8] = []

    init(_ rules: RecordRules) {
        self.rules = rules
        reader = RecordReader(rules)
        watched = Array(repeating: [], count: rules.watched.count)
    }

    mutating func take(_ row: RecordPage.Row, of text: PaddedBytes) throws(FormatFailure) {
        let document = try JSONDocument(parsing: text, in: row.body, depth: rules.limits.depth)
        let evaluation = JSONEvaluation(document, budget: budget)
        for (column, path) in rules.watched.enumerated() {
            watched[column].append(document.scalar(at: path))
        }
        if let filter = rules.plan.filter, try !evaluation.holds(filter, at: 0) {
            filtered += 1
            return
        }
        var isDeleted = row.isDeleted
        if let deletion = rules.deletedWhen { isDeleted = try evaluation.holds(deletion, at: 0) }
        var body = row.body
        if !rules.plan.drop.isEmpty {
            let start = written.count
            try JSONCutting.append(0, without: rules.plan.drop, evaluation, to: &written)
            body = start..<written.count
        }
        let order = rules.sort == nil ? row.orderValue : reader.orderValue(of: document.root, in: document)
        rows.append(
            RecordPage.Row(
                key: row.key, body: body,
                hash: rules.plan.drop.isEmpty ? row.hash : ContentHash.of(written[body]), orderValue: order,
                version: reader.versionValue(of: document.root, in: document) ?? row.version,
                isDeleted: isDeleted))
    }
}
