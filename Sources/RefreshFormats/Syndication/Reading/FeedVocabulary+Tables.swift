/// Names of elements in lower case: which case a document writes them in differs.
extension FeedVocabulary {
    static let rssElements: [String: FeedElement] = [
        "rss": .rss, "channel": .channel, "item": .item, "title": .title, "link": .link,
        "description": .description, "guid": .guid, "pubdate": .pubDate, "lastbuilddate": .lastBuildDate,
        "author": .author, "managingeditor": .managingEditor, "category": .category, "comments": .comments,
        "enclosure": .enclosure, "source": .source, "ttl": .ttl, "skiphours": .skipHours, "hour": .hour,
        "skipdays": .skipDays, "day": .day, "language": .language, "copyright": .copyright,
        "generator": .generator, "image": .image, "url": .url, "textinput": .textInput, "cloud": .cloud,
        "tags": .tags, "fullitem": .fullContent, "body": .fullContent, "summary": .rssSummary,
        "docs": .reference, "webmaster": .webMaster, "items": .items, "abstract": .abstract, "html": .html,
    ]

    static let atomElements: [String: FeedElement] = [
        "feed": .feed, "entry": .entry, "item": .entry, "title": .atomTitle, "link": .atomLink, "id": .atomID,
        "updated": .atomUpdated, "modified": .atomUpdated, "published": .atomPublished,
        "issued": .atomPublished, "created": .atomCreated,
        "summary": .atomSummary, "content": .atomContent, "author": .atomAuthor,
        "name": .atomName, "uri": .atomURI, "url": .atomURI, "homepage": .atomURI,
        "email": .atomEmail, "category": .atomCategory, "rights": .atomRights, "copyright": .atomRights,
        "subtitle": .atomSubtitle, "tagline": .atomSubtitle, "info": .atomInfo, "generator": .atomGenerator,
        "icon": .atomIcon, "logo": .atomLogo, "source": .atomSource,
    ]

    static let modules: [FeedNamespace: [String: FeedElement]] = [
        .atom: atomElements, .atom03: atomElements,
        .content: ["encoded": .contentEncoded],
        .dc: [
            "creator": .dcCreator, "author": .dcCreator, "date": .dcDate, "subject": .dcSubject,
            "language": .dcLanguage, "rights": .dcRights, "title": .dcTitle, "description": .dcDescription,
        ],
        .dcterms: [
            "created": .dctermsCreated, "issued": .dctermsCreated, "modified": .dctermsModified,
            "title": .dcTitle, "creator": .dcCreator, "subject": .dcSubject,
        ],
        .sy: ["updateperiod": .syUpdatePeriod, "updatefrequency": .syUpdateFrequency],
        .media: [
            "content": .mediaContent, "thumbnail": .mediaThumbnail, "group": .mediaGroup,
            "title": .mediaTitle,
            "description": .mediaDescription, "keywords": .mediaKeywords, "category": .mediaCategory,
        ],
        .itunes: [
            "author": .itunesAuthor, "duration": .itunesDuration, "image": .itunesImage,
            "summary": .itunesSummary, "subtitle": .itunesSubtitle, "keywords": .itunesKeywords,
            "category": .itunesCategory, "title": .dcTitle, "link": .itunesLink, "new-feed-url": .reference,
        ],
        .slash: ["comments": .slashComments], .thr: ["total": .threadTotal],
        .wfw: ["comment": .reference, "commentrss": .reference],
        .fh: ["complete": .historyComplete], .at: ["deleted-entry": .deletedEntry],
        .xhtml: ["html": .html, "body": .fullContent], .rdf: ["rdf": .rdf],
    ]
}
