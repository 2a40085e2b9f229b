/// Where a token starts and ends.
struct JSONToken {
    /// The offset of its first byte.
    let start: UInt32
    /// Of an opening bracket the place of the closing one among the tokens, of a scalar the offset behind it,
    /// of anything else 0.
    let end: UInt32
}

/// The second stage: checks the grammar of RFC 8259 token by token, without recursion and without converting
/// anything, and notes where brackets close, so that readers can step over values.
///
/// The pointers are the caller's and outlive the value; the bytes have padding of spaces behind them.
@safe struct JSONGrammar {
    private enum Expect { case value, firstElement, name, firstMember, separator }

    private let bytes: UnsafePointer<UInt8>
    private let length: Int
    /// Added to every index: the bytes before the text (a byte order mark).
    private let base: Int
    private let indexes: UnsafeBufferPointer<UInt32>
    private let tokens: UnsafeMutablePointer<JSONToken>
    private let depth: Int
    /// The places of the brackets that are open.
    private var open: [UInt32] = []
    private var expect = Expect.value
    private var isInObject = false
    /// Tokens there are.
    private let count: Int

    /// Tokens are written to `tokens`, one for each of `indexes`.
    init(
        bytes: UnsafePointer<UInt8>, length: Int, base: Int, indexes: UnsafeBufferPointer<UInt32>,
        tokens: UnsafeMutablePointer<JSONToken>, depth: Int
    ) {
        unsafe self.bytes = bytes
        self.length = length
        self.base = base
        unsafe self.indexes = indexes
        count = indexes.count
        unsafe self.tokens = tokens
        self.depth = depth
    }

    /// Nil where the text is right.
    mutating func check() -> FormatFailure? {
        var place = 0
        while place < count {
            let offset = start(of: place)
            let byte = unsafe bytes[offset]
            let failure: FormatFailure?
            switch expect {
            case .value, .firstElement: failure = value(byte, at: offset, place)
            case .name, .firstMember:
                failure = name(byte, at: offset, place)
                if failure == nil, isInObject, expect == .value { place += 1 }
            case .separator: failure = separator(byte, at: offset, place)
            }
            if let failure { return failure }
            place += 1
        }
        guard open.isEmpty, expect == .separator else {
            return .jsonInvalid(offset: length, what: "the text ends too early")
        }
        return unsafe JSONGrammar.checkEscapes(bytes, from: base, to: length)
    }

    @inline(__always) private func start(of place: Int) -> Int { unsafe Int(indexes[place]) &+ base }

    @inline(__always) private func note(_ place: Int, _ start: Int, end: Int = 0) {
        unsafe tokens[place] = JSONToken(
            start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
    }

    // MARK: - States

    @inline(__always)
    private mutating func value(_ byte: UInt8, at offset: Int, _ place: Int) -> FormatFailure? {
        switch byte {
        case JSONByte.quote:
            note(place, offset, end: stringEnd(place))
            expect = .separator
        case JSONByte.openObject:
            if open.count >= depth { return .jsonTooDeep(offset: offset, limit: depth) }
            push(place, offset)
            (isInObject, expect) = (true, .firstMember)
        case JSONByte.openArray:
            if open.count >= depth { return .jsonTooDeep(offset: offset, limit: depth) }
            push(place, offset)
            (isInObject, expect) = (false, .firstElement)
        case JSONByte.closeArray where expect == .firstElement:
            close(place, offset)
        default:
            guard let end = scalarEnd(byte, offset) else {
                return .jsonInvalid(offset: offset, what: "no value can start or go on like this")
            }
            note(place, offset, end: end)
            expect = .separator
        }
        return nil
    }

    @inline(__always)
    private mutating func name(_ byte: UInt8, at offset: Int, _ place: Int) -> FormatFailure? {
        if byte == JSONByte.quote {
            guard place + 1 < count, unsafe bytes[start(of: place + 1)] == JSONByte.colon else {
                return .jsonInvalid(offset: offset, what: "a member's name has no colon behind it")
            }
            note(place, offset, end: stringEnd(place))
            note(place + 1, start(of: place + 1))
            expect = .value
        } else if byte == JSONByte.closeObject, expect == .firstMember {
            close(place, offset)
        } else {
            return .jsonInvalid(offset: offset, what: "a member's name in quotes was expected")
        }
        return nil
    }

    @inline(__always)
    private mutating func separator(_ byte: UInt8, at offset: Int, _ place: Int) -> FormatFailure? {
        if open.isEmpty { return .jsonInvalid(offset: offset, what: "something follows the document") }
        if byte == JSONByte.comma {
            note(place, offset)
            expect = isInObject ? .name : .value
        } else if byte == (isInObject ? JSONByte.closeObject : JSONByte.closeArray) {
            close(place, offset)
        } else {
            return .jsonInvalid(
                offset: offset, what: "a comma or a closing \(isInObject ? "brace" : "bracket") was expected")
        }
        return nil
    }

    @inline(__always) private mutating func push(_ place: Int, _ offset: Int) {
        note(place, offset)
        open.append(UInt32(truncatingIfNeeded: place))
    }

    @inline(__always) private mutating func close(_ place: Int, _ offset: Int) {
        note(place, offset)
        expect = .separator
        guard let opened = open.popLast() else { return }
        let start = unsafe tokens[Int(opened)].start
        unsafe tokens[Int(opened)] = JSONToken(start: start, end: UInt32(truncatingIfNeeded: place))
        guard let around = open.last else { return }
        isInObject = unsafe bytes[Int(tokens[Int(around)].start)] == JSONByte.openObject
    }

    // MARK: - Scalars

    /// A string's last quote is the last byte before the next token that is not white space.
    @inline(__always) private func stringEnd(_ place: Int) -> Int {
        var end = place + 1 < count ? start(of: place + 1) : length
        while unsafe bytes[end - 1] != JSONByte.quote { end -= 1 }
        return end
    }

    @inline(__always) private func scalarEnd(_ byte: UInt8, _ offset: Int) -> Int? {
        let end: Int?
        switch byte {
        case UInt8(ascii: "t"): end = literalEnd(offset, "true")
        case UInt8(ascii: "f"): end = literalEnd(offset, "false")
        case UInt8(ascii: "n"): end = literalEnd(offset, "null")
        default: end = numberEnd(offset)
        }
        guard let end, unsafe JSONByte.endsScalar(bytes[end]) else { return nil }
        return end
    }

    @inline(__always) private func literalEnd(_ offset: Int, _ literal: StaticString) -> Int? {
        for index in 0..<literal.utf8CodeUnitCount
        where unsafe bytes[offset + index] != literal.utf8Start[index] { return nil }
        return offset + literal.utf8CodeUnitCount
    }

    /// The offset behind the number at `offset` (RFC 8259, section 6).
    @inline(__always) private func numberEnd(_ offset: Int) -> Int? {
        var at = offset
        if unsafe bytes[at] == UInt8(ascii: "-") { at += 1 }
        if unsafe bytes[at] == UInt8(ascii: "0") {
            at += 1
        } else {
            guard let end = digitsEnd(at) else { return nil }
            at = end
        }
        if unsafe bytes[at] == UInt8(ascii: ".") {
            guard let end = digitsEnd(at + 1) else { return nil }
            at = end
        }
        if unsafe bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if unsafe bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            guard let end = digitsEnd(at) else { return nil }
            at = end
        }
        return at
    }

    @inline(__always) private func digitsEnd(_ offset: Int) -> Int? {
        var at = offset
        while unsafe JSONByte.isDigit(bytes[at]) { at += 1 }
        return at > offset ? at : nil
    }
}
