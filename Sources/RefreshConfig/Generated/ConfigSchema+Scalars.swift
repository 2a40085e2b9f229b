import RefreshCore

/// Shapes that hold no further keys.
extension SchemaWriter {
    static func write(_ shape: Shape, to text: inout JSONText) {
        switch shape {
        case .flag: text.member("type", "boolean")
        case .fieldValue: text.texts(pattern: "^\(printable)+$")
        case .text, .bodyPath, .start, .template, .requestURL, .filter, .path:
            writeText(shape, to: &text)
        case .token, .adapter: text.texts(pattern: "^\(token)+$")
        case .method: text.strings(pattern: "^(?!CONNECT$|TRACE$)[A-Z-]+$")
        case .filePath, .socketPath: text.texts(pattern: "^(?!~(/|$))[^\\u0000-\\u001f]+$")
        case .word(let words): text.words(words)
        case .character(let word): text.texts(pattern: "^([^\"\\n]|tab|\(word))$")
        case .whole(let range): text.range("integer", "\(range.lowerBound)", "\(range.upperBound)")
        case .number(let range):
            let low = ConfigValue.number(range.lowerBound).text ?? "0"
            text.range("number", low, ConfigValue.number(range.upperBound).text ?? "0")
        case .duration(_, let canBeOff): text.strings(pattern: duration(canBeOff: canBeOff))
        case .size: text.strings(pattern: "^[0-9]+(B|KiB|MiB|GiB|TiB)$")
        case .share: text.strings(pattern: "^(100|[0-9]{1,2}(\\.[0-9]+)?)(\\.0+)?%$")
        case .mode:
            text.alternatives([
                { $0.strings(pattern: "^0?o?[0-7]{3}$") }, { $0.range("integer", "0", "777") },
            ])
        case .rate: text.strings(pattern: "^[0-9]+/([0-9]+(d|h|m|s|ms|us))+$")
        case .url: text.strings(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^@\\s]+$")
        case .cron: text.strings(pattern: "^(@[a-z]+|\\S+( +\\S+){4})$")
        case .zone: text.strings(pattern: "^[A-Z][A-Za-z0-9/_+-]*$")
        default: writePlace(shape, to: &text)
        }
    }

    /// A character of a name (RFC 9110, 5.6.2).
    private static let token = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
    private static let printable = "[^\\u0000-\\u001f\\u007f-\\u009f]"

    /// Names of header fields, but those that the daemon sets itself; case does not matter.
    private static let fieldName: String = {
        let ours = FieldRules.ours.sorted().map { name in
            name.map { $0 == "-" ? "-" : "[\($0.uppercased())\($0)]" }.joined()
        }
        return "^(?!(\(ours.joined(separator: "|")))$)\(token)+$"
    }()

    private static let sources = [
        ("file", "^(?!~(/|$))\(printable)+$"), ("env", "^[A-Za-z_][A-Za-z0-9_]*$"),
        ("cred", "^(?![.])\(token){1,255}$"),
    ]

    private static func duration(canBeOff: Bool) -> String {
        let units = ["d", "h", "m", "s", "ms", "us"].map { "([0-9]+\($0))?" }.joined()
        return "^(?!$)(\(units)\(canBeOff ? "|off" : ""))$"
    }

    private static func writeText(_ shape: Shape, to text: inout JSONText) {
        switch shape {
        case .requestURL: text.strings(pattern: "^(\\$\\(var\\.|[Hh][Tt][Tt][Pp][Ss]?://)[^@\\s]+$")
        case .text, .template: text.types(["string", "number", "boolean"])
        default:
            text.types(["string", "number", "boolean"])
            text.name("minLength")
            text.number(1)
        }
    }

    private static var secrets: [(inout JSONText) -> Void] {
        sources.map { source in { $0.place([source.0], pattern: source.1) } }
    }

    private static func writePlace(_ shape: Shape, to text: inout JSONText) {
        switch shape {
        case .bodyPaths, .pathList: text.orList(least: 1) { $0.texts(pattern: ".") }
        case .texts, .feedNames: text.orList(least: 0) { $0.texts(pattern: ".") }
        case .command:
            text.alternatives([
                { $0.strings(pattern: "^(/[^ ]*|[^/ ]+)$") },
                { text in
                    text.member("type", "array")
                    text.name("prefixItems")
                    text.array { $0.object { $0.strings(pattern: "^(/|[^/]+$)") } }
                    text.name("items")
                    text.object { $0.texts(pattern: ".") }
                    text.name("minItems")
                    text.number(1)
                },
            ])
        case .words(let words): text.orList(least: 0) { $0.words(words) }
        case .wholes(let range):
            text.orList(least: 0) { $0.range("integer", "\(range.lowerBound)", "\(range.upperBound)") }
        case .statuses:
            text.orList(least: 0) { text in
                text.alternatives([
                    { $0.range("integer", "100", "599") }, { $0.strings(pattern: "^[1-5][xX][xX]$") },
                ])
            }
        case .readPlace: text.alternatives([{ $0.texts(pattern: ".") }, { $0.place(["header"]) }])
        case .tokenPlace:
            text.alternatives(
                [{ $0.texts(pattern: ".") }] + ["header", "cookie"].map { name in { $0.place([name]) } })
        case .sendPlace:
            text.alternatives(["param", "header", "body"].map { name in { $0.place([name]) } })
        case .secret: text.alternatives([{ $0.texts(pattern: "^\(printable)+$") }] + secrets)
        case .params(let role):
            text.member("type", "object")
            text.name("additionalProperties")
            text.object { text in
                let plain = { (text: inout JSONText) in
                    text.orList(least: 0) { $0.types(["string", "number", "boolean"]) }
                }
                if role == .login { text.alternatives([plain] + secrets) } else { plain(&text) }
            }
        case .headers:
            text.member("type", "object")
            text.name("propertyNames")
            text.object { $0.member("pattern", fieldName) }
            text.name("additionalProperties")
            text.object { text in
                text.alternatives([{ $0.texts(pattern: "^\(printable)*$") }] + secrets)
            }
        default: break
        }
    }
}

extension JSONText {
    mutating func member(_ name: String, _ value: String) {
        self.name(name.utf8)
        string(value)
    }

    mutating func types(_ names: [String]) {
        name("type")
        if names.count == 1 {
            string(names[0])
        } else {
            array { text in for name in names { text.string(name) } }
        }
    }

    mutating func words(_ words: [String]) {
        name("enum")
        array { text in for word in words { text.string(word) } }
    }

    /// Text, which YAML may take for a number or a boolean where it is not quoted.
    mutating func texts(pattern: String) {
        types(["string", "number", "boolean"])
        member("pattern", pattern)
    }

    mutating func strings(pattern: String) {
        member("type", "string")
        member("pattern", pattern)
    }

    mutating func range(_ type: String, _ low: String, _ high: String) {
        member("type", type)
        name("minimum")
        raw(low.utf8)
        name("maximum")
        raw(high.utf8)
    }

    mutating func alternatives(_ schemas: [(inout JSONText) -> Void]) {
        name("anyOf")
        array { text in for schema in schemas { text.object(schema) } }
    }

    /// One of these, or a list of them.
    mutating func orList(least: Int, _ item: @escaping (inout JSONText) -> Void) {
        alternatives([
            item,
            { text in
                text.member("type", "array")
                text.name("items")
                text.object(item)
                text.name("minItems")
                text.number(least)
            },
        ])
    }

    /// A mapping of one key to text.
    mutating func place(_ names: [String], pattern: String = ".") {
        member("type", "object")
        name("properties")
        object { text in
            for name in names {
                text.name(name.utf8)
                text.object { $0.texts(pattern: pattern) }
            }
        }
        name("required")
        array { text in for name in names { text.string(name) } }
        name("additionalProperties")
        bool(false)
    }
}
