/// Which of our members hold what a third reader calls by these names.
enum GofeedField {
    case text([String])
    /// A time, whatever its spelling.
    case time(String)
    /// `rss`, `atom` or `json`.
    case kind
    case version
    /// The name of an extension's own element.
    case name(String)

    static func of(_ pattern: String) -> GofeedField? {
        if let found = table[pattern] { return found }
        let isItem = pattern.hasPrefix("items.#.")
        let rest = isItem ? String(pattern.dropFirst(8)) : pattern
        if let field = common[rest] { return field }
        return ofExtension(rest)
    }

    /// `extensions.dc.creator.#.value` and deeper; an extension's name is the path itself.
    private static func ofExtension(_ path: String) -> GofeedField? {
        let names = path.split(separator: ".").map(String.init)
        guard names.count >= 5, names[0] == "extensions" else {
            return ofModule(names)
        }
        if names.count > 5, names[4] == "children" {
            let child = "extensions.\(names[1]).\(names[2]).#.children.\(names[1]).\(names[5]).0"
            return names.last == "name" ? .name(child) : .text(["\(child).\(names.last ?? "")"])
        }
        let base = "extensions.\(names[1]).\(names[2]).#"
        if names[4] == "name" { return .name(base) }
        return .text([base + "." + names[4...].joined(separator: ".")])
    }

    private static func ofModule(_ names: [String]) -> GofeedField? {
        guard names.count >= 2, names[0] == "dcExt" || names[0] == "itunesExt" else { return nil }
        let prefix = names[0] == "dcExt" ? "dc" : "itunes"
        if names[1] == "image" { return .text(["extensions.itunes.image.0.attrs.href"]) }
        return .text(["extensions.\(prefix).\(names[1]).#.value"])
    }

    private static let common: [String: GofeedField] = [
        "title": .text(["title", "title_html"]), "author.name": .text(["authors.0.name"]),
        "author.email": .text(["authors.0.email"]), "author.url": .text(["authors.0.url"]),
        "author.avatar": .text(["authors.0.avatar"]),
        "authors.#.name": .text(["authors.#.name"]), "authors.#.email": .text(["authors.#.email"]),
        "authors.#.url": .text(["authors.#.url"]), "authors.#.avatar": .text(["authors.#.avatar"]),
        "categories.#": .text(["categories.#.term", "categories.#.label"]),
        "image.url": .text(["image", "icon"]),
        "published": .text(["published_raw"]), "publishedParsed": .time("published_at"),
        "updated": .text(["updated_raw"]), "updatedParsed": .time("updated_at"),
        "links.#": .text([
            "links.0.href", "links.1.href", "links.2.href", "url", "site_url", "self_url", "external_url",
        ]),
    ]

    private static let table: [String: GofeedField] = [
        "feedType": .kind, "feedVersion": .version,
        "link": .text(["site_url"]), "feedLink": .text(["self_url"]), "language": .text(["language"]),
        "copyright": .text(["rights", "rights_html"]), "generator": .text(["generator"]),
        "description": .text(["description", "description_html", "subtitle", "subtitle_html"]),
        "image.title": .text(["extensions.rss.image.0.children.rss.title.0.value"]),
        "items.#.link": .text(["url"]), "items.#.guid": .text(["id"]),
        "items.#.content": .text(["content_html", "content_text"]),
        "items.#.description": .text(["summary", "summary_html", "content_html", "content_text"]),
        // Of several files it has one by this name, the last.
        "items.#.enclosure.url": .text(["enclosures.0.url", "enclosures.1.url", "enclosures.2.url"]),
        "items.#.enclosure.type": .text(["enclosures.0.type", "enclosures.1.type", "enclosures.2.type"]),
        "items.#.enclosure.length": .text([
            "enclosures.0.length", "enclosures.1.length", "enclosures.2.length",
        ]),
        "items.#.enclosures.#.url": .text(["enclosures.#.url"]),
        "items.#.enclosures.#.type": .text(["enclosures.#.type"]),
        "items.#.enclosures.#.length": .text(["enclosures.#.length"]),
    ]
}
