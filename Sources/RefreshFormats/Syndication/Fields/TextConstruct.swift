import RefreshCore

/// A text that may have come as markup: then `html` is what came and `text` what it says; empty is absent.
struct TextConstruct: Equatable {
    var text: [UInt8] = []
    var html: [UInt8] = []

    var isEmpty: Bool { text.isEmpty && html.isEmpty }

    /// How an element's text is to be taken.
    enum Form: Equatable {
        case plain
        case html
        /// By its looks: RSS never says.
        case either
        /// The children are the markup (Atom's `xhtml`).
        case inline
        /// In base64, and then by its looks (Atom 0.3, and RFC 4287, 4.1.3.3).
        case base64
    }

    /// What stood in an element: its character data, and its markup where it had children.
    init(_ data: [UInt8], markup: [UInt8]?, form: Form) {
        if let markup {
            self.init(html: markup.trimmedToArray)
        } else if form == .base64 {
            self.init(TextConstruct.decoded(data), markup: nil, form: .either)
        } else if form == .html || form == .either && HTMLText.looksLikeMarkup(data) {
            self.init(html: data.trimmedCopy)
        } else if form == .inline, HTMLText.looksLikeMarkup(data) {
            self.init(html: data.trimmedCopy)
        } else {
            self.init(plain: data)
        }
    }

    /// Text that is in base64; what does not turn out to be text is left as it is.
    private static func decoded(_ data: [UInt8]) -> [UInt8] {
        guard let decoded = Base64.decode(data), UTF8Check.firstFault(in: decoded[...]) == nil,
            !decoded.contains(where: { $0 < 0x20 && !ASCII.isSpace($0) })
        else { return data }
        return decoded
    }

    private init(html: [UInt8]) {
        self.html = html
        text = HTMLText.text(of: html)
    }

    /// Makes the references within the markup absolute.
    mutating func resolve(against base: LinkBase) {
        if !base.isEmpty { html = MarkupLinks.resolved(html, base) }
    }

    init() {}

    init(plain: [UInt8]) { text = plain.trimmedCopy }

    /// Both forms of one text, of which either may be missing.
    init(text: [UInt8], html received: [UInt8]) {
        self.init(html: received.trimmedToArray)
        if !text.isEmpty { self.text = text.trimmedToArray }
    }

    func write(to writer: inout RecordWriter, as name: StaticString, _ htmlName: StaticString) {
        writer.member(name, text)
        writer.member(htmlName, html)
    }
}
