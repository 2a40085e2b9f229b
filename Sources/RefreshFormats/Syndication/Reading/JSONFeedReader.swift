import RefreshCore

/// Maps a JSON Feed, version 1 or 1.1 (jsonfeed.org), onto what is known of the feeds in XML.
///
/// Members of a wrong kind count as absent: what matters is what can be read.
struct JSONFeedReader {
    private let document: JSONDocument
    private var base: LinkBase
    private var feed = FeedDraft()
    private var items = ItemShelf()
    private var hasBadDate = false

    /// The entries of `bytes`, in the order of the document.
    static func document(
        of bytes: PaddedBytes, base: WebURL?, keys: KeyPolicy, limits: RecordLimits, itemLimit: Int
    ) throws(FormatFailure) -> SyndicationDocument {
        let document = try JSONDocument(parsing: bytes)
        guard let format = format(of: document) else { throw .notAFeed(found: "JSON of another kind") }
        guard let list = document.member("items", of: document.root), list.kind == .array else {
            throw .notAFeed(found: "a JSON Feed without items")
        }
        var reader = JSONFeedReader(document: document, base: LinkBase(document: base))
        reader.feed.format = format
        reader.readFeed()
        try reader.readItems(list, itemLimit: itemLimit)
        let shelved = try reader.items.page(limits: limits, keys: keys)
        var warnings: [SyndicationWarning] = []
        if reader.hasBadDate { warnings.append(SyndicationWarning(.badDate)) }
        if shelved.sharesIDs { warnings.append(SyndicationWarning(.sharedIDs)) }
        if reader.items.empty > 0 { warnings.append(SyndicationWarning(.emptyEntry)) }
        return SyndicationDocument(
            shelved, feed: reader.feed, entries: reader.items.count, deletions: [], warnings: warnings)
    }

    private init(document: JSONDocument, base: LinkBase) {
        self.document = document
        self.base = base
    }

    /// The version is a URL; some feeds have its number alone.
    private static func format(of document: JSONDocument) -> String? {
        let version = document.text(document.member("version", of: document.root))
        guard let version, let number = version.split(separator: "/").last,
            version.contains("jsonfeed.org/version/") || version == number
        else { return nil }
        if number == "1" || number == "1.0" { return "jsonfeed1" }
        return number.hasPrefix("1.") ? "jsonfeed1.1" : nil
    }

    // MARK: - The feed

    private mutating func readFeed() {
        // References stand against the page of the feed, wherever it is named.
        if let home = document.member("home_page_url", of: document.root) {
            feed.siteURL = url(home)
            base.setSite(feed.siteURL)
        }
        var author: FeedPerson?
        var favicon: [UInt8] = []
        for (name, value) in document.members(of: document.root) {
            switch document.text(name) {
            case "title": feed.title = TextConstruct(plain: text(value))
            case "description": feed.description = TextConstruct(plain: text(value))
            case "feed_url": feed.selfURL = url(value)
            case "next_url": feed.nextURL = url(value)
            case "icon": feed.image = url(value)
            case "favicon": favicon = url(value)
            case "language": feed.language = text(value)
            case "expired": feed.hints.isExpired = document.bool(value) ?? false
            case "author": author = person(value)
            case "authors": feed.authors = persons(value)
            case "hubs": feed.hubs = hubs(value)
            case "user_comment": feed.extensions.add("jsonfeed", "user_comment", document.plain(value))
            case let name?: addExtension(name, value, to: &feed.extensions)
            case nil: break
            }
        }
        feed.icon = favicon.isEmpty ? feed.image : favicon
        if feed.authors.isEmpty, let author { feed.authors = [author] }
    }

    private func hubs(_ node: JSONNode) -> [FeedHub] {
        var hubs: [FeedHub] = []
        for element in document.elements(of: node) {
            let type = text("type", of: element).map(ASCII.lowercased)
            let hub = FeedHub(type: type, url: document.member("url", of: element).map(url) ?? [])
            if !hub.url.isEmpty { hubs.appendNew(hub) }
        }
        return hubs
    }

    // MARK: - Items

    private mutating func readItems(_ list: JSONNode, itemLimit: Int) throws(FormatFailure) {
        for node in document.elements(of: list) {
            if items.count >= itemLimit { throw .tooManyRecords(limit: itemLimit) }
            var item = item(node)
            if !items.add(&item) { hasBadDate = true }
            // A long base makes many short references large.
            if items.bytes > FeedBuilder.textLimit.bytes { throw .tooLarge(bytes: items.bytes) }
        }
    }

    private func item(_ node: JSONNode) -> ItemDraft {
        var item = ItemDraft()
        var plain: [UInt8] = []
        var html: [UInt8] = []
        var author: FeedPerson?
        var banner: [UInt8] = []
        for (name, value) in document.members(of: node) {
            switch document.text(name) {
            case "id": item.id = id(value)
            case "url": item.link = url(value)
            case "external_url": item.externalURL = url(value)
            case "title": item.title = TextConstruct(plain: text(value))
            case "content_text": plain = text(value)
            case "content_html": html = text(value)
            case "summary": item.summary = TextConstruct(plain: text(value))
            case "image": item.image = url(value)
            case "banner_image": banner = url(value)
            case "date_published": item.publishedRaw = text(value)
            case "date_modified": item.updatedRaw = text(value)
            case "language": item.language = text(value)
            case "author": author = person(value)
            case "authors": item.authors = persons(value)
            case "tags": item.categories = tags(value)
            case "attachments": addAttachments(value, to: &item)
            case let name?: addExtension(name, value, to: &item.extensions)
            case nil: break
            }
        }
        item.content = TextConstruct(text: plain, html: html)
        if !item.content.html.isEmpty { item.content.resolve(against: base) }
        if item.image.isEmpty {
            item.image = banner
        } else {
            item.extensions.add("jsonfeed", "banner_image", banner)
        }
        if item.authors.isEmpty, let author { item.authors = [author] }
        return item
    }

    /// Numbers are what they are written as: many feeds have them, though the format asks for strings.
    private func id(_ node: JSONNode) -> [UInt8] {
        node.kind == .number ? Array(document.text(of: node)) : text(node)
    }

    private func tags(_ node: JSONNode) -> [FeedCategory] {
        var tags: [FeedCategory] = []
        for element in document.elements(of: node) {
            let term = text(element)
            if !term.isEmpty { tags.appendNew(FeedCategory(term: term)) }
        }
        return tags
    }

    private func addAttachments(_ node: JSONNode, to item: inout ItemDraft) {
        for element in document.elements(of: node) {
            var enclosure = FeedEnclosure()
            for (name, value) in document.members(of: element) {
                switch document.text(name) {
                case "url": enclosure.url = url(value)
                case "mime_type": enclosure.type = text(value)
                case "title": enclosure.title = text(value)
                case "size_in_bytes": enclosure.length = wholeNumber(value)
                case "duration_in_seconds": enclosure.duration = wholeNumber(value)
                default: break
                }
            }
            if !enclosure.url.isEmpty { item.add(enclosure) }
        }
    }

    /// An extension is an object whose name begins with an underscore (JSON Feed 1.1, "Extensions").
    private func addExtension(_ name: String, _ node: JSONNode, to extensions: inout ExtensionTree) {
        guard name.hasPrefix("_") else { return }
        guard node.kind == .object else { return extensions.add(name, "value", document.plain(node)) }
        for (member, value) in document.members(of: node) {
            if let member = document.text(member) { extensions.add(name, member, document.plain(value)) }
        }
    }

    // MARK: - Parts

    private func persons(_ node: JSONNode) -> [FeedPerson] {
        var persons: [FeedPerson] = []
        for element in document.elements(of: node) {
            if let person = person(element) { persons.appendNew(person) }
        }
        return persons
    }

    private func person(_ node: JSONNode) -> FeedPerson? {
        var person = FeedPerson()
        person.name = text("name", of: node)
        person.url = document.member("url", of: node).map(url) ?? []
        person.avatar = document.member("avatar", of: node).map(url) ?? []
        return person.isEmpty ? nil : person
    }

    private func text(_ node: JSONNode) -> [UInt8] { document.string(of: node)?.trimmedToArray ?? [] }

    private func text(_ name: String, of node: JSONNode) -> [UInt8] {
        document.member(name, of: node).map { text($0) } ?? []
    }

    private func url(_ node: JSONNode) -> [UInt8] { base.absolute(text(node)) }

    /// A number without its fraction, not negative.
    private func wholeNumber(_ node: JSONNode) -> Int? {
        guard let value = document.double(node), value >= 0, value < 1e15 else { return nil }
        return Int(value)
    }
}

extension JSONDocument {
    /// A string's characters; of any other value the text that it is written as.
    fileprivate func plain(_ node: JSONNode) -> [UInt8] { string(of: node) ?? Array(text(of: node)) }
}
