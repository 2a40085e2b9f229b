import RefreshCore

/// The members of feed, entry and source.
extension FeedBuilder {
    /// What is done with a member; nil where no field stands for it.
    mutating func member(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes) -> Kind? {
        let isForeign = entry.isForeign
        switch entry.element {
        case .unknown: return nil
        case .item, .entry: return place == .source ? entryInSource() : openItem(attributes)
        case .webMaster: return place == .feed ? .text(.webMaster, .plain) : nil
        case .title: return text(.title, .either, attributes)
        case .atomTitle: return text(isForeign ? .weakTitle : .title, form(attributes), attributes)
        case .link: return link(attributes)
        case .description, .abstract: return text(.description, .either, attributes)
        case .contentEncoded: return text(.encoded, .either, attributes)
        case .fullContent: return text(.encoded, .inline, attributes)
        case .rssSummary: return text(.weakSummary, .either, attributes)
        case .guid:
            return .text(
                attributes.value("isPermaLink").elementsEqual("false".utf8) ? .guid : .permalink, .plain)
        case .atomID: return .text(isForeign ? .weakID : .id, .plain)
        case .pubDate, .atomPublished, .dctermsCreated: return .text(.published, .plain)
        case .atomCreated: return .text(.created, .plain)
        case .dcDate: return .text(.date, .plain)
        case .lastBuildDate, .atomUpdated, .dctermsModified: return .text(.updated, .plain)
        case .atomSummary: return text(.summary, form(attributes), attributes)
        case .atomContent: return content(attributes)
        case .atomSubtitle: return text(.subtitle, form(attributes), attributes)
        case .atomInfo: return text(.description, form(attributes), attributes)
        case .atomRights: return text(.rights, form(attributes), attributes)
        case .copyright, .dcRights: return text(.rights, .either, attributes)
        case .author, .dcCreator, .itunesAuthor, .managingEditor: return .text(.author, .plain)
        case .atomAuthor: return .container(.person)
        case .category: return text(.category, with: attributes.value("domain"))
        case .dcSubject: return .text(.subject, .plain)
        case .comments: return .text(.comments, .plain)
        case .language, .dcLanguage: return .text(.language, .plain)
        case .generator, .atomGenerator: return .text(.generator, .plain)
        case .atomIcon: return .text(.icon, .plain)
        case .atomLogo: return .text(.image, .plain)
        // That of RSS 1.0 stands beside the channel, which only refers to it.
        case .image: return feed.format == "rss1" ? .ignored : place == .feed ? .container(.image) : nil
        case .source: return text(.source, with: attributes.value("url"))
        case .atomSource: return openSource()
        case .atomLink, .enclosure, .atomCategory, .ttl, .skipHours, .skipDays: return odd(entry, attributes)
        default: return module(entry.element, attributes)
        }
    }

    /// What is known by its attributes, and hints.
    private mutating func odd(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes) -> Kind? {
        switch entry.element {
        case .atomLink: addLink(attributes)
        case .enclosure: addEnclosure(attributes, isMedia: false)
        case .atomCategory: return atomCategory(attributes)
        case .ttl: return .text(.ttl, .plain)
        default: return .container(.skips)
        }
        return .ignored
    }

    /// Modules of RSS, and what is only found in RSS.
    private mutating func module(_ element: FeedElement, _ attributes: XMLAttributes) -> Kind? {
        switch element {
        case .dcTitle: return .text(.weakTitle, .either)
        case .dcDescription: return .text(place == .item ? .weakSummary : .weakDescription, .either)
        case .itunesSummary: return .text(place == .item ? .weakSummary : .weakDescription, .either)
        case .itunesSubtitle: return place == .item ? nil : .text(.weakSubtitle, .either)
        case .itunesKeywords, .mediaKeywords: return .text(.keywords, .plain)
        case .itunesCategory: return itunesCategory(attributes)
        case .itunesDuration: return .text(.duration, .plain)
        case .itunesImage:
            let address = attributes.value("href")
            setImage(address.isEmpty ? attributes.value("url") : address)
        case .itunesLink:
            if attributes.value("rel").elementsEqual("image".utf8) { setImage(attributes.value("href")) }
        case .tags: return .text(.terms, .plain)
        case .mediaGroup: return .container(.media)
        case .mediaContent:
            addEnclosure(attributes, isMedia: true)
            // A description of the file stands within its element.
            return .container(.media)
        case .mediaThumbnail: addThumbnail(attributes.value("url"))
        case .mediaTitle: return .text(openEnclosure == nil ? .weakTitle : .enclosureTitle, .either)
        case .mediaDescription: return .text(.weakSummary, .either)
        case .mediaCategory: return mediaCategory(attributes)
        case .syUpdatePeriod: return .text(.period, .plain)
        case .syUpdateFrequency: return .text(.frequency, .plain)
        case .historyComplete: feed.isComplete = true
        case .deletedEntry: addDeletion(attributes)
        case .cloud:
            addCloud(attributes)
            return nil
        case .items: return .ignored
        default: return nil
        }
        return .ignored
    }

    /// An entry within a source is none of the feed's.
    private mutating func entryInSource() -> Kind {
        items.skipEntry()
        return .ignored
    }

    /// A link of RSS is its text; some write it as Atom does.
    private mutating func link(_ attributes: XMLAttributes) -> Kind {
        if attributes.count == 0 || attributes.value("href").isEmpty { return .text(.link, .plain) }
        addLink(attributes)
        return .ignored
    }

    private mutating func openSource() -> Kind? {
        guard place == .item else { return nil }
        source = FeedDraft()
        place = .source
        return .container(.source)
    }

    /// A text that belongs together with an attribute of its element.
    private mutating func text(_ field: Field, with attribute: [UInt8]) -> Kind {
        companion = attribute
        return .text(field, .plain)
    }

    /// A text for people: it may have a language of its own.
    private mutating func text(
        _ field: Field, _ form: TextConstruct.Form, _ attributes: XMLAttributes
    ) -> Kind {
        if attributes.count > 0 { note(language: attributes.language, of: field) }
        return .text(field, form)
    }

    private mutating func atomCategory(_ attributes: XMLAttributes) -> Kind? {
        if attributes.value("term").isEmpty { return text(.category, with: attributes.value("scheme")) }
        add(
            FeedCategory(
                term: attributes.value("term"), scheme: attributes.value("scheme"),
                label: attributes.value("label")))
        return .ignored
    }

    private mutating func itunesCategory(_ attributes: XMLAttributes) -> Kind? {
        let term = attributes.value("text")
        if !term.isEmpty { add(FeedCategory(term: term, scheme: FeedBuilder.itunesScheme)) }
        return .container(.category)
    }

    private mutating func mediaCategory(_ attributes: XMLAttributes) -> Kind? {
        companionLabel = attributes.value("label")
        let scheme = attributes.value("scheme")
        return text(.category, with: scheme.isEmpty ? FeedBuilder.mediaScheme : scheme)
    }

    /// What separates words of Apple's from words of others.
    static let itunesScheme = Array("http://www.itunes.com/".utf8)

    /// Media RSS, 5.2: the scheme of a category that names none.
    private static let mediaScheme = Array("http://search.yahoo.com/mrss/category_schema".utf8)

    // MARK: - Forms of text

    /// Atom's `type` (RFC 4287, 3.1.1), and the `mode` of 0.3.
    private func form(_ attributes: XMLAttributes) -> TextConstruct.Form {
        guard attributes.count > 0 else { return .plain }
        let mode = attributes.value("mode")
        if mode.elementsEqual("base64".utf8) { return .base64 }
        switch String(decoding: attributes.value("type"), as: UTF8.self).lowercased() {
        case "html", "text/html": return mode.elementsEqual("xml".utf8) ? .inline : .html
        case "xhtml", "application/xhtml+xml":
            return mode.elementsEqual("escaped".utf8) ? .html : .inline
        case "", "text", "text/plain":
            // What 0.3 calls plain often is markup all the same.
            return mode.elementsEqual("escaped".utf8) ? .either : .plain
        // Any other kind of data is in base64 (RFC 4287, 4.1.3.3, of content).
        case let type: return type.contains("/") && !type.hasPrefix("text/") ? .base64 : .plain
        }
    }

    /// Content that is text or markup; media in base64 or elsewhere is not copied (RFC 4287, 4.1.3).
    private mutating func content(_ attributes: XMLAttributes) -> Kind {
        guard attributes.count > 0 else { return .text(.content, .plain) }
        let type = String(decoding: attributes.value("type"), as: UTF8.self).lowercased()
        let source = attributes.value("src")
        if !source.isEmpty {
            var enclosure = FeedEnclosure()
            enclosure.url = base.absolute(source)
            enclosure.type = attributes.value("type")
            if place == .item { item.add(enclosure) }
            return .ignored
        }
        if !type.contains("/") || type.hasPrefix("text/") || type == "application/xhtml+xml" {
            return text(.content, form(attributes), attributes)
        }
        return type.hasSuffix("xml") ? text(.content, .inline, attributes) : .ignored
    }
}
