extension FeedBuilder {
    /// Where the text of an element goes.
    enum Field: UInt8 {
        // Texts that may be markup.
        case title, summary, description, content, encoded, rights, subtitle
        /// Texts that count only where there is no better one.
        case weakTitle, weakSummary, weakDescription, weakSubtitle
        // Plain ones.
        case id, weakID, guid, permalink, link, published, updated, created, date, author, category, subject,
            comments
        case language, generator, webMaster, icon, image, source, duration, keywords, terms
        case personName, personURL, personMail
        case enclosureTitle
        case ttl, hour, day, period, frequency

        var isText: Bool { rawValue <= Field.weakSubtitle.rawValue }
    }
}
