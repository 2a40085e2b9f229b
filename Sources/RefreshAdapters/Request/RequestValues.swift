import RefreshCore

/// What stands for the placeholders of a request.
package struct RequestValues: Sendable, Equatable {
    package var since: ScalarValue?
    package var until: ScalarValue?
    package var cursor: ScalarValue?
    package var page: Int?
    package var offset: Int?
    package var size: Int?
    package var now: Timestamp
    /// Fields of a parent's item by their name behind `parent.`.
    package var parent: [String: ScalarValue] = [:]

    /// What the secrets of a login's body are at the moment.
    package var secrets: [SecretSource: String] = [:]

    package init(now: Timestamp) { self.now = now }

    /// Nil where it is not set; ids and operations have requests of their own.
    package subscript(placeholder: Placeholder) -> ScalarValue? {
        switch placeholder {
        case .since: since
        case .until: until
        case .cursor: cursor
        case .page: page.map { ScalarValue($0) }
        case .offset: offset.map { ScalarValue($0) }
        case .size: size.map { ScalarValue($0) }
        case .now: ScalarValue(now.rfc3339)
        case .parent(let field): parent[field]
        case .secret(let source): secrets[source].map { ScalarValue($0) }
        case .ids, .operationID, .operationKey, .operationBody, .operationField: nil
        }
    }

    /// The text with its placeholders filled in; nil where one of them is not set.
    package func text(_ template: Template) -> String? {
        if let literal = template.literal { return literal }
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let piece): text += piece
            case .placeholder(let placeholder):
                guard let value = self[placeholder], value.kind != .null else { return nil }
                text += value.text
            }
        }
        return text
    }

    /// As `text`, with nothing for what is not set.
    package func lenientText(_ template: Template) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let piece): text += piece
            case .placeholder(let placeholder):
                if let value = self[placeholder], value.kind != .null { text += value.text }
            }
        }
        return text
    }
}

extension ScalarValue {
    /// A whole number.
    package init(_ number: Int) { self.init(kind: .number, bytes: Array(String(number).utf8)) }
}
