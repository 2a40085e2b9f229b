/// Recognises a document's elements; each name is read as text once and then known by its interned pointer.
struct FeedVocabulary {
    /// An element as far as it is known.
    struct Entry {
        let element: FeedElement
        /// Which of `names` it has, for what no field stands for; nil for an element without a namespace.
        let name: Int?
        /// A prefix that was never declared was taken for what it usually means.
        let isGuessed: Bool
    }

    struct ExtensionName: Hashable {
        let prefix: String
        let local: String
    }

    /// Names kept at most: a hostile document has many.
    private static let most = 1_024
    private var known: [XMLName.Identity: Entry] = [:]
    /// What was looked up last, by a few bits of the name: a document has few names and each of them often.
    private var recent: [(identity: XMLName.Identity, entry: Entry)?] = Array(repeating: nil, count: 64)
    /// Names with their usual prefixes.
    private(set) var names: [ExtensionName] = []
    private var numbers: [ExtensionName: Int] = [:]
    /// The namespace of the root of an RSS document, in which its own elements then are.
    private var native: String?

    mutating func entry(for name: XMLName, isRoot: Bool) -> Entry {
        let identity = name.identity
        let slot = identity.slot(of: recent.count)
        if let found = recent[slot], found.identity == identity { return found.entry }
        let entry = known[identity] ?? firstSight(of: name, isRoot: isRoot)
        recent[slot] = (identity, entry)
        return entry
    }

    private mutating func firstSight(of name: XMLName, isRoot: Bool) -> Entry {
        if isRoot, FeedVocabulary.rssElements[name.local] == .rss { native = name.namespace }
        let entry = look(up: name)
        if known.count < FeedVocabulary.most { known[name.identity] = entry }
        return entry
    }

    private mutating func number(of name: ExtensionName) -> Int? {
        if let number = numbers[name] { return number }
        guard names.count < FeedVocabulary.most else { return nil }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }

    private mutating func look(up name: XMLName) -> Entry {
        let local = name.local
        let isGuessed = name.namespace == nil && name.prefix != nil
        guard let uri = name.namespace ?? name.prefix, uri != native else {
            let element = FeedVocabulary.rssElements[local] ?? .unknown
            return Entry(element: element, name: nil, isGuessed: false)
        }
        let namespace = isGuessed ? FeedNamespace(rawValue: uri) : FeedNamespace(uri: uri)
        guard let namespace else {
            // A root is judged by its name alone.
            let element = FeedVocabulary.rssElements[local]
            let isRoot = element == .rss || element == .html
            return Entry(
                element: isRoot ? element ?? .unknown : .unknown,
                name: number(of: ExtensionName(prefix: name.prefix ?? "", local: local)), isGuessed: isGuessed
            )
        }
        if namespace == .rss {
            return Entry(
                element: FeedVocabulary.rssElements[local] ?? .unknown, name: nil, isGuessed: isGuessed)
        }
        return Entry(
            element: FeedVocabulary.modules[namespace]?[local] ?? .unknown,
            name: number(of: ExtensionName(prefix: namespace.prefix, local: local)), isGuessed: isGuessed)
    }

    private static let rssElements: [String: FeedElement] = [
        "rss": .rss, "channel": .channel, "item": .item, "title": .title, "link": .link,
        "description": .description, "guid": .guid, "pubDate": .pubDate, "lastBuildDate": .lastBuildDate,
        "author": .author, "managingEditor": .managingEditor, "category": .category, "comments": .comments,
        "enclosure": .enclosure, "source": .source, "ttl": .ttl, "skipHours": .skipHours, "hour": .hour,
        "skipDays": .skipDays, "day": .day, "language": .language, "copyright": .copyright,
        "generator": .generator, "image": .image, "url": .url, "textInput": .textInput,
        "textinput": .textInput,
        "html": .html, "HTML": .html,
    ]

    private static let atomElements: [String: FeedElement] = [
        "feed": .feed, "entry": .entry, "title": .atomTitle, "link": .atomLink, "id": .atomID,
        "updated": .atomUpdated, "modified": .atomUpdated, "published": .atomPublished,
        "issued": .atomPublished,
        "summary": .atomSummary, "content": .atomContent, "author": .atomAuthor,
        "contributor": .atomContributor, "name": .atomName, "uri": .atomURI, "url": .atomURI,
        "email": .atomEmail, "category": .atomCategory, "rights": .atomRights, "copyright": .atomRights,
        "subtitle": .atomSubtitle, "tagline": .atomSubtitle, "generator": .atomGenerator, "icon": .atomIcon,
        "logo": .atomLogo, "source": .atomSource,
    ]

    private static let modules: [FeedNamespace: [String: FeedElement]] = [
        .atom: atomElements, .atom03: atomElements,
        .content: ["encoded": .contentEncoded],
        .dc: [
            "creator": .dcCreator, "date": .dcDate, "subject": .dcSubject, "language": .dcLanguage,
            "rights": .dcRights,
        ],
        .dcterms: ["created": .dctermsCreated, "issued": .dctermsCreated, "modified": .dctermsModified],
        .sy: ["updatePeriod": .syUpdatePeriod, "updateFrequency": .syUpdateFrequency],
        .media: ["content": .mediaContent, "thumbnail": .mediaThumbnail, "group": .mediaGroup],
        .itunes: [
            "author": .itunesAuthor, "duration": .itunesDuration, "image": .itunesImage,
            "summary": .itunesSummary,
        ],
        .slash: ["comments": .slashComments], .thr: ["total": .threadTotal],
        .xhtml: ["html": .html], .rdf: ["RDF": .rdf, "rdf": .rdf],
    ]
}
