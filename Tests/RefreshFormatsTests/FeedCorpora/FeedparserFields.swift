/// Which of our members hold what another reader calls by these names.
enum FeedparserField {
    /// A text; any of the members may say it.
    case text([String])
    /// Fields of a time in UTC, of the member.
    case date(String)
    /// Whether a text came as markup: the member that then is there.
    case type(String)
    /// A person in one line: the member that holds the person.
    case person(String)
    /// `yes`, `clean` and their likes as a number or a truth value.
    case flag(String)
    /// An object: its members, theirs and ours.
    case object([String: String])
    /// The number of elements.
    case count(String)
    /// Words with spaces between them.
    case words(String)

    static func of(_ path: String) -> FeedparserField? {
        if let found = table[path] { return found }
        for (theirs, ours) in prefixes where path.hasPrefix(theirs) {
            let rest = String(path.dropFirst(theirs.count))
            guard let field = common[rest] else { continue }
            return field.within(ours)
        }
        return nil
    }

    private static let prefixes = [
        ("entries.#.source.", "source."), ("entries.#.", ""), ("feed.", ""),
    ]

    /// What feed, entry and source have in common.
    private static let common: [String: FeedparserField] = [
        "title": .text(["title", "title_html"]), "title_detail.value": .text(["title", "title_html"]),
        "title_detail.type": .type("title_html"),
        "rights": .text(["rights", "rights_html"]), "copyright": .text(["rights", "rights_html"]),
        "rights_detail.value": .text(["rights", "rights_html"]), "rights_detail.type": .type("rights_html"),
        "copyright_detail.type": .type("rights_html"),
        "subtitle": .text(["subtitle", "subtitle_html"]), "tagline": .text(["subtitle", "subtitle_html"]),
        "subtitle_detail.value": .text(["subtitle", "subtitle_html"]),
        "tagline_detail.value": .text(["subtitle", "subtitle_html"]),
        "subtitle_detail.type": .type("subtitle_html"), "tagline_detail.type": .type("subtitle_html"),
        "id": .text(["id"]), "guid": .text(["id"]), "icon": .text(["icon"]), "logo": .text(["image"]),
        "generator": .text(["generator"]), "generator_detail.name": .text(["generator"]),
        "generator_detail.url": .text([
            "extensions.atom.generator.0.attrs.uri", "extensions.atom.generator.0.attrs.url",
        ]),
        "generator_detail.href": .text(["extensions.atom.generator.0.attrs.uri"]),
        "generator_detail.version": .text(["extensions.atom.generator.0.attrs.version"]),
        "author": .person("authors.0"), "author_detail.name": .text(["authors.0.name"]),
        "author_detail.email": .text(["authors.0.email"]), "author_detail.url": .text(["authors.0.url"]),
        "authors.#.name": .text(["authors.#.name"]), "authors.#.email": .text(["authors.#.email"]),
        "authors.#.url": .text(["authors.#.url"]),
        "contributors.#": .object([
            "name": "extensions.atom.contributor.#.children.atom.name.0.value",
            "email": "extensions.atom.contributor.#.children.atom.email.0.value",
            "href": "extensions.atom.contributor.#.children.atom.uri.0.value"
                + "|extensions.atom.contributor.#.children.atom.url.0.value",
        ]),
        "contributors.#.name": .text([
            "extensions.atom.contributor.#.children.atom.name.0.value", "extensions.dc.contributor.#.value",
        ]),
        "contributors.#.email": .text(["extensions.atom.contributor.#.children.atom.email.0.value"]),
        "contributors.#.url": .text([
            "extensions.atom.contributor.#.children.atom.uri.0.value",
            "extensions.atom.contributor.#.children.atom.url.0.value",
            "extensions.atom.contributor.#.children.atom.homepage.0.value",
        ]),
        "category": .text(["categories.0.term"]), "tags": .count("categories"),
        "tags.#.term": .text(["categories.#.term"]), "tags.#.scheme": .text(["categories.#.scheme"]),
        "tags.#.label": .text(["categories.#.label"]),
        "links": .count("links"), "links.#.href": .text(["links.#.href"]),
        "links.#.rel": .text(["links.#.rel"]),
        "links.#.type": .text(["links.#.type"]), "links.#.title": .text(["links.#.title"]),
        "links.#.hreflang": .text(["links.#.hreflang"]),
        "links.#": .object([
            "href": "links.#.href", "rel": "links.#.rel", "type": "links.#.type", "title": "links.#.title",
            "hreflang": "links.#.hreflang",
        ]),
        "published": .text(["published_raw"]), "published_parsed": .date("published_at"),
        "updated": .text(["updated_raw"]), "updated_parsed": .date("updated_at"),
        "created": .text(["published_raw"]), "created_parsed": .date("published_at"),
        "publisher": .text(["extensions.dc.publisher.0.value", "extensions.rss.webMaster.0.value"]),
        "itunes_block": .flag("extensions.itunes.block.0.value"),
        "itunes_explicit": .flag("extensions.itunes.explicit.0.value"),
    ]

    private static let table: [String: FeedparserField] = [
        "version": .text(["format"]), "entries": .count("entries"),
        // The feed.
        "feed.description": .text(["description", "description_html", "subtitle", "subtitle_html"]),
        "feed.tagline": .text(["subtitle", "subtitle_html", "description", "description_html"]),
        "feed.tagline_detail.value": .text(["subtitle", "subtitle_html", "description", "description_html"]),
        "feed.info": .text(["description", "description_html"]),
        "feed.info_detail.type": .type("description_html"),
        "feed.link": .text(["site_url"]), "feed.language": .text(["language"]),
        "feed.ttl": .text(["ttl_s"]), "feed.image.href": .text(["image"]), "feed.image.url": .text(["image"]),
        "feed.image.description": .text(["extensions.rss.image.0.children.rss.description.0.value"]),
        "feed.image.link": .text(["extensions.rss.image.0.children.rss.link.0.value"]),
        "feed.image.width": .text(["extensions.rss.image.0.children.rss.width.0.value"]),
        "feed.image.height": .text(["extensions.rss.image.0.children.rss.height.0.value"]),
        "feed.docs": .text(["extensions.rss.docs.0.value"]),
        "feed.cloud.domain": .text(["extensions.rss.cloud.0.attrs.domain"]),
        "feed.cloud.path": .text(["extensions.rss.cloud.0.attrs.path"]),
        "feed.cloud.port": .text(["extensions.rss.cloud.0.attrs.port"]),
        "feed.cloud.registerprocedure": .text(["extensions.rss.cloud.0.attrs.registerProcedure"]),
        "feed.textinput.description": .text(["extensions.rss.textInput.0.children.rss.description.0.value"]),
        "feed.textinput.link": .text(["extensions.rss.textInput.0.children.rss.link.0.value"]),
        "feed.textinput.name": .text(["extensions.rss.textInput.0.children.rss.name.0.value"]),
        "feed.textinput.title": .text(["extensions.rss.textInput.0.children.rss.title.0.value"]),
        "feed.thr_in-reply-to.href": .text(["extensions.thr.in-reply-to.0.attrs.href"]),
        "feed.thr_in-reply-to.ref": .text(["extensions.thr.in-reply-to.0.attrs.ref"]),
        "feed.thr_in-reply-to.source": .text(["extensions.thr.in-reply-to.0.attrs.source"]),
        "feed.thr_in-reply-to.type": .text(["extensions.thr.in-reply-to.0.attrs.type"]),
        "feed.publisher_detail.email": .text([
            "extensions.itunes.owner.0.children.itunes.email.0.value", "authors.0.email",
        ]),
        "feed.publisher_detail.name": .text([
            "extensions.itunes.owner.0.children.itunes.name.0.value", "authors.0.name",
        ]),
        // An entry.
        "entries.#.description": .text(["summary", "summary_html", "content_html", "content_text"]),
        "entries.#.summary": .text(["summary", "summary_html", "content_html", "content_text"]),
        "entries.#.summary_detail.value": .text(["summary", "summary_html", "content_html", "content_text"]),
        "entries.#.summary_detail.type": .type("summary_html"),
        "entries.#.subtitle": .text(["extensions.itunes.subtitle.0.value"]),
        "entries.#.content.#.value": .text(["content_html", "content_text"]),
        "entries.#.content.#.type": .type("content_html"),
        "entries.#.content.#.src": .text(["enclosures.0.url"]),
        "entries.#.content.#.language": .text(["language", "^language"]),
        "entries.#.link": .text(["url"]), "entries.#.comments": .text(["comments_url"]),
        "entries.#.enclosures.#.href": .text(["enclosures.#.url"]),
        "entries.#.enclosures.#.url": .text(["enclosures.#.url"]),
        "entries.#.enclosures.#.type": .text(["enclosures.#.type"]),
        "entries.#.enclosures.#.length": .text(["enclosures.#.length"]),
        "entries.#.enclosures.#": .object([
            "href": "enclosures.#.url", "type": "enclosures.#.type", "length": "enclosures.#.length",
        ]),
        "entries.#.source.href": .text(["source.url"]), "entries.#.source.link": .text(["source.url"]),
        "entries.#.itunes_duration": .text(["extensions.itunes.duration.0.value"]),
        "entries.#.expired": .text(["extensions.rss.expirationDate.#.value"]),
        "entries.#.license": .text([
            "extensions.cc.license.0.attrs.rdf:resource", "extensions.creativeCommons.license.0.value",
        ]),
        "entries.#.wfw_comment": .text(["extensions.wfw.comment.0.value"]),
        "entries.#.wfw_commentrss": .text([
            "extensions.wfw.commentRss.0.value", "extensions.wfw.commentRSS.0.value",
        ]),
        "entries.#.madeup_element": .text(["extensions.MadeUp.Element.0.value"]),
        "entries.#.psc_chapters.chapters": .text(["extensions.psc.chapters.0.children.psc.chapter"]),
        "entries.#.media_credit.#.role": .text([
            "extensions.media.group.0.children.media.credit.#.attrs.role",
            "extensions.media.credit.#.attrs.role",
        ]),
        "entries.#.media_credit.#.content": .text([
            "extensions.media.group.0.children.media.credit.#.value", "extensions.media.credit.#.value",
        ]),
        "entries.#.media_license.content": .text(["extensions.media.group.0.children.media.license.0.value"]),
        "entries.#.media_license.href": .text(["extensions.media.group.0.children.media.license.0.attrs.href"]
        ),
        "entries.#.media_license.type": .text(["extensions.media.group.0.children.media.license.0.attrs.type"]
        ),
        "entries.#.media_rating.content": .text(["extensions.media.group.0.children.media.rating.0.value"]),
        "entries.#.media_restriction.content": .words(
            "extensions.media.group.0.children.media.restriction.0.value"),
        "entries.#.media_restriction.relationship": .text([
            "extensions.media.group.0.children.media.restriction.0.attrs.relationship"
        ]),
        "entries.#.media_thumbnail.#.url": .text([
            "extensions.media.thumbnail.#.attrs.url",
            "extensions.media.content.0.children.media.thumbnail.#.attrs.url",
            "extensions.media.group.0.children.media.thumbnail.#.attrs.url",
        ]),
    ]

    private func within(_ prefix: String) -> FeedparserField {
        switch self {
        case .text(let paths): .text(paths.map { prefix + $0 })
        case .date(let path): .date(prefix + path)
        case .type(let path): .type(prefix + path)
        case .person(let path): .person(prefix + path)
        case .flag(let path): .flag(prefix + path)
        case .object(let members): .object(members.mapValues { prefix + $0 })
        case .count(let path): .count(prefix + path)
        case .words(let path): .words(prefix + path)
        }
    }
}
