import RefreshCore

/// A way to write characters as bytes, by its name in the WHATWG Encoding standard where it has one there.
package struct Charset: Hashable, Sendable {
    /// For people and for comparison.
    package let name: String
    /// What iconv calls the decoder that is used for it.
    let decoder: String
    /// Bytes that are passed over where no character can be made of them.
    let unit: Int

    init(_ name: String, decoder: String? = nil, unit: Int = 1) {
        self.name = name
        self.decoder = decoder ?? name
        self.unit = unit
    }

    package static let utf8 = Charset("UTF-8")
    package static let utf16LE = Charset("UTF-16LE", unit: 2)
    package static let utf16BE = Charset("UTF-16BE", unit: 2)
    package static let utf32LE = Charset("UTF-32LE", unit: 4)
    package static let utf32BE = Charset("UTF-32BE", unit: 4)
    package static let windows1252 = Charset("windows-1252", decoder: "CP1252")

    /// The charset of this label, whatever its case and the space around it; nil where it is unknown.
    ///
    /// Labels are those of the WHATWG standard, 4.2, and a few of feeds and guesses that it leaves out. As there,
    /// `iso-8859-1` and `us-ascii` mean windows-1252.
    package init?(label: String) {
        let trimmed = ASCII.trimmed(Array(label.utf8)).map { ASCII.lowercased($0) }
        guard let found = CharsetLabels.charsets[String(decoding: trimmed, as: UTF8.self)] else { return nil }
        self = found
    }

    /// Whether characters are two or four bytes wide, so that ASCII has zero bytes.
    var isWide: Bool { unit > 1 }

    /// Whether its text consists of bytes that alone would be ASCII.
    var isSevenBit: Bool { decoder.hasPrefix("ISO-2022") }
}
