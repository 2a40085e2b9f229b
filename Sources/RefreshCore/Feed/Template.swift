/// Text with placeholders, `$(name)`, that are filled in when a request is made.
package struct Template: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case literal(String)
        case placeholder(Placeholder)
    }

    package let parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }
    package init(_ literal: String) { parts = literal.isEmpty ? [] : [.literal(literal)] }

    /// The text, where it has no placeholder.
    package var literal: String? {
        var text = ""
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            text += piece
        }
        return text
    }

    /// The placeholder, where the text is one and nothing else.
    package var solePlaceholder: Placeholder? {
        guard parts.count == 1, case .placeholder(let placeholder) = parts[0] else { return nil }
        return placeholder
    }

    package var placeholders: [Placeholder] {
        parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }
}

/// What the language can fill in. `$(var.NAME)` is none: it is filled in when the file is read.
package enum Placeholder: Hashable, Sendable {
    case since, until, cursor, page, offset, size, ids, now
    /// A field that a parent's item hands down.
    case parent(String)
    case operationID, operationKey, operationBody
    /// A member of an operation's body.
    case operationField(String)
    /// A secret in the body of a login. It is written as where it comes from, never as `$(…)`.
    case secret(SecretSource)

    /// Between the parentheses.
    package var name: String {
        switch self {
        case .since: "since"
        case .until: "until"
        case .cursor: "cursor"
        case .page: "page"
        case .offset: "offset"
        case .size: "size"
        case .ids: "ids"
        case .now: "now"
        case .parent(let field): "parent.\(field)"
        case .operationID: "op.id"
        case .operationKey: "op.key"
        case .operationBody: "op.body"
        case .operationField(let field): "op.body.\(field)"
        case .secret: "secret"
        }
    }
}

/// A JSON text whose strings may hold placeholders.
package indirect enum JSONTemplate: Hashable, Sendable {
    case object([Member])
    case array([JSONTemplate])
    /// A string; one that is a single placeholder keeps the type of what is filled in.
    case text(Template)
    /// A number, `true`, `false` or `null`, as written.
    case raw(String)

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONTemplate

        package init(name: String, value: JSONTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// Every text in it.
    package var templates: [Template] {
        switch self {
        case .text(let template): [template]
        case .raw: []
        case .array(let elements): elements.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }
}
