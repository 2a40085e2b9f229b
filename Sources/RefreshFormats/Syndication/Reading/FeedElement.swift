/// The elements that mean something to us, by namespace and name, whatever prefix the document gave them.
enum FeedElement: UInt8, Sendable {
    case unknown
    // RSS, in no namespace or in that of its root.
    case rss, channel, item, title, link, description, guid, pubDate, lastBuildDate, author, managingEditor
    case category, comments, enclosure, source, ttl, skipHours, hour, skipDays, day, language, copyright
    case generator, image, url, textInput, cloud, tags, fullContent, rssSummary, reference, items, webMaster
    // CDF.
    case abstract
    // Atom 1.0, and what 0.3 called the same.
    case feed, entry, atomTitle, atomLink, atomID, atomUpdated, atomPublished, atomCreated, atomSummary,
        atomContent, atomAuthor, atomName, atomURI, atomEmail, atomCategory, atomRights, atomSubtitle,
        atomInfo
    case atomGenerator, atomIcon, atomLogo, atomSource
    // Modules.
    case contentEncoded, dcCreator, dcDate, dcSubject, dcLanguage, dcRights, dcTitle, dcDescription,
        dctermsCreated, dctermsModified
    case syUpdatePeriod, syUpdateFrequency
    case mediaContent, mediaThumbnail, mediaGroup, mediaTitle, mediaDescription, mediaKeywords, mediaCategory
    case itunesAuthor, itunesCategory, itunesDuration, itunesImage, itunesKeywords, itunesLink,
        itunesSubtitle, itunesSummary
    case slashComments, threadTotal, historyComplete, deletedEntry
    // Other roots: RSS 1.0's, and what is no feed.
    case html, rdf
}
