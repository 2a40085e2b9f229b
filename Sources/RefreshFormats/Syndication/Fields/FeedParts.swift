import RefreshCore

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
    var thumbnail: [UInt8] = []

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
            writer.member("thumbnail", thumbnail)
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

    init() {}

    /// A page where the same can be read.
    init(page: [UInt8]) {
        rel = Array("alternate".utf8)
        href = page
    }

    /// Whether it leads to a page, as far as it says.
    var isPage: Bool {
        type.isEmpty || type.starts(with: "text/html".utf8) || type.starts(with: "application/xhtml".utf8)
    }

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

/// An entry that the upstream says is gone (RFC 6721).
package struct DeletedEntry: Sendable, Equatable {
    /// The id that it had; its key where ids tell the feed's entries apart.
    package let id: [UInt8]
    package let when: Timestamp?

    package init(id: [UInt8], when: Timestamp?) {
        self.id = id
        self.when = when
    }
}

extension Array where Element: Equatable {
    /// Appends what is not there yet, up to the bound.
    mutating func appendNew(_ element: Element) {
        if count < ItemDraft.most, !contains(element) { append(element) }
    }
}

extension [FeedPerson] {
    /// Adds a person, or what is new of one who is there by the same name or address.
    mutating func add(_ person: FeedPerson) {
        let place = firstIndex { known in
            !person.name.isEmpty && known.name == person.name
                && (known.email.isEmpty || person.email.isEmpty || known.email == person.email)
                || !person.email.isEmpty && known.email == person.email
                    && (known.name.isEmpty || person.name.isEmpty)
        }
        guard let place else { return appendNew(person) }
        if self[place].name.isEmpty { self[place].name = person.name }
        if self[place].email.isEmpty { self[place].email = person.email }
        if self[place].url.isEmpty { self[place].url = person.url }
        if self[place].avatar.isEmpty { self[place].avatar = person.avatar }
    }
}
