import RefreshCore

/// Hashes of what stored state was made with: with another one it is worth nothing (policy V4, semantics U3).
package enum PlanScope {
    /// What validators were given for.
    ///
    /// - Parameter reading: stands for the way bodies of this kind are read; raised when that changes.
    package static func validators(_ feed: Feed, reading: String) -> UInt64 {
        FNV.hash64(Array("\(request(feed))\n\(records(feed))\n\(reading)".utf8))
    }

    /// What cursors, tokens and positions were given for.
    package static func checkpoint(_ feed: Feed) -> UInt64 {
        var text = "\(request(feed))\n\(records(feed))"
        if feed.details.paging != PagingPlan() { text += "\n\(feed.details.paging)" }
        if let incremental = feed.details.incremental { text += "\n\(incremental.kind)" }
        if let parent = feed.details.parent { text += "\n\(parent)" }
        return FNV.hash64(Array(text.utf8))
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
