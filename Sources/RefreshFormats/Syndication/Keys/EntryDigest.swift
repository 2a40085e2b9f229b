import CXXHash

/// What an entry is known by besides its key, in two numbers.
package struct EntryDigest: Sendable, Equatable {
    /// Of its address; nil where it has none.
    package let link: UInt64?
    /// Of its title and when it was published, as written; nil where one of them is missing.
    package let titleAndDate: UInt64?

    package init(link: UInt64?, titleAndDate: UInt64?) {
        self.link = link
        self.titleAndDate = titleAndDate
    }

    init(link: [UInt8], title: [UInt8], date: [UInt8]) {
        self.link = link.isEmpty ? nil : EntryDigest.hash(link)
        let hasBoth = !title.isEmpty && !date.isEmpty
        titleAndDate =
            hasBoth ? EntryDigest.hash(title) &* 0x9E37_79B9_7F4A_7C15 ^ EntryDigest.hash(date) : nil
    }

    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe XXH3_64bits($0.baseAddress, $0.count) }
    }
}
