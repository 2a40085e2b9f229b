import RefreshCore

/// What is known of the feed itself, or of the feed that an entry was taken from.
struct FeedDraft {
    var format = ""
    var id: [UInt8] = []
    var title = TextConstruct()
    var subtitle = TextConstruct()
    var description = TextConstruct()
    var rights = TextConstruct()
    var siteURL: [UInt8] = []
    var siteIsHTML = false
    var selfURL: [UInt8] = []
    var nextURL: [UInt8] = []
    var language: [UInt8] = []
    /// That of a part, where the feed has none.
    var partLanguage: [UInt8] = []
    var icon: [UInt8] = []
    var image: [UInt8] = []
    var generator: [UInt8] = []
    /// The author where nobody else is named.
    var webMaster = FeedPerson()
    var publishedRaw: [UInt8] = []
    var updatedRaw: [UInt8] = []
    var authors: [FeedPerson] = []
    var categories: [FeedCategory] = []
    var links: [FeedLink] = []
    var hubs: [FeedHub] = []
    var extensions = ExtensionTree()
    var hints = SyndicationHints()
    var updatePeriod: [UInt8] = []
    var updateFrequency = 1
    /// All entries that there are stand in the document (RFC 5005, 2).
    var isComplete = false

    // MARK: - Values

    mutating func set(_ field: FeedBuilder.Field, _ text: TextConstruct) {
        switch field {
        case .title: title = text
        case .weakTitle: if title.isEmpty { title = text }
        case .rights: rights = text
        case .description: description = text
        case .weakDescription, .weakSummary: if description.isEmpty { description = text }
        case .subtitle: subtitle = text
        case .weakSubtitle: if subtitle.isEmpty { subtitle = text }
        default: break
        }
    }

    mutating func set(_ field: FeedBuilder.Field, _ value: [UInt8], _ base: LinkBase) {
        switch field {
        case .id: id = value
        case .weakID: if id.isEmpty { id = value }
        case .link: setLink(base.absolute(value))
        case .published, .created: if publishedRaw.isEmpty { publishedRaw = value }
        case .updated: updatedRaw = value
        case .date: if updatedRaw.isEmpty { updatedRaw = value }
        case .language: language = value
        case .generator: generator = value
        case .webMaster: webMaster = FeedPerson(text: value)
        case .icon: icon = base.absolute(value)
        default: setHint(field, value)
        }
    }

    private mutating func setHint(_ field: FeedBuilder.Field, _ value: [UInt8]) {
        switch field {
        case .ttl: hints.ttl = value.number.map { .seconds($0 * 60) }
        case .hour: hints.skip(hour: value)
        case .day: hints.skip(day: value)
        case .period:
            updatePeriod = value
            hints.setUpdatePeriod(value, frequency: updateFrequency)
        case .frequency:
            updateFrequency = value.number ?? 1
            // Daily is the module's own default.
            let period = updatePeriod.isEmpty ? Array("daily".utf8) : updatePeriod
            hints.setUpdatePeriod(period, frequency: updateFrequency)
        default: break
        }
    }

    /// A link of RSS: the first is the page, others are kept beside it.
    private mutating func setLink(_ url: [UInt8]) {
        siteIsHTML = true
        if siteURL.isEmpty { siteURL = url } else if url != siteURL { links.appendNew(FeedLink(page: url)) }
    }

    mutating func add(_ link: FeedLink) {
        switch String(decoding: link.rel, as: UTF8.self) {
        case "alternate":
            // The first page counts; another kind of document only where there is no page.
            if siteURL.isEmpty || link.isPage && !siteIsHTML {
                siteURL = link.href
                siteIsHTML = link.isPage
            }
        case "self": selfURL = link.href
        case "next": nextURL = link.href
        case "hub": hubs.appendNew(FeedHub(type: Array("websub".utf8), url: link.href))
        default: break
        }
        links.appendNew(link)
    }
}
