import RefreshCore

extension CanonicalJSON {
    /// Whether two JSON texts are of different values, found out without writing either of them anew.
    ///
    /// True is certain; false says nothing. Most changed records have the same members in the same order and other
    /// values, and those are told apart by one walk along both texts.
    package static func surelyDiffer(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        var walk = ParallelWalk()
        return walk.findsDifference(one.span, other.span)
    }
}

/// A place in a JSON text, which is known to be well-formed.
private struct TextCursor {
    var place = 0

    /// The next byte that is no white space; nil at the end.
    mutating func next(_ text: Span<UInt8>) -> UInt8? {
        while place < text.count {
            let byte = text[place]
            if !JSONByte.isSpace(byte) { return byte }
            place += 1
        }
        return nil
    }

    /// Goes over the string at hand; what is between its quotes, and whether there is an escape in it.
    mutating func string(_ text: Span<UInt8>) -> (inside: Range<Int>, isEscaped: Bool)? {
        let start = place + 1
        var isEscaped = false
        place = start
        while place < text.count {
            let byte = text[place]
            if byte == JSONByte.quote {
                place += 1
                return (start..<(place - 1), isEscaped)
            }
            if byte == JSONByte.backslash {
                isEscaped = true
                place += 1
            }
            place += 1
        }
        return nil
    }

    /// Goes over the number or literal at hand.
    mutating func scalar(_ text: Span<UInt8>) -> Range<Int> {
        let start = place
        while place < text.count, !JSONByte.endsScalar(text[place]) { place += 1 }
        return start..<place
    }
}

/// Walks along two texts for as long as they have the same shape.
private struct ParallelWalk {
    /// An object of more members is left to the slow way: each name is compared with those before it.
    private static let mostNames = 64

    private var one = TextCursor()
    private var other = TextCursor()
    private var differs = false
    /// The names in the objects that are open, in the first text, and where those of each begin.
    private var names: [Range<Int>] = []
    private var objects: [Int] = []

    mutating func findsDifference(_ text: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
        while let byte = one.next(text) {
            guard let twin = other.next(second) else { return false }
            switch byte {
            case JSONByte.openObject, JSONByte.closeObject, JSONByte.openArray, JSONByte.closeArray,
                JSONByte.comma, JSONByte.colon:
                guard byte == twin else { return false }
                if byte == JSONByte.openObject { objects.append(names.count) }
                if byte == JSONByte.closeObject, let first = objects.popLast() {
                    names.removeLast(names.count - first)
                }
                one.place += 1
                other.place += 1
            case JSONByte.quote:
                guard twin == JSONByte.quote, takeStrings(text, second) else { return false }
            default:
                guard takeScalars(text, second, twin) else { return false }
            }
        }
        return differs && other.next(second) == nil
    }

    /// False where it cannot be told any more.
    private mutating func takeStrings(_ text: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
        guard let mine = one.string(text), let his = other.string(second) else { return false }
        let isSame = ParallelWalk.isSame(text, mine.inside, second, his.inside)
        if one.next(text) == JSONByte.colon {
            // Else it is another member, or a spelling of the same name.
            guard isSame, !mine.isEscaped else { return false }
            return addName(mine.inside, text)
        }
        if isSame { return true }
        guard !mine.isEscaped, !his.isEscaped else { return false }
        differs = true
        return true
    }

    /// Of a repeated name the last value counts, so another one may mean nothing.
    private mutating func addName(_ name: Range<Int>, _ text: Span<UInt8>) -> Bool {
        guard let start = objects.last, names.count - start < ParallelWalk.mostNames else { return false }
        for index in start..<names.count
        where names[index].count == name.count && ParallelWalk.isSame(text, names[index], text, name) {
            return false
        }
        names.append(name)
        return true
    }

    private mutating func takeScalars(_ text: Span<UInt8>, _ second: Span<UInt8>, _ twin: UInt8) -> Bool {
        guard twin != JSONByte.quote, twin != JSONByte.openObject, twin != JSONByte.openArray else {
            return false
        }
        let mine = one.scalar(text)
        let his = other.scalar(second)
        // A text that is no JSON would not come to an end.
        guard !mine.isEmpty, !his.isEmpty else { return false }
        if ParallelWalk.isSame(text, mine, second, his) { return true }
        if ParallelWalk.canonical(text, mine) != ParallelWalk.canonical(second, his) { differs = true }
        return true
    }

    private static func canonical(_ text: Span<UInt8>, _ range: Range<Int>) -> ArraySlice<UInt8> {
        CanonicalJSON.canonical(scalar: range.map { text[$0] }[...])
    }

    private static func isSame(
        _ text: Span<UInt8>, _ range: Range<Int>, _ other: Span<UInt8>, _ otherRange: Range<Int>
    ) -> Bool {
        guard range.count == otherRange.count else { return false }
        let distance = otherRange.lowerBound - range.lowerBound
        for place in range where text[place] != other[place + distance] { return false }
        return true
    }
}
