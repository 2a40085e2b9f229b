import RefreshCore

/// A JSON body while it is put together.
indirect enum BodyTree: Equatable {
    case object([Member])
    case array([BodyTree])
    /// A JSON text.
    case raw([UInt8])

    struct Member: Equatable {
        let name: String
        var value: BodyTree
    }

    /// The template with its placeholders filled in: a string that is one placeholder keeps the value's type, and
    /// what is not set is left out with its member or element; nil where that is everything.
    init?(_ template: JSONTemplate, _ values: RequestValues) {
        switch template {
        case .raw(let text): self = .raw(Array(text.utf8))
        case .text(let template):
            if let placeholder = template.solePlaceholder {
                guard let value = values[placeholder] else { return nil }
                self = .raw(value.json)
            } else {
                guard let text = values.text(template) else { return nil }
                self = .raw(ScalarValue(text).json)
            }
        case .array(let elements): self = .array(elements.compactMap { BodyTree($0, values) })
        case .object(let members):
            self = .object(
                members.compactMap { member in
                    BodyTree(member.value, values).map { Member(name: member.name, value: $0) }
                })
        }
    }

    /// Puts `value` at the end of `steps`, making the objects on the way; false where something else stands there.
    mutating func set(_ value: ScalarValue, at steps: ArraySlice<JSONPath.Step>) -> Bool {
        guard let step = steps.first else {
            self = .raw(value.json)
            return true
        }
        switch (step, self) {
        case (.name(let bytes), .object(var members)):
            let name = String(decoding: bytes, as: UTF8.self)
            if let place = members.firstIndex(where: { $0.name.utf8.elementsEqual(bytes) }) {
                guard members[place].value.set(value, at: steps.dropFirst()) else { return false }
            } else {
                var child = BodyTree.object([])
                guard child.set(value, at: steps.dropFirst()) else { return false }
                members.append(Member(name: name, value: child))
            }
            self = .object(members)
            return true
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            guard elements[index].set(value, at: steps.dropFirst()) else { return false }
            self = .array(elements)
            return true
        default: return false
        }
    }

    var bytes: [UInt8] {
        var text = JSONText()
        write(to: &text)
        return text.bytes
    }

    private func write(to text: inout JSONText) {
        switch self {
        case .raw(let bytes): text.raw(bytes)
        case .array(let elements):
            text.array { text in for element in elements { element.write(to: &text) } }
        case .object(let members):
            text.object { text in
                for member in members {
                    text.name(member.name.utf8)
                    member.value.write(to: &text)
                }
            }
        }
    }
}
