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
    }

    /// What stood in an element: its character data, and its markup where it had children.
    init(_ data: [UInt8], markup: [UInt8]?, form: Form) {
        if let markup {
            html = markup.trimmedToArray
            text = HTMLText.text(of: html)
        } else if form == .html || form == .either && HTMLText.looksLikeMarkup(data) {
            html = data.trimmedToArray
            text = HTMLText.text(of: html)
        } else {
            text = data.trimmedToArray
        }
    }

    init() {}

    init(plain: [UInt8]) { text = plain.trimmedToArray }

    /// Both forms of one text, of which either may be missing.
    init(text: [UInt8], html: [UInt8]) {
        self.html = html.trimmedToArray
        self.text = text.isEmpty ? HTMLText.text(of: self.html) : text.trimmedToArray
    }

    func write(to writer: inout RecordWriter, as name: StaticString, _ htmlName: StaticString) {
        writer.member(name, text)
        writer.member(htmlName, html)
    }
}

/// A person of Atom, or as near as RSS comes.
struct FeedPerson: Equatable {
    var name: [UInt8] = []
    var email: [UInt8] = []
    var url: [UInt8] = []
    var avatar: [UInt8] = []

    var isEmpty: Bool { name.isEmpty && email.isEmpty && url.isEmpty && avatar.isEmpty }

    init() {}

    /// `mail@example.org (Name)`, `Name <mail@example.org>`, a mail address or a name.
    init(text: [UInt8]) {
        let text = text.trimmedToArray
        for (open, close) in [(UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "<"), UInt8(ascii: ">"))]
        {
            guard text.last == close, let at = text.firstIndex(of: open) else { continue }
            let outside = Array(text[..<at]).trimmedToArray
            let inside = Array(text[(at + 1)..<(text.count - 1)]).trimmedToArray
            if FeedPerson.isMail(outside) { (email, name) = (outside, inside) }
            if FeedPerson.isMail(inside) { (email, name) = (inside, outside) }
        }
        if isEmpty {
            if FeedPerson.isMail(text) { email = text } else { name = text }
        }
    }

    private static func isMail(_ text: [UInt8]) -> Bool {
        text.contains(UInt8(ascii: "@")) && !text.contains(0x20)
    }

    func write(to writer: inout RecordWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("email", email)
            writer.member("url", url)
            writer.member("avatar", avatar)
        }
    }
}

struct FeedCategory: Equatable {
    var term: [UInt8] = []
    var scheme: [UInt8] = []
    var label: [UInt8] = []

    func write(to writer: inout RecordWriter) {
        writer.object { writer in
            writer.member("term", term)
            writer.member("scheme", scheme)
            writer.member("label", label)
        }
    }
}

struct FeedEnclosure: Equatable {
    var url: [UInt8] = []
    var type: [UInt8] = []
    var title: [UInt8] = []
    var medium: [UInt8] = []
    var length: Int?
    var duration: Int?
    var width: Int?
    var height: Int?

    func write(to writer: inout RecordWriter) {
        writer.object { writer in
            writer.member("url", url)
            writer.member("type", type)
            writer.member("length", length)
            writer.member("duration_s", duration)
            writer.member("title", title)
            writer.member("medium", medium)
            writer.member("width", width)
            writer.member("height", height)
        }
    }
}

/// Where a feed tells of its news by itself: `websub`, `rsscloud`.
struct FeedHub: Equatable {
    var type: [UInt8] = []
    var url: [UInt8] = []

    func write(to writer: inout RecordWriter) {
        writer.object { writer in
            writer.member("type", type)
            writer.member("url", url)
        }
    }
}

struct FeedLink: Equatable {
    var rel: [UInt8] = []
    var href: [UInt8] = []
    var type: [UInt8] = []
    var title: [UInt8] = []
    var hreflang: [UInt8] = []

    func write(to writer: inout RecordWriter) {
        writer.object { writer in
            writer.member("rel", rel)
            writer.member("href", href)
            writer.member("type", type)
            writer.member("title", title)
            writer.member("hreflang", hreflang)
        }
    }
}

/// An element that no field stands for.
struct FeedExtension: Equatable {
    let name: FeedVocabulary.ExtensionName
    var value: [UInt8] = []
    let attributes: [(name: [UInt8], value: [UInt8])]

    static func == (left: FeedExtension, right: FeedExtension) -> Bool {
        left.name == right.name && left.value == right.value
            && left.attributes.elementsEqual(right.attributes) { $0 == $1 }
    }

    func write(to writer: inout RecordWriter) {
        writer.object { writer in
            writer.member("value", value)
            if attributes.isEmpty { return }
            writer.name("attrs")
            writer.object { writer in
                for attribute in attributes {
                    writer.name(attribute.name)
                    writer.string(attribute.value)
                }
            }
        }
    }
}
