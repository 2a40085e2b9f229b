import RefreshCore

/// Where values go: to the entry that is open, else to the feed.
extension FeedBuilder {
    mutating func set(_ field: Field, _ text: TextConstruct) {
        if text.isEmpty { return }
        switch field {
        case .title: if isInItem { item.title = text } else { feed.title = text }
        case .rights: if isInItem { item.rights = text } else { feed.rights = text }
        case .description: if isInItem { item.description = text } else { feed.description = text }
        case .summary: if isInItem { item.summary = text }
        case .content: if isInItem { item.content = text }
        case .encoded: if isInItem { item.encoded = text }
        case .subtitle: if !isInItem { feed.subtitle = text }
        default: break
        }
    }

    mutating func set(_ field: Field, _ value: [UInt8]) {
        if field == .extended { return finishExtension(value) }
        if value.isEmpty { return }
        switch field {
        case .personName: person.name = value
        case .personURL: person.url = base.absolute(value)
        case .personMail: person.email = value
        case .author: add(FeedPerson(text: value))
        case .category: add(FeedCategory(term: value, scheme: companion))
        case .subject: add(FeedCategory(term: value))
        case .image: setImage(value)
        default: if isInItem { setOfItem(field, value) } else { setOfFeed(field, value) }
        }
    }

    /// The element was put down when it began; one that says nothing is taken away again.
    private mutating func finishExtension(_ value: [UInt8]) {
        guard let last = item.extensions.indices.last else { return }
        if value.isEmpty, item.extensions[last].attributes.isEmpty {
            item.extensions.removeLast()
        } else {
            item.extensions[last].value = value
        }
    }

    private mutating func setOfItem(_ field: Field, _ value: [UInt8]) {
        switch field {
        case .id: item.id = value
        case .guid: item.id = value
        case .permalink: item.setID(value)
        case .link: if item.link.isEmpty { item.link = base.absolute(value) }
        case .published: if item.publishedRaw.isEmpty { item.publishedRaw = value }
        case .updated: if item.updatedRaw.isEmpty { item.updatedRaw = value }
        case .comments: item.commentsURL = base.absolute(value)
        case .language: item.language = value
        case .duration: item.duration = value.playingTime
        case .source: (item.sourceTitle, item.sourceURL) = (value, base.absolute(companion))
        case .sourceID: item.sourceID = value
        case .sourceTitle: item.sourceTitle = value
        default: break
        }
    }

    private mutating func setOfFeed(_ field: Field, _ value: [UInt8]) {
        switch field {
        case .id: feed.id = value
        case .link:
            if feed.siteURL.isEmpty { feed.siteURL = base.absolute(value) }
            base.setSite(feed.siteURL)
        case .published: feed.publishedRaw = value
        case .updated: feed.updatedRaw = value
        case .language: feed.language = value
        case .generator: feed.generator = value
        case .icon: feed.icon = base.absolute(value)
        case .ttl: feed.hints.ttl = value.number.map { .seconds($0 * 60) }
        case .hour: feed.hints.skip(hour: value)
        case .day: feed.hints.skip(day: value)
        case .period:
            feed.updatePeriod = value
            feed.hints.setUpdatePeriod(value, frequency: feed.updateFrequency)
        case .frequency:
            feed.updateFrequency = value.number ?? 1
            // Daily is the module's own default.
            let period = feed.updatePeriod.isEmpty ? Array("daily".utf8) : feed.updatePeriod
            feed.hints.setUpdatePeriod(period, frequency: feed.updateFrequency)
        default: break
        }
    }

    // MARK: - Lists

    mutating func add(_ person: FeedPerson) {
        if isInItem { item.authors.appendNew(person) } else { feed.authors.appendNew(person) }
    }

    private mutating func add(_ category: FeedCategory) {
        if isInItem { item.categories.appendNew(category) } else { feed.categories.appendNew(category) }
    }

    mutating func addCategory(_ attributes: XMLAttributes) {
        let category = FeedCategory(
            term: attributes.value("term"), scheme: attributes.value("scheme"),
            label: attributes.value("label"))
        if !category.term.isEmpty { add(category) }
    }

    mutating func setImage(_ url: [UInt8]) {
        if url.isEmpty { return }
        if isInItem {
            if item.image.isEmpty { item.image = base.absolute(url) }
        } else if feed.image.isEmpty {
            feed.image = base.absolute(url)
        }
    }

    mutating func addEnclosure(_ attributes: XMLAttributes, isMedia: Bool) {
        var enclosure = FeedEnclosure()
        enclosure.url = base.absolute(attributes.value("url"))
        guard isInItem, !enclosure.url.isEmpty else { return }
        enclosure.type = attributes.value("type")
        enclosure.length = attributes.value(isMedia ? "fileSize" : "length").number
        if isMedia {
            enclosure.medium = attributes.value("medium")
            enclosure.width = attributes.value("width").number
            enclosure.height = attributes.value("height").number
            enclosure.duration = attributes.value("duration").playingTime
        }
        item.add(enclosure)
    }

    /// An Atom link, in RSS too (RFC 4287, 4.2.7): the page, the feed itself, an enclosure, or one of the others.
    mutating func addLink(_ attributes: XMLAttributes) {
        var link = FeedLink()
        link.href = base.absolute(attributes.value("href"))
        if link.href.isEmpty { return }
        let rel = String(decoding: attributes.value("rel"), as: UTF8.self).lowercased()
        link.rel = Array((rel.isEmpty ? "alternate" : rel).utf8)
        link.type = attributes.value("type")
        link.title = attributes.value("title")
        link.hreflang = attributes.value("hreflang")
        if isInItem {
            addLink(link, length: attributes.value("length").number)
        } else {
            addLinkOfFeed(link)
        }
    }

    private mutating func addLink(_ link: FeedLink, length: Int?) {
        switch String(decoding: link.rel, as: UTF8.self) {
        case "enclosure":
            item.add(FeedEnclosure(url: link.href, type: link.type, title: link.title, length: length))
        case "alternate":
            // The first page counts; another kind of document only where there is no page.
            let isHTML = link.type.isEmpty || link.type.starts(with: "text/html".utf8)
            if item.link.isEmpty || isHTML && !item.linkIsHTML {
                item.link = link.href
                item.linkIsHTML = isHTML
            }
            item.links.appendNew(link)
        default: item.links.appendNew(link)
        }
    }

    private mutating func addLinkOfFeed(_ link: FeedLink) {
        switch String(decoding: link.rel, as: UTF8.self) {
        case "alternate":
            if feed.siteURL.isEmpty { feed.siteURL = link.href }
        case "self": feed.selfURL = link.href
        case "next": feed.nextURL = link.href
        case "hub": feed.hubs.appendNew(FeedHub(type: Array("websub".utf8), url: link.href))
        default: break
        }
    }
}

extension ItemDraft {
    /// Things of one kind kept of an entry: looking for doubles must not cost more than reading.
    static let most = 256

    mutating func add(_ enclosure: FeedEnclosure) {
        guard enclosures.count < ItemDraft.most else { return }
        if !enclosures.contains(where: { $0.url == enclosure.url }) { enclosures.append(enclosure) }
    }
}

extension Array where Element: Equatable {
    /// Appends what is not there yet, up to the bound.
    mutating func appendNew(_ element: Element) {
        if count < ItemDraft.most, !contains(element) { append(element) }
    }
}
