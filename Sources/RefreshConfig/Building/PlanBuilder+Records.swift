import RefreshCore

extension PlanBuilder {
    mutating func records(_ context: FeedContext) -> RecordsPlan {
        let section = context.section[block: FeedTable.records]
        let path = context.path(FeedTable.records)
        typealias Keys = FeedTable.Records
        var plan = RecordsPlan()
        guard context.kind != .http else { return plan }
        if Keys.path.entry.adapters.contains(context.kind), let written = section[Keys.path] {
            plan.path = bodyPath(written, context, path + ["path"], singular: false) ?? .root
        }
        let takesKey = FeedTable.key.entry.adapters.contains(context.kind)
        plan.key = takesKey ? key(context) : []
        if context.kind == .feed { plan.keyLevel = context.section[FeedTable.keyPolicy] }
        plan.rejectGuard = section[Keys.rejectGuard]
        plan.charset = section[Keys.charset]
        plan.drop = section[Keys.drop] ?? []
        plan.ignore = section[Keys.ignore] ?? []
        plan.unordered = section[Keys.unordered] ?? []
        guard takesKey else { return plan }
        plan.format = format(section, context, path)
        plan.filter = section[Keys.filter]
        plan.isOptional = section[Keys.optional]
        plan.fields = fields(section, context, path)
        plan.version = context.section[FeedTable.version].flatMap {
            bodyPath($0, context, context.path(FeedTable.version), singular: true)
        }
        plan.namespaces = context.namespaces
        if context.kind == .json {
            plan.pipe = section[Keys.pipe] ?? []
            plan.expand = expand(section[block: Keys.expand])
        }
        if context.kind == .csv { plan.csv = csv(section[block: Keys.csv], context) }
        return plan
    }

    private mutating func key(_ context: FeedContext) -> [BodyPath] {
        let path = context.path(FeedTable.key)
        let written = context.section[FeedTable.key] ?? []
        return written.enumerated().compactMap { index, text in
            let here = written.count == 1 ? path : path + ["[\(index)]"]
            return bodyPath(text, context, here, singular: true)
        }
    }

    private mutating func fields(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> [FieldPlan] {
        (section[FeedTable.Records.fields] ?? []).compactMap { named in
            guard case .bodyPaths(let paths) = named.setting.value, let written = paths.first else {
                return nil
            }
            let isSeveral = named.name.hasSuffix("[]")
            return bodyPath(written, context, path + ["fields", named.name], singular: !isSeveral).map {
                FieldPlan(name: named.name, path: $0)
            }
        }
    }

    /// What an adapter can read; which of them it is may show in the answer alone.
    private mutating func format(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> RecordsPlan.Format? {
        guard let format = section[FeedTable.Records.format] else { return nil }
        let readable: [RecordsPlan.Format] =
            switch context.kind {
            case .json: [.json, .jsonl]
            case .csv: [.csv]
            case .xml: [.xml]
            case .html: [.html]
            case .feed, .http, .plugin: []
            }
        if readable.contains(format) { return format }
        let name = FeedTable.Records.format.entry.name
        let place = section[name]?.place ?? context.place
        let message = "the adapter \"\(context.adapter.name)\" does not read \(format.rawValue)"
        problems.add(.conflict, at: place, path + [name], message)
        return nil
    }

    private func expand(_ section: Section) -> ExpandPlan? {
        section[FeedTable.Expand.path].map { path in
            let with = (section[FeedTable.Expand.with] ?? []).compactMap { named -> FieldPlan? in
                guard case .paths(let paths) = named.setting.value, let path = paths.first else { return nil }
                return FieldPlan(name: named.name, path: .json(path))
            }
            return ExpandPlan(path: path, with: with)
        }
    }

    private mutating func csv(_ section: Section, _ context: FeedContext) -> CSVPlan {
        typealias Keys = FeedTable.CSV
        var csv = CSVPlan()
        csv.delimiter = PlanBuilder.character(section[Keys.delimiter], absent: "auto")?.utf8.first
        csv.hasHeader = section[Keys.header]
        csv.columns = section[Keys.columns] ?? []
        csv.skip = section[Keys.skip]
        csv.comment = PlanBuilder.character(section[Keys.comment], absent: "off")
        if !csv.hasHeader, csv.columns.isEmpty, !section.mentions(Keys.columns.entry.name) {
            let place = section[Keys.header.entry.name]?.place ?? context.place
            let path = context.path(FeedTable.records, FeedTable.Records.csv)
            problems.add(.conflict, at: place, path, "\"header: false\" needs \"columns\", which name them")
        }
        return csv
    }

    private static func character(_ text: String, absent: String) -> String? {
        text == absent ? nil : text == "tab" ? "\t" : text
    }

    mutating func sort(_ context: FeedContext) -> SortPlan? {
        let section = context.section[block: FeedTable.sort]
        guard FeedTable.sort.entry.adapters.contains(context.kind), let by = section[FeedTable.Sort.by],
            let path = bodyPath(by, context, context.path(FeedTable.sort) + ["by"], singular: true)
        else { return nil }
        return SortPlan(
            by: path, kind: section[FeedTable.Sort.type], direction: section[FeedTable.Sort.direction])
    }
}
