/// Namespaces of syndication, each with the prefix that everybody uses for it.
enum FeedNamespace: String, Sendable, CaseIterable {
    case atom, atom03, content, dc, dcterms, sy, media, itunes, slash, thr, wfw, xhtml, rdf, georss, geo, gml,
        rss
    case podcast, psc, fh, at, cc, creativeCommons, feedburner, googleplay, yt, admin, opensearch, rawvoice,
        foaf
    case trackback, g, gd, app, spotify, svg, mathml

    var prefix: String { self == .atom03 ? "atom" : rawValue }

    /// By its URI, letter case and a slash at the end apart: both are got wrong often.
    init?(uri: String) {
        let text = uri.lowercased()
        let name = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let found = FeedNamespace.byURI[name] else { return nil }
        self = found
    }

    private static let byURI: [String: FeedNamespace] = [
        "http://www.w3.org/2005/atom": .atom,
        "http://purl.org/atom/ns#": .atom03,
        // Drafts of Atom, under the names that it had.
        "http://purl.org/echo": .atom03, "http://example.com/newformat#": .atom03,
        "http://example.com/necho": .atom03, "uri/of/echo/namespace#": .atom03,
        "http://purl.org/pie": .atom03,
        "http://purl.org/rss/1.0/modules/content": .content,
        "http://purl.org/dc/elements/1.1": .dc,
        "http://purl.org/dc/elements/1.0": .dc,
        "http://purl.org/dc/terms": .dcterms,
        "http://purl.org/rss/1.0/modules/dcterms": .dcterms,
        "http://purl.org/rss/1.0/modules/syndication": .sy,
        "http://search.yahoo.com/mrss": .media,
        "http://video.search.yahoo.com/mrss": .media,
        "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
        "http://example.com/dtds/podcast-1.0.dtd": .itunes,
        "http://purl.org/rss/1.0/modules/slash": .slash,
        "http://purl.org/syndication/thread/1.0": .thr,
        "http://wellformedweb.org/commentapi": .wfw,
        "http://www.w3.org/1999/xhtml": .xhtml,
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf,
        "http://www.georss.org/georss": .georss,
        "http://www.w3.org/2003/01/geo/wgs84_pos#": .geo,
        "http://www.opengis.net/gml": .gml,
        "https://podcastindex.org/namespace/1.0": .podcast,
        "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
        "http://podlove.org/simple-chapters": .psc,
        "http://purl.org/syndication/history/1.0": .fh,
        "http://purl.org/atompub/tombstones/1.0": .at,
        "http://web.resource.org/cc": .cc,
        "http://backend.userland.com/creativecommonsrssmodule": .creativeCommons,
        "http://cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": .creativeCommons,
        "http://rssnamespace.org/feedburner/ext/1.0": .feedburner,
        "http://www.google.com/schemas/play-podcasts/1.0": .googleplay,
        "http://www.youtube.com/xml/schemas/2015": .yt,
        "http://webns.net/mvcb": .admin,
        "http://a9.com/-/spec/opensearch/1.1": .opensearch,
        "http://a9.com/-/spec/opensearchrss/1.0": .opensearch,
        "http://www.rawvoice.com/rawvoicerssmodule": .rawvoice,
        "http://xmlns.com/foaf/0.1": .foaf,
        "http://madskills.com/public/xml/rss/module/trackback": .trackback,
        "http://base.google.com/ns/1.0": .g,
        "http://schemas.google.com/g/2005": .gd,
        "http://www.w3.org/2007/app": .app,
        "http://www.spotify.com/ns/rss": .spotify,
        "http://www.w3.org/2000/svg": .svg,
        "http://www.w3.org/1998/math/mathml": .mathml,
        // RSS 1.0, and 0.90 at its two addresses.
        "http://purl.org/rss/1.0": .rss,
        "http://my.netscape.com/rdf/simple/0.9": .rss,
        "http://channel.netscape.com/rdf/simple/0.9": .rss,
    ]
}
