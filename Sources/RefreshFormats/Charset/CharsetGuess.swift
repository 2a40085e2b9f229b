import CUCharDet

/// A guess by the frequency of characters, for text of which nothing tells the charset.
enum CharsetGuess {
    /// Bytes that a guess looks at.
    private static let length = 1 << 20

    /// What uchardet takes `bytes` for; nil where it has no idea.
    static func charset(of bytes: ArraySlice<UInt8>) -> Charset? {
        guard let detector = unsafe uchardet_new() else { return nil }
        defer { unsafe uchardet_delete(detector) }
        let isFed = unsafe bytes.prefix(length).withUnsafeBytes { buffer in
            unsafe uchardet_handle_data(
                detector, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count) == 0
        }
        guard isFed else { return nil }
        unsafe uchardet_data_end(detector)
        guard let name = unsafe uchardet_get_charset(detector) else { return nil }
        return Charset(label: unsafe String(cString: name))
    }
}
