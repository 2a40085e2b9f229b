import RefreshCore

/// What stands on one side of a comparison in a filter.
enum JSONOperand {
    /// No node.
    case nothing
    case null
    case bool(Bool)
    /// As written.
    case number(ArraySlice<UInt8>)
    /// Without escapes; half a surrogate pair as three bytes.
    case string(ArraySlice<UInt8>)
    /// An object or array, by its place.
    case container(Int)

    /// Whether it sorts before `other`: numbers by value, strings by their characters' numbers, nothing else does
    /// (RFC 9535, 2.3.5.2.2). UTF-8 sorts as its characters do.
    func precedes(_ other: JSONOperand) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): JSONOperand.order(left, right) < 0
        case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }

    /// Negative, zero or positive as the left number is less, equal or greater; exact, whatever their size.
    static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        if let left = small(left), let right = small(right) {
            return left < right ? -1 : left == right ? 0 : 1
        }
        guard let left = DecimalNumber(left), let right = DecimalNumber(right) else { return 0 }
        return left < right ? -1 : left == right ? 0 : 1
    }

    /// A whole number of few digits, as most are.
    private static func small(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.count <= 18 else { return nil }
        var value = 0
        var isNegative = false
        for byte in text {
            if byte == UInt8(ascii: "-") {
                isNegative = true
            } else {
                guard JSONByte.isDigit(byte) else { return nil }
                value = value * 10 + Int(byte &- 0x30)
            }
        }
        return isNegative ? -value : value
    }
}

extension JSONDocument {
    func operand(at place: Int?) -> JSONOperand {
        guard let place else { return .nothing }
        let node = node(at: place)
        switch node.kind {
        case .object, .array: return .container(place)
        case .null: return .null
        case .bool: return .bool(bytes.storage[node.range.lowerBound] == UInt8(ascii: "t"))
        case .number: return .number(text(of: node))
        case .string: return .string(comparable(place))
        }
    }

    /// The text of the string at `place`, to compare by.
    func comparable(_ place: Int) -> ArraySlice<UInt8> {
        let text = bytes.storage[inside(place)]
        guard text.contains(JSONByte.backslash) else { return text }
        return (JSONStringText.decoded(text, halves: .kept) ?? [])[...]
    }

    /// The characters of a string, the elements of an array, the members of an object; nil of anything else.
    func length(of value: JSONOperand) -> Int? {
        switch value {
        case .string(let text): text.reduce(0) { count, byte in byte & 0xC0 == 0x80 ? count : count + 1 }
        case .container(let place): JSONChildPlaces(self, of: place).reduce(0) { count, _ in count + 1 }
        default: nil
        }
    }

    /// Equal as RFC 9535, 2.3.5.2.2, has it: numbers by value, objects whatever the order of their members.
    func equal(_ left: JSONOperand, _ right: JSONOperand) -> Bool {
        switch (left, right) {
        case (.nothing, .nothing), (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): JSONOperand.order(left, right) == 0
        case (.string(let left), .string(let right)): left.elementsEqual(right)
        case (.container(let left), .container(let right)): equalContainers(left, right)
        default: false
        }
    }

    /// Goes as deep as the document, whose depth was bounded when it was read.
    private func equalContainers(_ left: Int, _ right: Int) -> Bool {
        if left == right { return true }
        guard startByte(of: left) == startByte(of: right) else { return false }
        if startByte(of: left) == JSONByte.openArray {
            return JSONChildPlaces(self, of: left).elementsEqual(JSONChildPlaces(self, of: right)) {
                equal(operand(at: $0), operand(at: $1))
            }
        }
        let (one, other) = (members(at: left), members(at: right))
        guard one.count == other.count else { return false }
        for (name, place) in one {
            guard let found = other[name], equal(operand(at: place), operand(at: found)) else { return false }
        }
        return true
    }

    /// The places of an object's values by name; of a repeated name the last.
    private func members(at place: Int) -> [KeyBytes: Int] {
        var members: [KeyBytes: Int] = [:]
        for value in JSONChildPlaces(self, of: place) {
            members[KeyBytes(Array(comparable(value - 2)))] = value
        }
        return members
    }
}
