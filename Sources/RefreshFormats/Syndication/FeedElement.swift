/// The elements that mean something to us, by namespace and name, whatever prefix the document gave them.
enum FeedElement: UInt8, Sendable {
    case unknown
    // RSS, in no namespace or in that of its root.
    case rss, channel, item, title, link, description, guid, pubDate, lastBuildDate, author, managingEditor
    case category, comments, enclosure, source, ttl, skipHours, hour, skipDays, day, language, copyright
    case generator, image, url, textInput
    // Atom 1.0, and what 0.3 called the same.
    case feed, entry, atomTitle, atomLink, atomID, atomUpdated, atomPublished, atomSummary, atomContent,
        atomAuthor
    case atomContributor, atomName, atomURI, atomEmail, atomCategory, atomRights, atomSubtitle, atomGenerator
    case atomIcon, atomLogo, atomSource
    // Modules.
    case contentEncoded, dcCreator, dcDate, dcSubject, dcLanguage, dcRights, dctermsCreated, dctermsModified
    case syUpdatePeriod, syUpdateFrequency, mediaContent, mediaThumbnail, mediaGroup, itunesAuthor,
        itunesDuration
    case itunesImage, itunesSummary, slashComments, threadTotal
    // Other roots: RSS 1.0's, and what is no feed.
    case html, rdf
}

/// Namespaces of syndication, each with the prefix that everybody uses for it.
enum FeedNamespace: String, Sendable, CaseIterable {
    case atom, atom03, content, dc, dcterms, sy, media, itunes, slash, thr, wfw, xhtml, rdf, georss, geo, rss

    var prefix: String { self == .atom03 ? "atom" : rawValue }

    /// By its URI, letter case and a slash at the end apart: both are got wrong often.
    init?(uri: String) {
        let text = uri.lowercased()
        guard let found = FeedNamespace.byURI[text.hasSuffix("/") ? String(text.dropLast()) : text] else {
            return nil
        }
        self = found
    }

    private static let byURI: [String: FeedNamespace] = [
        "http://www.w3.org/2005/atom": .atom,
        "http://purl.org/atom/ns#": .atom03,
        "http://purl.org/rss/1.0/modules/content": .content,
        "http://purl.org/dc/elements/1.1": .dc,
        "http://purl.org/dc/terms": .dcterms,
        "http://purl.org/rss/1.0/modules/syndication": .sy,
        "http://search.yahoo.com/mrss": .media,
        "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
        "http://purl.org/rss/1.0/modules/slash": .slash,
        "http://purl.org/syndication/thread/1.0": .thr,
        "http://wellformedweb.org/commentapi": .wfw,
        "http://www.w3.org/1999/xhtml": .xhtml,
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf,
        "http://www.georss.org/georss": .georss,
        "http://www.w3.org/2003/01/geo/wgs84_pos#": .geo,
        // RSS 1.0, and 0.90 at its two addresses.
        "http://purl.org/rss/1.0": .rss,
        "http://my.netscape.com/rdf/simple/0.9": .rss,
        "http://channel.netscape.com/rdf/simple/0.9": .rss,
    ]
}
