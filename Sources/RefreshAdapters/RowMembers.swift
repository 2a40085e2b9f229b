import RefreshCore
import RefreshFormats

/// The rules of a feed whose rows become JSON objects on the way: what names a column or an expression is read from
/// the object's member.
struct RowMembers {
    /// With what the rows are made.
    private(set) var plan: RecordsPlan
    /// With what is made of them.
    private(set) var rules: RecordRules
    private(set) var cursorIndex: Int?
    private(set) var keysetIndex: Int?

    init(feed: Feed) {
        plan = feed.records
        plan.key = ParentFields.ownKey(feed)
        rules = RecordRules(feed)
        rules.plan.key = []
        rules.watched = []
        if let version = feed.records.version {
            let path = member(version)
            rules.plan.version = .json(path)
        }
        if var sort = feed.details.sort {
            sort.by = .json(member(sort.by))
            rules.sort = sort
        }
        if case .field(let field) = feed.details.incremental?.kind {
            let path = member(field.cursor)
            cursorIndex = rules.watched.count
            rules.watched.append(path)
            if field.missing == .skip {
                rules.plan.filter = JSONAdapter.present(.json(path), rules.plan.filter)
            }
        }
        if case .keyset(let from, _) = feed.details.paging.kind {
            let path = member(from)
            keysetIndex = rules.watched.count
            rules.watched.append(path)
        }
    }

    func harvest(_ page: RecordPage) throws(FormatFailure) -> Harvest {
        let read = try JSONRecords.refined(page, by: rules)
        var harvest = Harvest(page: read.page, count: read.listed)
        if let cursorIndex { harvest.cursors = read.watched[cursorIndex] }
        if let keysetIndex { harvest.last = read.watched[keysetIndex].last ?? nil }
        return harvest
    }

    /// Where the value of `path` stands in a record; an expression that is no field's is read into a member that is
    /// taken out again.
    private mutating func member(_ path: BodyPath) -> JSONPath {
        switch path {
        case .json(let path): return path
        case .column(let name): return JSONPath([.name(Array(name.utf8))])
        case .xpath(let text):
            if !plan.fields.contains(where: { $0.name == text }) {
                plan.fields.append(FieldPlan(name: text, path: path))
                rules.plan.drop.append(JSONPath([.name(Array(text.utf8))]))
            }
            return JSONPath([.name(Array(text.utf8))])
        }
    }
}
