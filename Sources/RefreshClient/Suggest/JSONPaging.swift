import RefreshCore
import RefreshFormats

/// How a JSON list goes on, by the words that many upstreams use.
struct JSONPaging {
    /// A value of the document outside of its rows.
    private struct Word {
        let path: [String]
        let value: ScalarValue

        var name: String { path.last?.lowercased() ?? "" }
        /// The name within what stands around it.
        var outer: String { path.dropLast().last?.lowercased() ?? "" }
        var text: String { YAMLText.scalar(PathText.json(path)) }
    }

    private let words: [Word]
    private let count: Int
    private let headers: HTTPHeaders
    private let base: WebURL

    init(_ document: JSONDocument, _ guess: JSONGuess, headers: HTTPHeaders, base: WebURL) {
        var words: [Word] = []
        JSONPaging.collect(document, document.root, [], &words)
        self.words = words
        count = guess.rows?.nodes.count ?? 0
        self.headers = headers
        self.base = base
    }

    private static let deepest = 3

    private static func collect(
        _ document: JSONDocument, _ node: JSONNode, _ path: [String], _ words: inout [Word]
    ) {
        for (name, value) in document.members(of: node) {
            guard let name = document.text(name) else { continue }
            if value.kind == .object, path.count < deepest {
                collect(document, value, path + [name], &words)
            } else if let scalar = document.scalar(of: value) {
                words.append(Word(path: path + [name], value: scalar))
            }
        }
    }

    // MARK: - Settings

    func fill(_ suggestion: inout Suggestion) {
        if LinkHeader.first(relation: "next", in: headers, base: base) != nil {
            suggestion.set("paginate", "link_header", because: "the answer has a Link header")
        } else if let link {
            suggestion.set("paginate", "{type: link, next: \(link.text)}")
        } else if let cursor {
            let to = JSONPaging.parameter(for: cursor.path.last ?? "")
            suggestion.set(
                "paginate",
                "{type: cursor, next: \(cursor.text), to: {param: \(YAMLText.scalar(to))}\(more)}",
                because: "the name of the parameter is a guess")
            suggestion.url = JSONPaging.without([to], suggestion.url)
        } else {
            byNumber(&suggestion)
        }
    }

    private static let links: Set<String> = [
        "next", "nextlink", "next_link", "nexturl", "next_url", "nextpageurl", "next_page_url", "next_href",
        "nexthref", "@odata.nextlink",
    ]
    private static let cursors: [(name: String, parameter: String)] = [
        ("next_cursor", "cursor"), ("nextcursor", "cursor"), ("nextpagetoken", "pageToken"),
        ("next_page_token", "page_token"), ("nexttoken", "nextToken"), ("next_token", "next_token"),
        ("continuationtoken", "continuationToken"), ("continuation", "continuation"), ("endcursor", "after"),
        ("end_cursor", "after"), ("after", "after"), ("cursor", "cursor"), ("next", "cursor"),
    ]

    private static func parameter(for name: String) -> String {
        cursors.first { $0.name == name.lowercased() }?.parameter ?? name
    }

    private var link: Word? {
        words.first { word in
            let isNamed =
                JSONPaging.links.contains(word.name) || word.name == "href" && word.outer == "next"
            guard isNamed, word.value.kind == .string else { return false }
            return ["http://", "https://", "/", "?"].contains { word.value.text.hasPrefix($0) }
        }
    }

    private var cursor: Word? {
        for (name, _) in JSONPaging.cursors {
            let found = words.first { word in
                word.name == name
                    && (word.value.kind == .string && !word.value.bytes.isEmpty || word.value.kind == .number)
            }
            if let found { return found }
        }
        return nil
    }

    private var more: String {
        let names: Set<String> = [
            "has_more", "hasmore", "has_next", "hasnext", "hasnextpage", "has_next_page",
        ]
        return words.first { names.contains($0.name) && $0.value.kind == .bool }.map { ", more: \($0.text)" }
            ?? ""
    }

    // MARK: - Pages and offsets

    private func byNumber(_ suggestion: inout Suggestion) {
        let page = JSONPaging.present(["page", "p", "pageNumber", "page_number"], in: suggestion.url)
        let offset = JSONPaging.present(["offset", "skip", "start", "from"], in: suggestion.url)
        if let pages = number([
            "total_pages", "totalpages", "last_page", "lastpage", "page_count", "pagecount", "pages",
        ]) {
            let to = page ?? "page"
            suggestion.url = JSONPaging.without([to], suggestion.url)
            suggestion.set(
                "paginate",
                "{type: page, to: {param: \(YAMLText.scalar(to))}, total_pages: \(pages.word.text)}",
                because: page == nil ? "the name of the parameter is a guess" : nil)
        } else if let total = number([
            "total", "total_count", "totalcount", "total_results", "totalresults", "count",
        ]),
            total.number > count, count > 0
        {
            let to = offset ?? "offset"
            let size = JSONPaging.present(
                ["limit", "per_page", "page_size", "size", "count"], in: suggestion.url)
            suggestion.url = JSONPaging.without([to] + (size.map { [$0] } ?? []), suggestion.url)
            suggestion.set(
                "paginate",
                "{type: offset, to: {param: \(YAMLText.scalar(to))}, total: \(total.word.text), size: \(count), "
                    + "size_to: {param: \(YAMLText.scalar(size ?? "limit"))}}",
                because: offset == nil
                    ? "\(total.number) rows in all; the names of the parameters are a guess" : nil)
        }
    }

    private func number(_ names: [String]) -> (word: Word, number: Int)? {
        for name in names {
            for word in words where word.name == name && word.value.kind == .number {
                if let number = word.value.count { return (word, number) }
            }
        }
        return nil
    }

    private static func present(_ names: [String], in url: WebURL) -> String? {
        names.first { url.hasParam($0) }
    }

    /// The URL without these parameters, which the paginator sends itself.
    private static func without(_ names: [String], _ url: WebURL) -> WebURL {
        guard let query = url.query else { return url }
        let kept = query.utf8.split(separator: UInt8(ascii: "&")).filter { pair in
            !names.contains { name in pair.prefix { $0 != UInt8(ascii: "=") }.elementsEqual(name.utf8) }
        }.map { String(Substring($0)) }
        return WebURL(
            scheme: url.scheme, host: url.host, port: url.port, path: url.path,
            query: kept.isEmpty ? nil : kept.joined(separator: "&"))
    }
}
