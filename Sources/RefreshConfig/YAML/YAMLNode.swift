/// A value of a YAML document with the place it was written at.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// In the order written; keys may repeat, which is for the caller to refuse.
        case mapping([Pair])
    }

    package struct Pair: Sendable {
        package let key: YAMLNode
        package let value: YAMLNode
    }

    package let content: Content
    /// Where the value stands; for an alias where its anchor stands.
    package let start: SourcePlace
    package let end: SourcePlace
    package let tag: String?
    /// Stands here by an alias only.
    package var isAlias = false

    package init(
        _ content: Content, start: SourcePlace, end: SourcePlace, tag: String? = nil
    ) {
        self.content = content
        self.start = start
        self.end = end
        self.tag = tag
    }

    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    package var isNull: Bool { scalar?.value == .null }

    /// Whether names stand here, with their values.
    var isMapping: Bool { if case .mapping = content { true } else { false } }

    /// What stands here, in a word for messages.
    package var noun: String {
        switch content {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar(let scalar):
            switch scalar.value {
            case .null: "nothing"
            case .bool(let value): value ? "true" : "false"
            case .integer, .float: "a number"
            case .text: "text"
            }
        }
    }

    /// The place of the byte at `offset` of the scalar's text.
    package func place(atByte offset: Int) -> SourcePlace {
        WrittenText(self)?.place(atByte: offset) ?? start
    }
}
