import RefreshCore

/// Drafts become values where the feed is known: its adapter says what a path is, its variables fill texts.
extension PlanBuilder {
    /// Nil where the path is none in the language of the feed's adapter.
    mutating func bodyPath(
        _ written: WrittenText, _ context: FeedContext, _ path: [String], singular: Bool
    ) -> BodyPath? {
        switch context.kind {
        case .csv: return .column(written.text)
        case .xml, .html:
            if let failure = checkers.xpath(written.text, context.namespaces) {
                let place = written.place(atByte: failure.offset)
                problems.add(.badValue, at: place, path, SafeText.escaped(failure.message))
                return nil
            }
            return .xpath(written.text)
        case .json, .feed, .http, .plugin: break
        }
        do {
            let read = try JSONPath(parsing: written.text)
            if !singular || read.isSingular { return .json(read) }
            problems.add(.badValue, at: written.start, path, ValueReader.severalValues(written.text))
        } catch {
            let place = written.place(atByte: error.offset)
            problems.add(.badValue, at: place, path, SafeText.escaped(error.message))
        }
        return nil
    }

    mutating func readPlace(
        _ draft: DraftReadPlace, _ context: FeedContext, _ path: [String]
    ) -> ReadPlace? {
        switch draft {
        case .header(let name): .header(name)
        case .body(let written):
            bodyPath(written, context, path, singular: true).map { .body($0) }
        }
    }

    /// Nil where a variable is not known.
    mutating func template(_ draft: DraftTemplate, _ context: FeedContext, _ path: [String]) -> Template? {
        var parts: [Template.Part] = []
        var isRight = true
        func append(_ text: String) {
            if case .literal(let before)? = parts.last {
                parts[parts.count - 1] = .literal(before + text)
            } else if !text.isEmpty {
                parts.append(.literal(text))
            }
        }
        for part in draft.parts {
            switch part {
            case .literal(let text): append(text)
            case .placeholder(let placeholder, let place):
                filled.append(FilledValue(placeholder: placeholder, source: place, path: path))
                parts.append(.placeholder(placeholder))
            case .variable(let name, let place):
                guard let text = context.vars[name] else {
                    unknownVariable(name, place, context, path)
                    isRight = false
                    continue
                }
                append(text)
            }
        }
        return isRight ? Template(parts) : nil
    }

    private mutating func unknownVariable(
        _ name: String, _ place: SourcePlace, _ context: FeedContext, _ path: [String]
    ) {
        var message = "there is no variable \"\(SafeText.short(name))\""
        let known = context.vars.keys.sorted()
        if known.isEmpty {
            message += "; name it under \"vars\""
        } else {
            message += "; known are \(known.joined(separator: ", "))"
        }
        problems.add(.badValue, at: place, path, message)
    }

    mutating func json(_ draft: DraftJSON, _ context: FeedContext, _ path: [String]) -> JSONTemplate? {
        switch draft {
        case .raw(let raw): return .raw(raw)
        case .text(let template): return self.template(template, context, path).map { .text($0) }
        case .array(let drafts):
            let values = drafts.enumerated().compactMap { json($1, context, path + ["[\($0)]"]) }
            return values.count == drafts.count ? .array(values) : nil
        case .object(let members):
            let values = members.compactMap { member in
                json(member.value, context, path + [member.name]).map {
                    JSONTemplate.Member(name: member.name, value: $0)
                }
            }
            return values.count == members.count ? .object(values) : nil
        }
    }

    mutating func params(
        _ drafts: [DraftParam], _ context: FeedContext, _ path: [String]
    ) -> [Param]? {
        var params: [Param] = []
        var isRight = true
        for draft in drafts {
            for value in draft.values {
                if let template = template(value, context, path + [draft.name]) {
                    params.append(Param(name: draft.name, value: template))
                } else {
                    isRight = false
                }
            }
        }
        return isRight ? params : nil
    }

    mutating func headers(
        _ drafts: [DraftHeader], _ context: FeedContext, _ path: [String]
    ) -> [HeaderPlan]? {
        let headers = drafts.compactMap { draft -> HeaderPlan? in
            switch draft.value {
            case .secret(let source): HeaderPlan(name: draft.name, value: .secret(source))
            case .template(let value):
                template(value, context, path + [draft.name]).flatMap { template in
                    guard let literal = template.literal, FieldRules.hasControls(literal) else {
                        return HeaderPlan(
                            name: draft.name, value: PlanBuilder.field(draft.name, template))
                    }
                    problems.add(.badValue, at: value.written.start, path + [draft.name], FieldRules.controls)
                    return nil
                }
            }
        }
        return headers.count == drafts.count ? headers : nil
    }

    /// A text that is a secret by the field's name is one like any other, and hidden wherever it comes back.
    private static func field(_ name: String, _ template: Template) -> FieldText {
        guard FieldRules.isSecret(name), let literal = template.literal, !literal.isEmpty else {
            return .template(template)
        }
        return .secret(.literal(literal))
    }
}
