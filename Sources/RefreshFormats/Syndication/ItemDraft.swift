import RefreshCore

/// What is known of an entry while it is read; written as a record at its end.
struct ItemDraft {
    var id: [UInt8] = []
    /// A guid that is the entry's address as well.
    var permalink: [UInt8] = []
    var link: [UInt8] = []
    /// The page elsewhere that the entry is about (JSON Feed).
    var externalURL: [UInt8] = []
    var linkIsHTML = false
    var title = TextConstruct()
    /// `content:encoded`, which wins over everything.
    var encoded = TextConstruct()
    var content = TextConstruct()
    /// RSS's `description`: the content where there is no other, and the summary.
    var description = TextConstruct()
    var summary = TextConstruct()
    var publishedRaw: [UInt8] = []
    var updatedRaw: [UInt8] = []
    var commentsURL: [UInt8] = []
    var rights = TextConstruct()
    var language: [UInt8] = []
    var image: [UInt8] = []
    var sourceURL: [UInt8] = []
    var sourceTitle: [UInt8] = []
    var sourceID: [UInt8] = []
    var duration: Int?
    var authors: [FeedPerson] = []
    var categories: [FeedCategory] = []
    var enclosures: [FeedEnclosure] = []
    var links: [FeedLink] = []
    var extensions: [FeedExtension] = []
    /// Read from the raw dates at the end.
    private(set) var published: Timestamp?
    private(set) var updated: Timestamp?

    /// An id that is the entry's address as well, where it looks like one: a permanent guid, `rdf:about`.
    mutating func setID(_ value: [UInt8]) {
        id = value
        let isAddress = value.starts(with: "http://".utf8) || value.starts(with: "https://".utf8)
        if isAddress { permalink = value }
    }

    /// What is known only when all of the entry was read: its dates, and what belongs to its file.
    mutating func settle() {
        if !publishedRaw.isEmpty { published = FeedDate.timestamp(publishedRaw) }
        if !updatedRaw.isEmpty { updated = FeedDate.timestamp(updatedRaw) }
        if let duration, !enclosures.isEmpty, enclosures[0].duration == nil {
            enclosures[0].duration = duration
        }
    }

    /// Whether the dates that stand there could be read.
    var hasGoodDates: Bool {
        (published != nil || publishedRaw.isEmpty) && (updated != nil || updatedRaw.isEmpty)
    }

    var url: [UInt8] { link.isEmpty ? permalink : link }

    private var body: TextConstruct {
        if !encoded.isEmpty { return encoded }
        return content.isEmpty ? description : content
    }

    /// The hash of title and content, for entries that have no other identity; nil where both are missing.
    var contentHash: ContentHash? {
        let body = body
        if title.isEmpty, body.isEmpty { return nil }
        let title = ContentHash.of(title.text)
        let content = ContentHash.of(body.html.isEmpty ? body.text : body.html)
        // Any odd factor keeps a title from being taken for the content.
        return ContentHash(
            high: title.high &* 0x9E37_79B9_7F4A_7C15 ^ content.high,
            low: title.low &* 0x9E37_79B9_7F4A_7C15 ^ content.low)
    }

    /// The record's members, but for the key's.
    func write(to writer: inout RecordWriter) {
        writer.member("id", id)
        writer.member("url", url)
        writer.member("external_url", externalURL)
        title.write(to: &writer, as: "title", "title_html")
        body.write(to: &writer, as: "content_text", "content_html")
        writeSummary(to: &writer)
        writer.member("language", language)
        writer.member("published_at", published)
        writer.member("published_raw", publishedRaw)
        writer.member("updated_at", updated)
        writer.member("updated_raw", updatedRaw)
        writer.array("authors", authors) { $1.write(to: &$0) }
        writer.array("categories", categories) { $1.write(to: &$0) }
        writer.array("enclosures", enclosures) { $1.write(to: &$0) }
        writer.member("image", image)
        writer.member("comments_url", commentsURL)
        writer.array("links", links) { $1.write(to: &$0) }
        writeSource(to: &writer)
        rights.write(to: &writer, as: "rights", "rights_html")
        writeExtensions(to: &writer)
    }

    private func writeSummary(to writer: inout RecordWriter) {
        let isContent = encoded.isEmpty && content.isEmpty
        let summary = summary.isEmpty ? description : summary
        writer.member("summary", summary.text)
        // The same markup twice in one record would help nobody.
        if !isContent || summary != description { writer.member("summary_html", summary.html) }
    }

    private func writeSource(to writer: inout RecordWriter) {
        if sourceID.isEmpty, sourceURL.isEmpty, sourceTitle.isEmpty { return }
        writer.name("source")
        writer.object { writer in
            writer.member("id", sourceID)
            writer.member("url", sourceURL)
            writer.member("title", sourceTitle)
        }
    }

    /// `{prefix: {name: [{value, attrs}]}}`, both in order of first sight.
    private func writeExtensions(to writer: inout RecordWriter) {
        if extensions.isEmpty { return }
        writer.name("extensions")
        writer.object { writer in
            for (prefix, named) in ItemDraft.groups(extensions, by: \.name.prefix) {
                writer.name(Array(prefix.utf8))
                writer.object { writer in
                    for (local, same) in ItemDraft.groups(named, by: \.name.local) {
                        writer.name(Array(local.utf8))
                        writer.array { writer in
                            for one in same { one.write(to: &writer) }
                        }
                    }
                }
            }
        }
    }

    private static func groups(
        _ extensions: [FeedExtension], by name: (FeedExtension) -> String
    ) -> [(name: String, members: [FeedExtension])] {
        var places: [String: Int] = [:]
        var groups: [(name: String, members: [FeedExtension])] = []
        for one in extensions {
            let name = name(one)
            if let place = places[name] {
                groups[place].members.append(one)
            } else {
                places[name] = groups.count
                groups.append((name, [one]))
            }
        }
        return groups
    }
}
