import RefreshCore

/// The language as JSON Schema (draft 2020-12), for editors: made from the table, so that it says what the table says.
///
/// It knows single values and which keys stand together; what only the whole file shows is for `refreshctl check`.
package enum ConfigSchema {
    /// The schema as JSON text, one line.
    package static let json: String = {
        var writer = SchemaWriter()
        return writer.document()
    }()
}

/// Writes the schema; blocks that are used in several places are written once, under `$defs`.
struct SchemaWriter {
    private var definitions: [(name: String, text: JSONText)] = []

    mutating func document() -> String {
        let properties = properties(of: RootTable.block)
        var text = JSONText()
        text.object { text in
            text.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            text.member("title", "plugins.yaml of refreshd")
            text.member("type", "object")
            text.name("properties")
            text.raw(properties.bytes)
            text.name("additionalProperties")
            text.bool(false)
            text.name("$defs")
            text.object { text in
                for definition in definitions {
                    text.name(definition.name.utf8)
                    text.raw(definition.text.bytes)
                }
            }
        }
        return text.text
    }

    // MARK: - Blocks

    private mutating func properties(of block: Block) -> JSONText {
        let values = block.entries.map { ($0, schema(of: $0.shape, in: $0.name)) }
        var text = JSONText()
        text.object { text in
            for (entry, schema) in values {
                text.name(entry.name.utf8)
                text.object { text in
                    text.member("description", SchemaWriter.description(of: entry))
                    if let value = entry.fallback, let json = SchemaWriter.json(value) {
                        text.name("default")
                        text.raw(json.utf8)
                    }
                    schema(&text)
                }
            }
        }
        return text
    }

    private static func description(of entry: Entry) -> String {
        guard let note = entry.note else { return entry.summary }
        return "\(entry.summary) Default: \(note)."
    }

    /// A default as JSON; nil where it has no short form.
    private static func json(_ value: ConfigValue) -> String? {
        switch value {
        case .flag(let flag): return flag ? "true" : "false"
        case .whole(let number): return "\(number)"
        case .number: return value.text
        default:
            guard let words = value.text else { return nil }
            var text = JSONText()
            text.string(words)
            return text.text
        }
    }

    /// The members that make an object of this block.
    private mutating func object(_ block: Block, required: [String]) -> (inout JSONText) -> Void {
        let properties = properties(of: block)
        let needed = required + block.entries.filter { $0.required == AdapterKind.all }.map(\.name)
        return { text in
            text.member("type", "object")
            text.name("properties")
            text.raw(properties.bytes)
            text.name("additionalProperties")
            text.bool(false)
            if !needed.isEmpty {
                text.name("required")
                text.array { text in for name in Set(needed).sorted() { text.string(name) } }
            }
        }
    }

    /// The one copy of a block, as a reference to it.
    private mutating func reference(
        _ name: String, _ make: (inout SchemaWriter) -> JSONText
    ) -> (inout JSONText) -> Void {
        if !definitions.contains(where: { $0.name == name }) {
            // Reserved first, so that definitions come in the order in which they are met.
            definitions.append((name, JSONText()))
            let made = make(&self)
            if let index = definitions.firstIndex(where: { $0.name == name }) {
                definitions[index].text = made
            }
        }
        return { $0.member("$ref", "#/$defs/\(name)") }
    }

    // MARK: - Shapes

    private mutating func schema(of shape: Shape, in name: String) -> (inout JSONText) -> Void {
        switch shape {
        case .block(let block): return self.block(block, in: name)
        case .choice(let choice): return self.choice(choice)
        case .either(let words, let block):
            let object = self.object(block, required: [])
            return { text in
                text.alternatives([{ $0.words(words) }, object])
            }
        case .list(let block):
            let object = self.object(block, required: [])
            return { text in
                text.member("type", "array")
                text.name("items")
                text.object(object)
            }
        case .map(let names, let inner):
            let schema = self.schema(of: inner, in: name)
            let isTop = [RootTable.feeds, RootTable.fragments, RootTable.budgets, RootTable.plugins]
                .contains { $0.entry.name == name }
            return { text in
                // Keys that all stand in comments leave nothing, which is read as nothing.
                text.types(isTop ? ["object", "null"] : ["object"])
                text.name("propertyNames")
                text.object { $0.member("pattern", SchemaWriter.pattern(of: names)) }
                text.name("additionalProperties")
                text.object(schema)
            }
        default: return { SchemaWriter.write(shape, to: &$0) }
        }
    }

    private mutating func block(_ block: Block, in name: String) -> (inout JSONText) -> Void {
        switch name {
        case RootTable.feeds.entry.name:
            return reference("feed") { writer in
                writer.text(of: writer.object(SchemaWriter.lenient(FeedTable.block), required: [])) {
                    SchemaWriter.exclude("url", "request", "url", &$0)
                }
            }
        case RootTable.defaults.entry.name:
            return optional("defaults", FeedTable.defaultsBlock)
        case RootTable.fragments.entry.name:
            return reference("fragment") { writer in
                writer.text(of: writer.object(SchemaWriter.lenient(FeedTable.defaultsBlock), required: []))
            }
        case RootTable.daemon.entry.name: return optional("daemon", DaemonTable.block)
        case "request", "login", "lookup":
            let kind = block["url"]?.required.isEmpty == false ? "neededRequest" : "request"
            return reference(kind) { writer in writer.text(of: writer.object(block, required: [])) }
        case _ where block["users"] != nil:
            return reference("people") { writer in writer.text(of: writer.object(block, required: [])) }
        default: return object(block, required: [])
        }
    }

    /// A block at the top, which may hold nothing but comments.
    private mutating func optional(_ name: String, _ block: Block) -> (inout JSONText) -> Void {
        reference(name) { writer in
            let object = writer.object(SchemaWriter.lenient(block), required: [])
            var text = JSONText()
            text.object { text in text.alternatives([object, { $0.member("type", "null") }]) }
            return text
        }
    }

    /// Of `defaults` and fragments, where what a feed cannot do without may be missing.
    private static func lenient(_ block: Block) -> Block {
        Block(
            block.entries.map {
                Entry(
                    $0.name, $0.shape, fallback: $0.fallback, exceptions: $0.exceptions, note: $0.note,
                    adapters: $0.adapters, summary: $0.summary)
            })
    }

    private func text(
        of object: (inout JSONText) -> Void, _ more: (inout JSONText) -> Void = { _ in }
    ) -> JSONText {
        var text = JSONText()
        text.object { text in
            object(&text)
            more(&text)
        }
        return text
    }

    /// `url` at the top and in `request` exclude each other.
    private static func exclude(_ key: String, _ block: String, _ inner: String, _ text: inout JSONText) {
        text.name("not")
        text.object { text in
            text.name("required")
            text.array { text in
                text.string(key)
                text.string(block)
            }
            text.name("properties")
            text.object { text in
                text.name(block.utf8)
                text.object { text in
                    text.name("required")
                    text.array { $0.string(inner) }
                }
            }
        }
    }

    private mutating func choice(_ choice: Choice) -> (inout JSONText) -> Void {
        let bare = choice.kinds.filter { kind in
            !choice.block(of: kind).entries.contains { $0.required == AdapterKind.all }
        }.map(\.name)
        let objects = choice.kinds.map { kind -> (inout JSONText) -> Void in
            let type = Entry(Choice.type, .word([kind.name]), summary: kind.summary)
            return object(Block([type] + choice.block(of: kind).entries), required: [Choice.type])
        }
        return { text in text.alternatives([{ $0.words(bare) }] + objects) }
    }

    private static func pattern(of names: NameRule) -> String {
        switch names {
        case .feed, .thing: "^[a-z0-9][a-z0-9._-]{0,63}$"
        case .variable: "^[A-Za-z_][A-Za-z0-9_]*$"
        case .field: "^(?!\\[\\]$)."
        case .any: "."
        }
    }
}
