/// Bytes with room behind them that may be read but means nothing, as vectorised parsers ask for.
package struct PaddedBytes: Sendable {
    /// Readable bytes behind the content.
    package static let padding = 64

    /// Content and padding.
    package let storage: [UInt8]
    /// Bytes of content.
    package let count: Int

    /// Takes `content` over and appends the padding: spaces, which no format minds.
    package init(_ content: consuming [UInt8]) {
        count = content.count
        content.append(contentsOf: repeatElement(0x20, count: PaddedBytes.padding))
        storage = content
    }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// The content without its padding.
    package var content: ArraySlice<UInt8> { storage[0..<count] }
}
