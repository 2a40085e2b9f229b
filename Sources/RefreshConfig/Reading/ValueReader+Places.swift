import RefreshCore

/// Paths, conditions, places, URLs and times: texts with a grammar of their own.
extension ValueReader {
    mutating func place(_ shape: Shape, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        switch shape {
        case .readPlace: return readPlace(node, path)
        case .sendPlace: return sendPlace(node, path)
        case .tokenPlace: return tokenPlace(node, path)
        default: break
        }
        guard let scalar = node.scalar, scalar.value != .null, let written = WrittenText(node) else {
            return refuseType(shape, node, path)
        }
        switch shape {
        case .url: return url(scalar.text, node, path)
        case .cron: return cron(scalar.text, node, path)
        case .zone: return zone(scalar.text, node, path)
        case .start: return start(scalar.text, node, path)
        case .path(let singular): return jsonPath(node, path, singular: singular).map { .paths([$0]) }
        case .bodyPath:
            if scalar.text.isEmpty { return refuse(.badValue, node.start, path, "must not be empty") }
            return .bodyPaths([written])
        case .filter: return filter(scalar.text, node, path)
        case .requestURL(let role), .template(let role):
            return template(written, role, path).map { .template($0) }
        default: preconditionFailure("no shape of a place")
        }
    }

    private mutating func url(_ text: String, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        do {
            return .url(try WebURL(parsing: text))
        } catch {
            let place = node.place(atByte: error.offset)
            return refuse(.badValue, place, path, SafeText.escaped(error.message))
        }
    }

    private mutating func cron(_ text: String, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        switch CronText.read(text) {
        case .success(let cron): return .cron(cron)
        case .failure(let failure):
            let place = node.place(atByte: failure.offset)
            return refuse(.badValue, place, path, SafeText.escaped(failure.message))
        }
    }

    private mutating func zone(_ text: String, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if let zone = TimeZones.zone(named: text) { return .zone(zone) }
        let message =
            "\"\(SafeText.short(text))\" is no zone of the tz database; write one such as Europe/Berlin"
        return refuse(.badValue, node.start, path, message)
    }

    private mutating func start(_ text: String, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if text.isEmpty { return refuse(.badValue, node.start, path, "must not be empty") }
        if FieldRules.hasControls(text) {
            return refuse(.badValue, node.start, path, "holds control characters")
        }
        if let ago = try? DurationText.parse(text) { return .start(.ago(ago)) }
        return .start(.value(text))
    }

    mutating func jsonPath(_ node: YAMLNode, _ path: [String], singular: Bool) -> JSONPath? {
        guard let scalar = node.scalar, scalar.value != .null else {
            _ = refuseType(.path(singular: singular), node, path)
            return nil
        }
        do {
            let result = try JSONPath(parsing: scalar.text)
            if !singular || result.isSingular { return result }
            problems.add(.badValue, at: node.start, path, ValueReader.severalValues(scalar.text))
        } catch {
            let place = node.place(atByte: error.offset)
            problems.add(.badValue, at: place, path, SafeText.escaped(error.message))
        }
        return nil
    }

    static func severalValues(_ text: String) -> String {
        "\"\(SafeText.short(text))\" may select several values; write the path of one"
    }

    private mutating func filter(_ text: String, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard !text.isEmpty else { return refuse(.badValue, node.start, path, "must not be empty") }
        do {
            return .filter(try JSONFilter(parsing: text))
        } catch {
            let place = node.place(atByte: error.offset)
            return refuse(.badValue, place, path, SafeText.escaped(error.message))
        }
    }

    // MARK: - Places

    private mutating func readPlace(_ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if case .mapping = node.content {
            guard let (_, name) = onePlace(["header"], .readPlace, node, path) else { return nil }
            return .readPlace(.header(name.text))
        }
        guard let written = WrittenText(node), !node.isNull else { return refuseType(.readPlace, node, path) }
        if written.text.isEmpty { return refuse(.badValue, node.start, path, "must not be empty") }
        return .readPlace(.body(written))
    }

    private mutating func sendPlace(_ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .mapping(let pairs) = node.content,
            let (kind, name) = onePlace(["param", "header", "body"], .sendPlace, node, path)
        else {
            if case .mapping = node.content { return nil }
            return refuseType(.sendPlace, node, path)
        }
        switch kind {
        case "param": return .sendPlace(.param(name.text))
        case "header": return .sendPlace(.header(name.text))
        default:
            return jsonPath(pairs[0].value, path + [kind], singular: true).map { .sendPlace(.body($0)) }
        }
    }

    private mutating func tokenPlace(_ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .mapping = node.content else {
            return jsonPath(node, path, singular: true).map { .tokenPlace(.body($0)) }
        }
        guard let (kind, name) = onePlace(["header", "cookie"], .tokenPlace, node, path) else { return nil }
        return .tokenPlace(kind == "header" ? .header(name.text) : .cookie(name.text))
    }

    /// The one pair of a place such as `{header: NAME}`.
    private mutating func onePlace(
        _ kinds: [String], _ shape: Shape, _ node: YAMLNode, _ path: [String]
    ) -> (kind: String, name: WrittenText)? {
        guard case .mapping(let pairs) = node.content, let pair = pairs.first, pairs.count == 1,
            let kind = pair.key.scalar?.text
        else {
            problems.add(.wrongType, at: node.start, path, "must be \(shape.noun): one of them")
            return nil
        }
        let here = path + [kind]
        guard kinds.contains(kind) else {
            let message = "unknown place \"\(SafeText.short(kind))\"; write \(shape.noun)"
            problems.add(.unknownKey, at: pair.key.start, path, message)
            return nil
        }
        guard let name = WrittenText(pair.value), !pair.value.isNull else {
            _ = refuseType(.text, pair.value, here)
            return nil
        }
        let isField = kind == "header" || kind == "cookie"
        if isField && !FieldRules.isToken(name.text) {
            let message =
                "\"\(SafeText.short(name.text))\" cannot name a \(kind == "header" ? "header field" : "cookie") (RFC 9110, 5.1)"
            problems.add(.badValue, at: pair.value.start, here, message)
            return nil
        }
        if name.text.isEmpty {
            problems.add(.badValue, at: pair.value.start, here, "must not be empty")
            return nil
        }
        return (kind, name)
    }
}
