import RefreshCore

extension ConfigValue {
    /// The value as somebody would write it in the file, secrets as where they come from; nil for blocks and maps,
    /// whose keys have values of their own.
    var text: String? {
        switch self {
        case .flag(let value): value ? "true" : "false"
        case .text(let text): text
        case .whole(let number): "\(number)"
        case .number(let number): number == Double(Int(number)) ? "\(Int(number))" : "\(number)"
        case .duration(let duration): DurationText.format(duration)
        case .off: "off"
        case .size(let size): size.text
        case .share(let share): ConfigValue.percent(share)
        case .mode(let bits): "0" + String(bits, radix: 8)
        case .rate(let rate): "\(rate.count)/\(DurationText.format(rate.per))"
        case .url(let url): url.description
        case .cron(let cron): cron.text
        case .zone(let zone): zone.name
        case .start(.value(let value)): value
        case .start(.ago(let duration)): DurationText.format(duration)
        case .block, .map, .list, .params, .headers: nil
        default: placeText
        }
    }

    private var placeText: String? {
        switch self {
        case .paths(let paths): ConfigValue.list(paths.map(\.text))
        case .bodyPaths(let paths): ConfigValue.list(paths.map(\.text))
        case .readPlace(.body(let path)): path.text
        case .readPlace(.header(let name)): "{header: \(name)}"
        case .sendPlace(.param(let name)): "{param: \(name)}"
        case .sendPlace(.header(let name)): "{header: \(name)}"
        case .sendPlace(.body(let path)): "{body: \(path.text)}"
        case .tokenPlace(.body(let path)): path.text
        case .tokenPlace(.header(let name)): "{header: \(name)}"
        case .tokenPlace(.cookie(let name)): "{cookie: \(name)}"
        case .filter(let filter): filter.text
        case .secret(let source): ConfigValue.text(of: source)
        case .template(let template): template.written.text
        case .draft(let draft): ConfigValue.json(draft).text
        case .json(let text): text
        case .texts(let texts): "[\(texts.joined(separator: ", "))]"
        case .wholes(let numbers): "[\(numbers.map(String.init).joined(separator: ", "))]"
        case .statuses(let statuses): ConfigValue.list(statuses.map(\.text))
        default: nil
        }
    }

    /// Where it comes from; of a secret in the file itself no more than that.
    static func text(of source: SecretSource) -> String {
        switch source {
        case .literal: "(secret)"
        case .file(let path): "{file: \(path)}"
        case .environment(let name): "{env: \(name)}"
        case .credential(let name): "{cred: \(name)}"
        }
    }

    private static func list(_ texts: [String]) -> String {
        texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
    }

    private static func json(_ draft: DraftJSON) -> JSONText {
        var text = JSONText()
        write(draft, to: &text)
        return text
    }

    private static func write(_ draft: DraftJSON, to text: inout JSONText) {
        switch draft {
        case .object(let members):
            text.object { text in
                for member in members {
                    text.name(member.name.utf8)
                    write(member.value, to: &text)
                }
            }
        case .array(let values): text.array { text in for value in values { write(value, to: &text) } }
        case .text(let template): text.string(template.written.text)
        case .raw(let raw): text.raw(raw.utf8)
        }
    }

    /// To a hundredth of a percent. (`rounded()` would want the C library's mathematics.)
    private static func percent(_ share: Double) -> String {
        let hundredths = Int(share * 10_000 + 0.5)
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)%" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}

extension ErrorRule.Status {
    /// As the file spells it.
    var text: String {
        switch self {
        case .code(let code): "\(code)"
        case .hundred(let hundreds): "\(hundreds)xx"
        }
    }
}
