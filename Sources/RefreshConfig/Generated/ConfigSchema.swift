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
            if !block.oneOf.isEmpty {
                text.name("oneOf")
                text.array { text in
                    for key in block.oneOf {
                        text.object { text in
                            text.name("required")
                            text.array { $0.string(key) }
                        }
                    }
                }
            }
            if !needed.isEmpty {
                text.name("required")
                text.array { text in for name in Set(needed).sorted() { text.string(name) } }
            }
        }
    }

    /// A reference to the one copy of these members; what stands in several places is the same text there.
    private mutating func reference(
        _ name: String, _ members: (inout JSONText) -> Void
    ) -> (inout JSONText) -> Void {
        var text = JSONText()
        text.object(members)
        var known = definitions.first { $0.text.bytes == text.bytes }?.name
        if known == nil {
            var unused = name
            var number = 2
            while definitions.contains(where: { $0.name == unused }) {
                unused = "\(name)\(number)"
                number += 1
            }
            definitions.append((unused, text))
            known = unused
        }
        let found = known ?? name
        return { $0.member("$ref", "#/$defs/\(found)") }
    }

    // MARK: - Shapes

    private mutating func schema(of shape: Shape, in name: String) -> (inout JSONText) -> Void {
        switch shape {
        case .block(let block): return self.block(block, in: name)
        case .choice(let choice): return reference(name, self.choice(choice))
        case .either(let words, let block):
            let object = self.object(block, required: [])
            return reference(name) { $0.alternatives([{ $0.words(words) }, object]) }
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
            let object = self.object(SchemaWriter.lenient(block), required: [])
            return reference("feed") { text in
                object(&text)
                SchemaWriter.exclude("url", "request", "url", &text)
                SchemaWriter.excludeByAdapter(block, &text)
            }
        case RootTable.fragments.entry.name:
            return reference("fragment", object(SchemaWriter.lenient(block), required: []))
        case RootTable.defaults.entry.name, RootTable.daemon.entry.name:
            // A block at the top may hold nothing but comments.
            let object = reference(
                name == RootTable.daemon.entry.name ? name : "fragment",
                self.object(SchemaWriter.lenient(block), required: []))
            return { $0.alternatives([object, { $0.member("type", "null") }]) }
        default: return reference(name, object(block, required: []))
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

    /// Keys that mean nothing to the adapter that a feed names itself.
    private static func excludeByAdapter(_ block: Block, _ text: inout JSONText) {
        text.name("allOf")
        text.array { text in
            for kind in AdapterKind.allCases where kind != .plugin {
                text.object { text in
                    text.name("if")
                    text.object { text in
                        text.name("properties")
                        text.object { text in
                            text.name("adapter")
                            text.object { $0.member("const", kind.rawValue) }
                        }
                        text.name("required")
                        text.array { $0.string("adapter") }
                    }
                    text.name("then")
                    text.object { exclude(from: block, kind, &$0) }
                }
            }
        }
    }

    private static func exclude(from block: Block, _ kind: AdapterKind, _ text: inout JSONText) {
        text.name("properties")
        text.object { text in
            for entry in block.entries {
                if !entry.adapters.contains(kind) {
                    text.name(entry.name.utf8)
                    text.bool(false)
                } else if case .block(let inner) = entry.shape,
                    inner.entries.contains(where: { !$0.adapters.contains(kind) })
                {
                    text.name(entry.name.utf8)
                    text.object { exclude(from: inner, kind, &$0) }
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
            return object(
                Block([type] + choice.block(of: kind).entries, oneOf: kind.block.oneOf),
                required: [Choice.type])
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
