import RefreshCore

/// Reads RSS of all versions, Atom and JSON Feed into records of one shape (refresh policy 2.8, 2.9).
package enum SyndicationRecords {
    /// Entries of one document.
    package static let itemLimit = 50_000

    /// The entries of `bytes`, in the order of the document.
    ///
    /// Well-formed XML is read as it is. Anything else is mended and read a second time, with a warning; it fails
    /// only where no root of a known format is found. JSON is told by its first byte, and has to be well-formed.
    /// - Parameters:
    ///   - base: where the document came from, for relative references.
    ///   - contentType: what came with it; only its charset counts.
    ///   - keys: what tells the feed's entries apart, as found in its earlier documents or forced.
    package static func page(
        of bytes: PaddedBytes, base: WebURL?, contentType: MediaType? = nil, keys: KeyPolicy = .undecided,
        limits: RecordLimits = RecordLimits(),
        itemLimit: Int = SyndicationRecords.itemLimit
    ) throws(FormatFailure) -> SyndicationDocument {
        if let object = FeedSource.object(bytes, contentType: contentType) {
            return try JSONFeedReader.document(
                of: object, base: base, keys: keys, limits: limits, itemLimit: itemLimit)
        }
        let source = try FeedSource(bytes.content, contentType: contentType)
        if source.isPage { throw .notAFeed(found: PageAlternates.found(in: source.text, base: base)) }
        var builder = FeedBuilder(base: base, itemLimit: itemLimit)
        try read(source, into: &builder, base)
        if let failure = builder.failure {
            if failure != FeedBuilder.page { throw failure }
            throw .notAFeed(found: PageAlternates.found(in: source.text, base: base))
        }
        if !builder.hasRoot { throw .notAFeed(found: "an RDF document without a channel") }
        // An entry without an end may lack half of what it says.
        if builder.isInItem { builder.warn(.cutOff) }
        return try document(&builder, limits, keys)
    }

    /// As it is; what is ill-formed is mended and read again.
    private static func read(
        _ source: FeedSource, into builder: inout FeedBuilder, _ base: WebURL?
    ) throws(FormatFailure) {
        var fault = try SAXParser.parse(source.text, into: &builder, tolerant: false, isUTF8: true)
        if source.isBuried {
            fault = fault ?? SAXParser.Fault(line: 1, what: "it does not start with a tag")
        }
        guard builder.failure == nil, let fault else { return }
        builder = FeedBuilder(base: base, itemLimit: builder.itemLimit)
        _ = try SAXParser.parse(source.repaired[...], into: &builder, tolerant: true, isUTF8: true)
        builder.warn(.illFormed, line: fault.line)
        if builder.failure == nil, !builder.hasRoot { throw .xmlInvalid(line: fault.line, what: fault.what) }
    }

    private static func document(
        _ builder: inout FeedBuilder, _ limits: RecordLimits, _ keys: KeyPolicy
    ) throws(FormatFailure) -> SyndicationDocument {
        let shelved = try builder.items.page(limits: limits, keys: keys)
        if shelved.sharesIDs { builder.warn(.sharedIDs) }
        if builder.items.empty > 0 { builder.warn(.emptyEntry) }
        return SyndicationDocument(
            shelved, feed: builder.feed, entries: builder.items.count, deletions: builder.deletions,
            warnings: builder.warnings)
    }
}
