import RefreshCore

extension [UInt8] {
    /// Without white space at either end.
    var trimmedToArray: [UInt8] {
        guard let first, let last, ASCII.isSpace(first) || ASCII.isSpace(last) else { return self }
        return Array(ASCII.trimmed(self))
    }

    /// A copy without white space at either end. The buffer itself stays free for the next text.
    var trimmedCopy: [UInt8] {
        let text = ASCII.trimmed(self)
        return unsafe text.withUnsafeBufferPointer { source in
            unsafe [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
                _ = unsafe target.initialize(from: source)
                count = source.count
            }
        }
    }

    /// The whole number that the text is, not negative; nil for anything else.
    var number: Int? {
        let digits = ASCII.trimmed(self)
        guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Seconds of `90`, `1:30`, `01:30:00`; a fraction is dropped.
    var playingTime: Int? {
        let whole = prefix { $0 != UInt8(ascii: ".") }
        let parts = whole.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return nil }
        var seconds = 0
        for part in parts {
            guard part.count <= 8, let number = Array(part).number else { return nil }
            seconds = seconds * 60 + number
        }
        return seconds
    }
}
