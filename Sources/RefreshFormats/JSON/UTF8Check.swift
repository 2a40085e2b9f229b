/// Well-formed UTF-8 by table 3-7 of the Unicode standard.
enum UTF8Check {
    /// The index of the first byte that belongs to no well-formed sequence, or nil.
    static func firstFault(in bytes: ArraySlice<UInt8>) -> Int? {
        var at = bytes.startIndex
        while true {
            at += unsafe bytes[at...].withUnsafeBytes { unsafe asciiCount($0) }
            guard at < bytes.endIndex else { return nil }
            guard let length = sequenceLength(in: bytes, at: at) else { return at }
            at += length
        }
    }

    /// How many bytes at the start are ASCII, counted in words as far as these go.
    private static func asciiCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var at = 0
        while at + 8 <= bytes.count,
            unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { at += 8 }
        while at < bytes.count, unsafe bytes[at] < 0x80 { at += 1 }
        return at
    }

    /// The length of the well-formed sequence at `index`, or nil where there is none.
    static func sequenceLength(in bytes: ArraySlice<UInt8>, at index: Int) -> Int? {
        let first = bytes[index]
        if first < 0x80 { return 1 }
        guard let (length, second) = shape(of: first), index + length <= bytes.endIndex,
            second.contains(bytes[index + 1])
        else { return nil }
        for next in index + 2..<max(index + 2, index + length) where bytes[next] & 0xC0 != 0x80 { return nil }
        return length
    }

    /// How long a sequence is that starts so, and what its second byte may be.
    private static func shape(of first: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        default: nil
        }
    }
}
