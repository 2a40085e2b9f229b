extension FeedBuilder {
    /// Where the text of an element goes.
    enum Field: UInt8 {
        // Texts that may be markup.
        case title, summary, description, content, encoded, rights, subtitle
        // Plain ones.
        case id, guid, permalink, link, published, updated, author, category, subject, comments
        case language, generator, icon, image, source, duration
        case personName, personURL, personMail
        case sourceID, sourceTitle
        case ttl, hour, day, period, frequency
        case extended

        var isText: Bool { rawValue <= Field.subtitle.rawValue }
    }
}
