import RefreshCore

/// Reads RSS of all versions, Atom and JSON Feed into records of one shape (refresh policy 2.8, 2.9).
package enum SyndicationRecords {
    /// Entries of one document.
    package static let itemLimit = 50_000

    /// The entries of `bytes`, in the order of the document.
    ///
    /// Well-formed XML is read as it is. Anything else is mended and read a second time, with a warning; it fails
    /// only where no root of a known format is found. JSON is told by its first byte, and has to be well-formed.
    /// - Parameter base: where the document came from, for relative references.
    package static func page(
        of bytes: PaddedBytes, base: WebURL?, limits: RecordLimits = RecordLimits(),
        itemLimit: Int = SyndicationRecords.itemLimit
    ) throws(FormatFailure) -> SyndicationDocument {
        if FeedSource.isObject(bytes.content) {
            return try JSONFeedReader.document(of: bytes, base: base, limits: limits, itemLimit: itemLimit)
        }
        let source = try FeedSource(bytes.content)
        var builder = FeedBuilder(base: base, itemLimit: itemLimit)
        var fault = try SAXParser.parse(source.text, into: &builder, tolerant: false, isUTF8: source.isUTF8)
        if builder.failure == nil, let first = fault {
            builder = FeedBuilder(base: base, itemLimit: itemLimit)
            fault = try SAXParser.parse(
                source.repaired[...], into: &builder, tolerant: true, isUTF8: source.countsAsUTF8)
            builder.warn(.illFormed, line: first.line)
            if builder.failure == nil, !builder.hasRoot {
                throw .xmlInvalid(line: first.line, what: first.what)
            }
        }
        if let failure = builder.failure { throw failure }
        if !builder.hasRoot { throw .notAFeed(found: "an RDF document without a channel") }
        // An entry without an end may lack half of what it says.
        if builder.isInItem { builder.warn(.cutOff) }
        return try document(&builder, limits)
    }

    private static func document(
        _ builder: inout FeedBuilder, _ limits: RecordLimits
    ) throws(FormatFailure) -> SyndicationDocument {
        let (page, sharesIDs) = try builder.items.page(limits: limits)
        if sharesIDs { builder.warn(.sharedIDs) }
        return SyndicationDocument(page: page, feed: builder.feed, warnings: builder.warnings)
    }
}
