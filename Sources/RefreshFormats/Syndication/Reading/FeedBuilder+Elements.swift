import RefreshCore

/// What becomes of an element, by where it stands.
extension FeedBuilder {
    /// Opens an element of `container`: the field that it fills, and its place among the extensions where it is of
    /// another vocabulary or no field stands for it.
    mutating func open(
        _ name: XMLName, _ attributes: XMLAttributes, in container: Container, parent: Int
    ) -> Frame {
        let isRoot = if case .document = container { true } else { false }
        let entry = vocabulary.entry(for: name, isRoot: isRoot)
        if entry.isGuessed { warn(.undeclaredPrefix, line: line) }
        let kind: Kind?
        switch container {
        case .document: return Frame(kind: root(entry.element, name, attributes))
        case .rss:
            return Frame(
                kind: entry.element == .channel ? .container(.feed) : itemOrNothing(entry.element, attributes)
            )
        case .rdf:
            let kind = partOfRDF(entry.element, name, attributes)
            guard case .container(.image) = kind else { return Frame(kind: kind) }
            return Frame(kind: kind, note: openNote(entry, attributes, in: -1).note)
        case .skips: return Frame(kind: skipPart(entry.element))
        case .feed, .item, .media, .category, .source: kind = member(entry, attributes)
        case .person: kind = personPart(entry)
        case .image: kind = entry.element == .url ? .text(.image, .plain) : nil
        }
        switch kind {
        // These have extensions of their own from here on.
        case .container(.item), .container(.source): return Frame(kind: kind ?? .ignored)
        default: break
        }
        guard kind == nil || isTold(entry, attributes) else { return Frame(kind: kind ?? .ignored) }
        let told = openNote(entry, attributes, in: parent)
        return Frame(kind: kind ?? told.kind, note: told.note)
    }

    /// Whether an element that a field stands for is kept among the extensions too.
    private func isTold(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes) -> Bool {
        switch entry.element {
        case .contentEncoded, .fullContent, .historyComplete, .deletedEntry: false
        // Of these the fields hold only a part.
        case .image: feed.format != "rss1"
        case .webMaster: true
        case .generator, .atomGenerator: attributes.count > 0
        default: entry.isForeign
        }
    }

    // MARK: - Roots

    private mutating func root(_ element: FeedElement, _ name: XMLName, _ attributes: XMLAttributes) -> Kind {
        feed.language = attributes.language
        switch element {
        case .rss:
            feed.format = attributes.value("version").starts(with: "0.9".utf8) ? "rss0.9x" : "rss2"
            return .container(.rss)
        case .feed:
            let isOld =
                name.namespace.map { FeedNamespace(uri: $0) == .atom03 }
                ?? attributes.value("version").starts(with: "0".utf8)
            feed.format = isOld ? "atom03" : "atom10"
            return .container(.feed)
        // A document that is one entry (RFC 4287, 2).
        case .entry:
            feed.format = "atom10"
            return openItem(attributes)
        // RSS 1.1, which nobody reads, has a root of the same name, in a namespace.
        case .channel where name.namespace == nil:
            feed.format = "cdf"
            setChannel(attributes)
            return .container(.feed)
        case .html: fail(FeedBuilder.page)
        // Which RSS it is, and whether it is any, shows by what it declares and what stands in it.
        case .rdf:
            let version = attributes.declaredNamespaces.first { FeedNamespace(uri: $0) == .rss }
            if let version { feed.format = FeedBuilder.format(ofRDF: version) }
            return .container(.rdf)
        default: fail(.notAFeed(found: "an XML document whose root is \(name.local)"))
        }
        return .ignored
    }

    static let page = FormatFailure.notAFeed(found: "an HTML page")

    private static func format(ofRDF namespace: String) -> String {
        namespace.contains("/rdf/simple/0.9") ? "rss0.9x" : "rss1"
    }

    private mutating func itemOrNothing(_ element: FeedElement, _ attributes: XMLAttributes) -> Kind {
        element == .item || element == .entry ? openItem(attributes) : .ignored
    }

    /// RSS 1.0 and 0.90 have their entries beside the channel, not in it (RSS 1.0, 5.2).
    private mutating func partOfRDF(
        _ element: FeedElement, _ name: XMLName, _ attributes: XMLAttributes
    ) -> Kind {
        guard element == .channel || element == .item || element == .image || element == .textInput else {
            return .ignored
        }
        if feed.format.isEmpty { feed.format = FeedBuilder.format(ofRDF: name.namespace ?? "") }
        switch element {
        case .channel: return .container(.feed)
        case .image: return .container(.image)
        default: return itemOrNothing(element, attributes)
        }
    }

    // MARK: - Entries

    mutating func openItem(_ attributes: XMLAttributes) -> Kind {
        // An entry within an entry means that the end of the outer one is missing.
        if isInItem {
            closeItem()
            forgetNotes()
        }
        if items.count >= itemLimit {
            fail(.tooManyRecords(limit: itemLimit))
            return .ignored
        }
        item = ItemDraft()
        if attributes.count > 0 {
            item.language = attributes.language
            item.setID(attributes.localValue("about").trimmedToArray)
            if feed.format == "cdf" { setChannel(attributes, ofItem: true) }
        }
        place = .item
        return .container(.item)
    }

    /// Whether an entry is open, or the source within it.
    var isInItem: Bool { place != .feed }

    mutating func leave(_ container: Container) {
        switch container {
        case .item: if isInItem { closeItem() }
        case .person:
            if !person.isEmpty { add(person) }
            person = FeedPerson()
        case .source:
            item.source = source.sourceJSON()
            place = .item
        case .media: openEnclosure = nil
        case .feed, .rss, .rdf, .document, .image, .skips, .category: break
        }
    }

    private mutating func closeItem() {
        place = .feed
        openEnclosure = nil
        if !items.add(&item) { warn(.badDate, line: line) }
        // A long base makes many short references large.
        if items.bytes > FeedBuilder.textLimit.bytes { fail(.tooLarge(bytes: items.bytes)) }
    }

    // MARK: - Parts of members

    private func personPart(_ entry: FeedVocabulary.Entry) -> Kind? {
        switch entry.element {
        case .atomName: .text(.personName, .plain)
        case .atomURI: .text(.personURL, .plain)
        case .atomEmail: .text(.personMail, .plain)
        default: entry.isForeign ? nil : .ignored
        }
    }

    private func skipPart(_ element: FeedElement) -> Kind {
        switch element {
        case .hour: .text(.hour, .plain)
        case .day: .text(.day, .plain)
        default: .ignored
        }
    }
}
