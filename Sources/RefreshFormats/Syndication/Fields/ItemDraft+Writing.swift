import RefreshCore

/// The entry as a record (refresh policy 2.8).
extension ItemDraft {
    /// The record's members, but for the key's and the extensions.
    func write(to writer: inout RecordWriter) {
        writer.member("id", id)
        writer.member("url", url)
        writer.member("external_url", externalURL)
        title.write(to: &writer, as: "title", "title_html")
        body.write(to: &writer, as: "content_text", "content_html")
        writeSummary(to: &writer)
        writer.member("language", language.isEmpty ? partLanguage : language)
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
        if !source.isEmpty {
            writer.name("source")
            writer.raw(source[...])
        }
        rights.write(to: &writer, as: "rights", "rights_html")
    }

    private func writeSummary(to writer: inout RecordWriter) {
        // Where a summary stands beside it, the description is the content.
        let isContent = encoded.isEmpty && content.isEmpty
        let summary = summary.isEmpty ? description : summary
        writer.member("summary", summary.text)
        // The same markup twice in one record would help nobody.
        if !isContent || summary != description { writer.member("summary_html", summary.html) }
    }
}
