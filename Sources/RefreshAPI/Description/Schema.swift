/// What a JSON value may be, as far as programs have to know it (JSON Schema 2020-12, which OpenAPI 3.1 speaks).
indirect enum Schema: Sendable {
    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let schema: Schema
        let about: String?
        let isRequired: Bool

        init(_ name: String, _ schema: Schema, _ about: String? = nil, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.about = about
            self.isRequired = isRequired
        }

        /// One that is not always there.
        static func maybe(_ name: String, _ schema: Schema, _ about: String? = nil) -> Member {
            Member(name, schema, about, isRequired: false)
        }
    }

    /// Whatever an upstream wrote.
    case any
    case text
    /// RFC 3339 in UTC.
    case time
    case matching(String)
    case choice([String])
    case number(ClosedRange<Int64>)
    case flag
    case list(Schema, atMost: Int? = nil)
    /// Answers may gain members.
    case object([Member])
    /// Nothing but these: what clients send.
    case exactly([Member])
    /// Members of any name.
    case map(Schema)
    case optional(Schema)
    case anyOf([Schema])
    case named(SchemaName)

    static let count = Schema.number(0...Int64.max)

    var node: DocumentNode { .object(members) }

    /// Its members, to which others may be added.
    var members: [(name: String, value: DocumentNode)] {
        switch self {
        case .any: []
        case .text: Schema.type("string")
        case .time: Schema.type("string") + [("format", .text("date-time"))]
        case .matching(let pattern): Schema.type("string") + [("pattern", .text(pattern))]
        case .choice(let names): Schema.type("string") + [("enum", .texts(names))]
        case .number(let range): Schema.type("integer") + Schema.bounds(range)
        case .flag: Schema.type("boolean")
        case .list(let element, let limit):
            Schema.type("array") + [("items", element.node)]
                + (limit.map { [("maxItems", .number(Int64($0)))] } ?? [])
        case .object(let members): Schema.object(members)
        case .exactly(let members): Schema.object(members) + [("additionalProperties", .flag(false))]
        case .map(let value): Schema.type("object") + [("additionalProperties", value.node)]
        case .optional(let schema):
            [("anyOf", .array([schema.node, .object(Schema.type("null"))]))]
        case .anyOf(let schemas): [("anyOf", .array(schemas.map(\.node)))]
        case .named(let name): [("$ref", .text("#/components/schemas/\(name.rawValue)"))]
        }
    }

    private static func type(_ name: String) -> [(name: String, value: DocumentNode)] {
        [("type", .text(name))]
    }

    private static func bounds(_ range: ClosedRange<Int64>) -> [(name: String, value: DocumentNode)] {
        var bounds: [(name: String, value: DocumentNode)] = []
        if range.lowerBound != .min { bounds.append(("minimum", .number(range.lowerBound))) }
        if range.upperBound != .max { bounds.append(("maximum", .number(range.upperBound))) }
        return bounds
    }

    private static func object(_ members: [Member]) -> [(name: String, value: DocumentNode)] {
        let required = members.filter(\.isRequired).map(\.name)
        let properties = members.map { member in
            (
                name: member.name,
                value: DocumentNode.object(
                    member.schema.members + (member.about.map { [("description", .text($0))] } ?? []))
            )
        }
        return type("object") + (required.isEmpty ? [] : [("required", .texts(required))])
            + [("properties", .object(properties))]
    }
}
