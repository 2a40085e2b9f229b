import RefreshCore

/// Where values go: to the entry that is open or its source, else to the feed.
extension FeedBuilder {
    mutating func set(_ field: Field, _ text: TextConstruct) {
        if text.isEmpty { return }
        switch place {
        case .item: item.set(field, text)
        case .feed: feed.set(field, text)
        case .source: source.set(field, text)
        }
    }

    mutating func set(_ field: Field, _ value: [UInt8]) {
        if value.isEmpty { return }
        switch field {
        case .personName: person.name = value
        case .personURL: person.url = base.absolute(value)
        case .personMail: person.email = value
        case .author: add(FeedPerson(text: value))
        case .category:
            add(FeedCategory(term: value, scheme: companion, label: companionLabel))
            companionLabel = []
        case .subject: add(FeedCategory(term: value))
        case .keywords: addTerms(value, scheme: FeedBuilder.itunesScheme)
        case .terms: addTerms(value, scheme: [])
        case .image: setImage(value)
        case .enclosureTitle: if let open = openEnclosure { item.enclosures[open].title = value }
        default: setPlain(field, value)
        }
    }

    private mutating func setPlain(_ field: Field, _ value: [UInt8]) {
        switch place {
        case .item: setOfItem(field, value)
        case .feed:
            feed.set(field, value, base)
            if field == .link { base.setSite(feed.siteURL) }
        case .source: source.set(field, value, base)
        }
    }

    private mutating func setOfItem(_ field: Field, _ value: [UInt8]) {
        switch field {
        case .id, .guid: item.id = value
        case .weakID: if item.id.isEmpty { item.id = value }
        case .permalink: item.setID(value)
        case .link: item.setLink(base.absolute(value))
        case .published: if item.publishedRaw.isEmpty { item.publishedRaw = value }
        case .created: item.createdRaw = value
        case .date: item.dateRaw = value
        case .updated: if item.updatedRaw.isEmpty { item.updatedRaw = value }
        case .comments: item.commentsURL = base.absolute(value)
        case .language: item.language = value
        case .duration: item.duration = value.playingTime
        case .source:
            var source = FeedDraft()
            source.title = TextConstruct(plain: value)
            source.siteURL = base.absolute(companion)
            item.source = source.sourceJSON()
        default: break
        }
    }

    /// The language of a part is the entry's, where that has none of its own; its content counts most.
    mutating func note(language: [UInt8], of field: Field) {
        if language.isEmpty { return }
        if place == .item, item.partLanguage.isEmpty || field == .content || field == .encoded {
            item.partLanguage = language
        } else if place == .feed, feed.partLanguage.isEmpty {
            feed.partLanguage = language
        }
    }

    // MARK: - Lists

    mutating func add(_ person: FeedPerson) {
        switch place {
        case .item: item.authors.add(person)
        case .feed: feed.authors.add(person)
        case .source: source.authors.add(person)
        }
    }

    mutating func add(_ category: FeedCategory) {
        if category.term.isEmpty { return }
        switch place {
        case .item: item.categories.appendNew(category)
        case .feed: feed.categories.appendNew(category)
        case .source: source.categories.appendNew(category)
        }
    }

    /// Words with commas between them.
    private mutating func addTerms(_ text: [UInt8], scheme: [UInt8]) {
        for term in text.split(separator: UInt8(ascii: ",")).prefix(ItemDraft.most) {
            add(FeedCategory(term: Array(term).trimmedToArray, scheme: scheme))
        }
    }

    mutating func setImage(_ url: [UInt8]) {
        if url.isEmpty { return }
        switch place {
        case .item: if item.image.isEmpty { item.image = base.absolute(url) }
        case .feed: if feed.image.isEmpty { feed.image = base.absolute(url) }
        case .source: if source.image.isEmpty { source.image = base.absolute(url) }
        }
    }

    mutating func addThumbnail(_ url: [UInt8]) {
        if let open = openEnclosure, item.enclosures[open].thumbnail.isEmpty {
            item.enclosures[open].thumbnail = base.absolute(url)
        }
        setImage(url)
    }

    mutating func addEnclosure(_ attributes: XMLAttributes, isMedia: Bool) {
        var enclosure = FeedEnclosure()
        enclosure.url = base.absolute(attributes.value("url"))
        guard !enclosure.url.isEmpty else { return }
        enclosure.type = attributes.value("type")
        enclosure.length = attributes.value(isMedia ? "fileSize" : "length").number
        if isMedia {
            enclosure.medium = attributes.value("medium")
            enclosure.width = attributes.value("width").number
            enclosure.height = attributes.value("height").number
            enclosure.duration = attributes.value("duration").playingTime
        }
        let isImage =
            enclosure.medium.elementsEqual("image".utf8) || enclosure.type.starts(with: "image/".utf8)
        guard place == .item else {
            if isImage { setImage(enclosure.url) }
            return
        }
        let open = item.add(enclosure)
        if isMedia { openEnclosure = open }
        if isImage, item.mediaImage.isEmpty { item.mediaImage = enclosure.url }
    }

    // MARK: - Links

    /// An Atom link, in RSS too (RFC 4287, 4.2.7): the page, the feed itself, an enclosure, or one of the others.
    mutating func addLink(_ attributes: XMLAttributes) {
        var link = FeedLink()
        link.href = base.absolute(attributes.value("href"))
        if link.href.isEmpty { return }
        let rel = attributes.value("rel").map(ASCII.lowercased)
        link.rel = rel.isEmpty ? Array("alternate".utf8) : rel
        link.type = attributes.value("type")
        link.title = attributes.value("title")
        link.hreflang = attributes.value("hreflang")
        switch place {
        case .item: item.add(link, length: attributes.value("length").number)
        case .feed: feed.add(link)
        case .source: source.add(link)
        }
    }

    /// An address for those who want to be told (RSS 2.0, `cloud`).
    mutating func addCloud(_ attributes: XMLAttributes) {
        let host = attributes.value("domain")
        guard place == .feed, !host.isEmpty else { return }
        let port = attributes.value("port")
        let path = attributes.value("path")
        let scheme = Array((port.elementsEqual("443".utf8) ? "https://" : "http://").utf8)
        let slash = path.first == UInt8(ascii: "/") ? [] : Array("/".utf8)
        let authority = port.isEmpty ? host : host + [UInt8(ascii: ":")] + port
        feed.hubs.appendNew(FeedHub(type: Array("rsscloud".utf8), url: scheme + authority + slash + path))
    }

    /// What the upstream says is no longer there (RFC 6721, 3).
    mutating func addDeletion(_ attributes: XMLAttributes) {
        let id = attributes.value("ref").trimmedToArray
        if id.isEmpty { return }
        delete(DeletedEntry(id: id, when: FeedDate.timestamp(attributes.value("when"))))
    }

    /// What CDF says of a channel or an item in its tag.
    mutating func setChannel(_ attributes: XMLAttributes, ofItem: Bool = false) {
        let link = base.absolute(attributes.value("href", ignoringCase: true))
        let updated = attributes.value("lastmod", ignoringCase: true)
        if ofItem {
            item.link = link
            item.updatedRaw = updated
        } else {
            feed.siteURL = link
            feed.updatedRaw = updated
            base.setSite(link)
        }
    }
}
