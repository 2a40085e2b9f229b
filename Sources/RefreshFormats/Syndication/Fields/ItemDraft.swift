import RefreshCore

/// What is known of an entry while it is read; written as a record at its end.
struct ItemDraft {
    var id: [UInt8] = []
    /// A guid that is the entry's address as well.
    var permalink: [UInt8] = []
    var link: [UInt8] = []
    /// The page elsewhere that the entry is about (JSON Feed).
    var externalURL: [UInt8] = []
    var linkIsHTML = false
    var title = TextConstruct()
    /// `content:encoded`, which wins over everything.
    var encoded = TextConstruct()
    var content = TextConstruct()
    /// RSS's `description`: the content where there is no other, and the summary.
    var description = TextConstruct()
    var summary = TextConstruct()
    var publishedRaw: [UInt8] = []
    var updatedRaw: [UInt8] = []
    var commentsURL: [UInt8] = []
    var rights = TextConstruct()
    var language: [UInt8] = []
    /// That of a part, where the entry has none.
    var partLanguage: [UInt8] = []
    var image: [UInt8] = []
    /// A file that is a picture; the image where nothing else is.
    var mediaImage: [UInt8] = []
    /// The feed that it was taken from, as JSON.
    var source: [UInt8] = []
    var createdRaw: [UInt8] = []
    /// Some time in the entry's life (Dublin Core): the published one where there is no other.
    var dateRaw: [UInt8] = []
    var duration: Int?
    var authors: [FeedPerson] = []
    var categories: [FeedCategory] = []
    var enclosures: [FeedEnclosure] = []
    var links: [FeedLink] = []
    var extensions = ExtensionTree()
    /// Whether the entry itself says when it was changed.
    private(set) var hasUpdate = false
    /// Read from the raw dates at the end.
    private(set) var published: Timestamp?
    private(set) var updated: Timestamp?

    /// An id that is the entry's address as well, where it looks like one: a permanent guid, `rdf:about`.
    mutating func setID(_ value: [UInt8]) {
        id = value
        let isAddress = value.starts(with: "http://".utf8) || value.starts(with: "https://".utf8)
        if isAddress { permalink = value }
    }

    /// What is known only when all of the entry was read: its dates, and what belongs to its file.
    mutating func settle() {
        if publishedRaw.isEmpty { publishedRaw = createdRaw.isEmpty ? dateRaw : createdRaw }
        hasUpdate = !updatedRaw.isEmpty
        if !hasUpdate { updatedRaw = dateRaw }
        if image.isEmpty { image = mediaImage }
        if !publishedRaw.isEmpty { published = FeedDate.timestamp(publishedRaw) }
        if !updatedRaw.isEmpty { updated = FeedDate.timestamp(updatedRaw) }
        if let duration, !enclosures.isEmpty, enclosures[0].duration == nil {
            enclosures[0].duration = duration
        }
    }

    /// Whether the dates that stand there could be read.
    var hasGoodDates: Bool {
        (published != nil || publishedRaw.isEmpty) && (updated != nil || updatedRaw.isEmpty)
    }

    var url: [UInt8] { link.isEmpty ? permalink : link }

    var body: TextConstruct {
        if !encoded.isEmpty { return encoded }
        return content.isEmpty ? description : content
    }

    /// The hash of title and content, for entries that have no other identity; nil where both are missing.
    var contentHash: ContentHash? {
        let body = body
        if title.isEmpty, body.isEmpty { return nil }
        let title = ContentHash.of(title.text)
        let content = ContentHash.of(body.html.isEmpty ? body.text : body.html)
        return title.combined(with: content)
    }

    // MARK: - Values

    /// Things of one kind kept of an entry: looking for doubles must not cost more than reading.
    static let most = 256

    mutating func set(_ field: FeedBuilder.Field, _ text: TextConstruct) {
        switch field {
        case .title: title = text
        case .weakTitle: if title.isEmpty { title = text }
        case .rights: rights = text
        case .description: description = text
        case .summary: summary = text
        case .weakSummary, .weakDescription: if summary.isEmpty { summary = text }
        case .content: content = text
        case .encoded: encoded = text
        default: break
        }
    }

    /// A link of RSS: the first is the entry's page, others are kept beside it.
    mutating func setLink(_ url: [UInt8]) {
        linkIsHTML = true
        if link.isEmpty { link = url } else if url != link { links.appendNew(FeedLink(page: url)) }
    }

    /// Adds a file; its place, or that of the one that is there by the same address.
    @discardableResult mutating func add(_ enclosure: FeedEnclosure) -> Int? {
        if let place = enclosures.firstIndex(where: { $0.url == enclosure.url }) { return place }
        guard enclosures.count < ItemDraft.most else { return nil }
        enclosures.append(enclosure)
        return enclosures.count - 1
    }

    mutating func add(_ link: FeedLink, length: Int?) {
        switch String(decoding: link.rel, as: UTF8.self) {
        case "enclosure":
            add(FeedEnclosure(url: link.href, type: link.type, title: link.title, length: length))
        case "alternate":
            // The first page counts; another kind of document only where there is no page.
            if self.link.isEmpty || link.isPage && !linkIsHTML {
                self.link = link.href
                linkIsHTML = link.isPage
            }
        default: break
        }
        links.appendNew(link)
    }
}
