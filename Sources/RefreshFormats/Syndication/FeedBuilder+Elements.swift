import RefreshCore

/// What becomes of an element, by where it stands.
extension FeedBuilder {
    mutating func frame(
        for entry: FeedVocabulary.Entry, _ name: XMLName, _ attributes: XMLAttributes, in container: Container
    ) -> Frame {
        switch container {
        case .document: root(entry.element, name, attributes)
        case .rss: entry.element == .channel ? .container(.feed) : itemOrNothing(entry.element, attributes)
        case .rdf: partOfRDF(entry.element, name, attributes)
        case .feed, .item, .media: member(entry, attributes)
        case .person: personPart(entry.element)
        case .image: entry.element == .url ? .text(.image, .plain) : .ignored
        case .skips: skipPart(entry.element)
        case .source: sourcePart(entry.element)
        }
    }

    private mutating func root(_ element: FeedElement, _ name: XMLName, _ attributes: XMLAttributes) -> Frame
    {
        feed.language = attributes.value("lang", prefix: "xml")
        switch element {
        case .rss:
            feed.format = attributes.value("version").starts(with: "0.9".utf8) ? "rss0.9x" : "rss2"
            return .container(.rss)
        case .feed:
            let isOld = name.namespace.map { FeedNamespace(uri: $0) == .atom03 } ?? false
            feed.format = isOld ? "atom03" : "atom10"
            return .container(.feed)
        case .html: fail(.notAFeed(found: "an HTML page"))
        // Which RSS it is, and whether it is any, shows by what stands in it.
        case .rdf: return .container(.rdf)
        default: fail(.notAFeed(found: "an XML document whose root is \(name.local)"))
        }
        return .ignored
    }

    private mutating func itemOrNothing(_ element: FeedElement, _ attributes: XMLAttributes) -> Frame {
        element == .item || element == .entry ? openItem(attributes) : .ignored
    }

    /// RSS 1.0 and 0.90 have their entries beside the channel, not in it (RSS 1.0, 5.2).
    private mutating func partOfRDF(
        _ element: FeedElement, _ name: XMLName, _ attributes: XMLAttributes
    ) -> Frame {
        guard element == .channel || element == .item || element == .image || element == .textInput else {
            return .ignored
        }
        if feed.format.isEmpty {
            feed.format = name.namespace?.contains("/rdf/simple/0.9") == true ? "rss0.9x" : "rss1"
        }
        switch element {
        case .channel: return .container(.feed)
        case .image: return .container(.image)
        default: return itemOrNothing(element, attributes)
        }
    }

    private mutating func openItem(_ attributes: XMLAttributes) -> Frame {
        // An entry within an entry means that the end of the outer one is missing.
        if isInItem { closeItem() }
        if items.count >= itemLimit {
            fail(.tooManyRecords(limit: itemLimit))
            return .ignored
        }
        item = ItemDraft()
        item.language = attributes.value("lang", prefix: "xml")
        item.setID(attributes.localValue("about").trimmedToArray)
        isInItem = true
        return .container(.item)
    }

    mutating func leave(_ container: Container) {
        switch container {
        case .item: if isInItem { closeItem() }
        case .person:
            if !person.isEmpty { add(person) }
            person = FeedPerson()
        case .feed, .rss, .rdf, .document, .image, .skips, .source, .media: break
        }
    }

    private mutating func closeItem() {
        isInItem = false
        if !items.add(&item) { warn(.badDate, line: line) }
        // A long base makes many short references large.
        if items.bytes > FeedBuilder.textLimit.bytes { fail(.tooLarge(bytes: items.bytes)) }
    }

    // MARK: - Members of feed and entry

    private mutating func member(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes) -> Frame {
        switch entry.element {
        case .item, .entry: openItem(attributes)
        case .title: .text(.title, .either)
        case .atomTitle: .text(.title, form(attributes))
        case .link: .text(.link, .plain)
        case .description: .text(.description, .either)
        case .contentEncoded: .text(.encoded, .either)
        case .guid:
            .text(attributes.value("isPermaLink").elementsEqual("false".utf8) ? .guid : .permalink, .plain)
        case .atomID: .text(.id, .plain)
        case .pubDate, .atomPublished, .dcDate, .dctermsCreated: .text(.published, .plain)
        case .lastBuildDate, .atomUpdated, .dctermsModified: .text(.updated, .plain)
        case .atomSummary: .text(.summary, form(attributes))
        case .itunesSummary: isInItem && item.summary.isEmpty ? .text(.summary, .either) : .ignored
        case .atomContent: content(attributes)
        case .atomSubtitle: .text(.subtitle, form(attributes))
        case .atomRights: .text(.rights, form(attributes))
        case .copyright, .dcRights: .text(.rights, .either)
        case .author, .dcCreator, .itunesAuthor, .managingEditor: .text(.author, .plain)
        case .atomAuthor: .container(.person)
        case .category: text(.category, with: attributes.value("domain"))
        case .dcSubject: .text(.subject, .plain)
        case .comments: .text(.comments, .plain)
        case .language, .dcLanguage: .text(.language, .plain)
        case .generator, .atomGenerator: .text(.generator, .plain)
        case .atomIcon: .text(.icon, .plain)
        case .atomLogo: .text(.image, .plain)
        case .image: .container(.image)
        case .source: text(.source, with: attributes.value("url"))
        case .atomSource: .container(.source)
        case .mediaGroup: .container(.media)
        default: oddMember(entry, attributes)
        }
    }

    /// What is known by its attributes, hints, and what is only passed on.
    private mutating func oddMember(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes) -> Frame {
        switch entry.element {
        case .atomLink: addLink(attributes)
        case .enclosure, .mediaContent: addEnclosure(attributes, isMedia: entry.element == .mediaContent)
        case .mediaThumbnail: setImage(attributes.value("url"))
        case .itunesImage: setImage(attributes.value("href"))
        case .atomCategory: addCategory(attributes)
        case .itunesDuration: return .text(.duration, .plain)
        case .ttl: return .text(.ttl, .plain)
        case .skipHours, .skipDays: return .container(.skips)
        case .syUpdatePeriod: return .text(.period, .plain)
        case .syUpdateFrequency: return .text(.frequency, .plain)
        // Counts of comments would make every comment a change of the entry (refresh policy SC1).
        case .slashComments, .threadTotal: return .ignored
        default: return extended(entry, attributes)
        }
        // A description of the file stands within its element.
        return entry.element == .mediaContent ? .container(.media) : .ignored
    }

    private mutating func extended(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes) -> Frame {
        guard isInItem, let name = entry.name, !vocabulary.names[name].prefix.isEmpty,
            item.extensions.count < ItemDraft.most
        else { return .ignored }
        item.extensions.append(
            FeedExtension(
                name: vocabulary.names[name],
                attributes: (0..<attributes.count).map { (attributes.name(at: $0), attributes.value(at: $0)) }
            ))
        return .text(.extended, .plain)
    }

    /// A text that belongs together with an attribute of its element.
    private mutating func text(_ field: Field, with attribute: [UInt8]) -> Frame {
        companion = attribute
        return .text(field, .plain)
    }

    private mutating func personPart(_ element: FeedElement) -> Frame {
        switch element {
        case .atomName: .text(.personName, .plain)
        case .atomURI: .text(.personURL, .plain)
        case .atomEmail: .text(.personMail, .plain)
        default: .ignored
        }
    }

    private mutating func skipPart(_ element: FeedElement) -> Frame {
        switch element {
        case .hour: .text(.hour, .plain)
        case .day: .text(.day, .plain)
        default: .ignored
        }
    }

    private mutating func sourcePart(_ element: FeedElement) -> Frame {
        switch element {
        case .atomID: .text(.sourceID, .plain)
        case .atomTitle: .text(.sourceTitle, .plain)
        default: .ignored
        }
    }

    // MARK: - Forms of text

    /// Atom's `type` (RFC 4287, 3.1.1).
    private func form(_ attributes: XMLAttributes) -> TextConstruct.Form {
        switch String(decoding: attributes.value("type"), as: UTF8.self).lowercased() {
        case "html", "text/html": .html
        case "xhtml", "application/xhtml+xml": .inline
        default: .plain
        }
    }

    /// Content that is text or markup; media in base64 or elsewhere is not copied (RFC 4287, 4.1.3).
    private mutating func content(_ attributes: XMLAttributes) -> Frame {
        let type = String(decoding: attributes.value("type"), as: UTF8.self).lowercased()
        let source = attributes.value("src")
        if !source.isEmpty {
            var enclosure = FeedEnclosure()
            enclosure.url = base.absolute(source)
            enclosure.type = attributes.value("type")
            if isInItem { item.add(enclosure) }
            return .ignored
        }
        if !type.contains("/") || type.hasPrefix("text/") { return .text(.content, form(attributes)) }
        return type.hasSuffix("xml") ? .text(.content, .inline) : .ignored
    }
}
