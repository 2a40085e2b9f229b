/// Finds the parts of one JSON object or array; what lies deeper is only skipped.
struct MemberScan {
    struct Member {
        /// Between the quotes.
        let name: Range<Int>
        let value: Range<Int>
    }

    private let text: [UInt8]
    private var place: Int
    private let end: Int

    init(_ text: [UInt8], _ range: Range<Int>) {
        self.text = text
        place = range.lowerBound
        end = range.upperBound
    }

    /// The members of the object that is the whole text; nil where it is none.
    mutating func members() -> [Member]? {
        guard take(UInt8(ascii: "{")) else { return nil }
        var members: [Member] = []
        members.reserveCapacity(24)
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard let name = string(), take(UInt8(ascii: ":")), let value = value() else { return nil }
                members.append(Member(name: name.lowerBound + 1..<name.upperBound - 1, value: value))
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { return nil }
        }
        return isAtEnd() ? members : nil
    }

    /// The elements of the array that is the whole text; nil where it is none.
    mutating func elements() -> [Range<Int>]? {
        guard take(UInt8(ascii: "[")) else { return nil }
        var elements: [Range<Int>] = []
        if !take(UInt8(ascii: "]")) {
            repeat {
                guard let value = value() else { return nil }
                elements.append(value)
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { return nil }
        }
        return isAtEnd() ? elements : nil
    }

    // MARK: - Pieces

    private mutating func skipSpace() {
        while place < end, text[place] == 0x20 || text[place] == 0x0A { place += 1 }
    }

    private mutating func isAtEnd() -> Bool {
        skipSpace()
        return place == end
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard place < end, text[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func value() -> Range<Int>? {
        skipSpace()
        guard place < end else { return nil }
        switch text[place] {
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "{"), UInt8(ascii: "["): return container()
        default: return scalar()
        }
    }

    /// With its quotes.
    private mutating func string() -> Range<Int>? {
        let start = place
        guard place < end, text[place] == UInt8(ascii: "\"") else { return nil }
        place += 1
        while place < end {
            let byte = text[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return start..<place }
            if byte < 0x20 { return nil }
            // Whatever is escaped ends nothing.
            if byte == UInt8(ascii: "\\") { place += 1 }
        }
        return nil
    }

    private mutating func container() -> Range<Int>? {
        let start = place
        var depth = 0
        while place < end {
            switch text[place] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return nil }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            place += 1
            if depth == 0 { return start..<place }
        }
        return nil
    }

    /// A number or a word, to the next comma, bracket or space.
    private mutating func scalar() -> Range<Int>? {
        let start = place
        loop: while place < end {
            switch text[place] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A: break loop
            case 0x21...0x7E: place += 1
            default: return nil
            }
        }
        return place > start ? start..<place : nil
    }
}
