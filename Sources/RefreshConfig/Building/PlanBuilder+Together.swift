import RefreshCore

/// What only shows where the blocks of a feed are seen together.
extension PlanBuilder {
    mutating func checkTogether(_ context: FeedContext, _ feed: Feed, _ details: FeedDetails) {
        checkSent()
        checkFilled(context, details)
        if case .plugin(let name) = context.adapter, problems.scopes.contains(.part("plugins.\(name)")) {
            problems.spoil(context.id.name, because: "the plugin \"\(name)\" is wrong")
        }
    }

    // MARK: - Sent twice

    /// Remembers a value that the feed's pages send.
    mutating func note(_ place: SentValue.Place, at source: SourcePlace, _ path: [String]) {
        sent.append(SentValue(place: place, source: source, path: path))
    }

    mutating func note(
        _ place: SendPlace?, _ section: Section, _ key: Key<SendPlace>, _ path: [String]
    ) {
        guard let place, let setting = section[key.entry.name] else { return }
        let target: SentValue.Place =
            switch place {
            case .param(let name): .param(name)
            case .header(let name): .header(name.lowercased())
            case .body(let path): .body(path.text)
            }
        note(target, at: setting.place, path + [key.entry.name])
    }

    /// What the request itself sends.
    mutating func noteSent(_ plan: RequestPlan, _ section: Section, _ context: FeedContext) {
        let path = context.path(FeedTable.request)
        let url = section["url"]?.place ?? context.place
        for name in PlanBuilder.queryNames(plan.url) { note(.param(name), at: url, path + ["url"]) }
        for draft in section[RequestTable.list.params] ?? [] {
            note(.param(draft.name), at: draft.place, path + ["params", draft.name])
        }
        for draft in section[RequestTable.list.headers] ?? [] {
            note(.header(draft.name.lowercased()), at: draft.place, path + ["headers", draft.name])
        }
        let body = section[block: RequestTable.list.body]
        if case .object(let members)? = body[RequestTable.list.json] {
            for member in members {
                guard let name = try? JSONPath(parsing: member.name) else { continue }
                note(.body(name.text), at: member.place, path + ["body", "json", member.name])
            }
        }
    }

    private static func queryNames(_ url: WebURL) -> Set<String> {
        guard let query = url.query else { return [] }
        return Set(query.split(separator: "&").compactMap { $0.split(separator: "=").first.map(String.init) })
    }

    private mutating func checkSent() {
        var first: [SentValue.Place: SentValue] = [:]
        for value in sent {
            guard let earlier = first[value.place] else {
                first[value.place] = value
                continue
            }
            let (one, other) = earlier.source < value.source ? (earlier, value) : (value, earlier)
            let what =
                switch value.place {
                case .param(let name): "the parameter \"\(SafeText.short(name))\""
                case .header(let name): "the header field \"\(SafeText.short(name))\""
                case .body(let path): "the member \(SafeText.short(path))"
                }
            let message = "\(what) is set twice, here and on line \(one.source.line); remove one"
            problems.add(.conflict, at: other.source, other.path, message)
        }
    }

    // MARK: - Filled in by nobody

    /// Whether a request has this placeholder.
    func fills(_ placeholder: Placeholder) -> Bool {
        filled.contains { $0.placeholder == placeholder }
    }

    private mutating func checkFilled(_ context: FeedContext, _ details: FeedDetails) {
        for value in filled {
            guard let need = PlanBuilder.need(of: value.placeholder, context, details) else { continue }
            let message = "\"$(\(SafeText.short(value.placeholder.name)))\" needs \(need)"
            problems.add(.conflict, at: value.source, value.path, message)
        }
    }

    /// The block that would fill it in and is not there; nil where all is well.
    private static func need(
        of placeholder: Placeholder, _ context: FeedContext, _ details: FeedDetails
    ) -> String? {
        func lacks(_ block: String) -> Bool { !context.section.mentions(block) }
        let kind = context.section[block: FeedTable.paginate].kind
        let isPluginLike = context.kind == .plugin
        switch placeholder {
        case .since: return lacks("incremental") ? "\"incremental\"" : nil
        case .until: return lacks("incremental") ? "\"incremental\"" : nil
        case .cursor:
            return lacks("paginate") || !["cursor", "keyset"].contains(kind ?? "cursor")
                ? "\"paginate\" of the type cursor or keyset" : nil
        case .page: return kind == "page" || isPluginLike ? nil : "\"paginate\" of the type page"
        case .offset: return kind == "offset" || isPluginLike ? nil : "\"paginate\" of the type offset"
        case .size:
            return context.section[block: FeedTable.paginate].mentions("size") ? nil : "\"paginate.size\""
        case .parent: return lacks("parent") ? "\"parent\"" : nil
        case .ids, .now, .operationID, .operationKey, .operationBody, .operationField, .secret: return nil
        }
    }
}
