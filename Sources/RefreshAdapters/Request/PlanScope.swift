import RefreshCore

/// Hashes of what stored state was made with: with another one it is worth nothing (policy V4, semantics U3).
package enum PlanScope {
    /// What validators were given for.
    ///
    /// - Parameter reading: stands for the way bodies of this kind are read; raised when that changes.
    package static func validators(_ feed: Feed, reading: String) -> UInt64 {
        both(feed, reading: reading).validators
    }

    /// What cursors, tokens and positions were given for.
    package static func checkpoint(_ feed: Feed) -> UInt64 { both(feed, reading: "").checkpoint }

    /// Both of them, which begin alike.
    static func both(_ feed: Feed, reading: String) -> (validators: UInt64, checkpoint: UInt64) {
        let base = "\(request(feed))\n\(records(feed))"
        var text = base
        let details = feed.details.value
        if details.paging != PagingPlan() { text += "\n\(details.paging)" }
        if let incremental = details.incremental { text += "\n\(incremental.kind)" }
        if let parent = details.parent { text += "\n\(parent)" }
        return (FNV.hash64("\(base)\n\(reading)"), FNV.hash64(text))
    }

    /// What makes records what they are: with another one, those of before are of another kind (semantics K3).
    package static func shape(_ feed: Feed) -> UInt64 {
        let plan = feed.records
        // Written out one by one: how a value describes itself may differ in the next version.
        var words = [feed.adapter.name, plan.path.text] + plan.key.map(\.text) + ["pipe"] + plan.pipe
        if let expand = plan.expand {
            words += ["expand", expand.path.text] + expand.with.flatMap { [$0.name, $0.path.text] }
        }
        words += ["fields"] + plan.fields.flatMap { [$0.name, $0.path.text] }
        words += ["drop"] + plan.drop.map(\.text)
        if let sort = feed.details.sort {
            words += ["sort", sort.by.text, sort.kind.rawValue, sort.direction.rawValue]
        }
        // 0 stands for none.
        return max(FNV.hash64(words.flatMap { Array($0.utf8) + [0] }), 1)
    }

    private static func request(_ feed: Feed) -> String {
        let plan = feed.request
        var text = "\(plan.method) \(plan.url)"
        for param in plan.params { text += "\n\(param.name)=\(described(param.value))" }
        for field in plan.headers {
            switch field.value {
            case .template(let template): text += "\n\(field.name): \(described(template))"
            case .secret(let source): text += "\n\(field.name): \(source)"
            }
        }
        // What most feeds do not have is described as a whole.
        if let body = plan.body { text += "\n\(body)" }
        if let path = plan.unixSocket { text += "\nunix \(path)" }
        if feed.details.auth != .none { text += "\n\(feed.details.auth)" }
        return text
    }

    private static func described(_ template: Template) -> String {
        template.literal ?? template.parts.map { "\($0)" }.joined()
    }

    private static func records(_ feed: Feed) -> String {
        let plan = feed.records
        let plain = RecordsPlan(path: plan.path, key: plan.key)
        let paths = ([plan.path] + plan.key).map(\.text).joined(separator: " ")
        return plan == plain ? paths : "\(plan)"
    }
}
