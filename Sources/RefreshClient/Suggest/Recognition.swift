import RefreshCore
import RefreshFormats
import RefreshTransfer

/// What an answer is, by its own look first and by its content type second.
struct Recognition {
    private let answer: TransferAnswer
    /// As it was asked for; a redirect for now is no reason to write another address.
    private let url: WebURL
    private let type: MediaType?

    init(_ answer: TransferAnswer, asked: WebURL) {
        self.answer = answer
        url = answer.permanentTarget ?? asked
        type = answer.headers.first("content-type").flatMap { MediaType(parsing: $0) }
    }

    /// Several where a page names several feeds; none of an empty answer.
    var suggestions: [Suggestion] {
        let content = ASCII.trimmed(answer.body.content)
        guard let first = content.first else { return [] }
        if let feed { return [feed] }
        if isHTML(content) { return html }
        if first == UInt8(ascii: "<") { return [xml ?? document("an XML document without a list")] }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return [list ?? document("JSON")] }
        if isTable, let table { return [table] }
        return [document(type?.essence ?? "bytes of an unknown kind")]
    }

    // MARK: - Kinds

    private func draft(_ adapter: String, _ what: String) -> Suggestion {
        Suggestion(adapter: adapter, url: url, title: title, what: what)
    }

    /// The host and the last part of the path that says something.
    private var title: String {
        let parts = url.path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let last = parts.last.map { $0.prefix { $0 != "." } }
        let host = url.host.hasPrefix("www.") ? String(url.host.dropFirst(4)) : url.host
        return last.map { "\(host) \($0)" } ?? host
    }

    private func document(_ what: String) -> Suggestion { draft("http", "\(what), kept as one document") }

    private var feed: Suggestion? {
        guard
            let document = try? SyndicationRecords.page(
                of: answer.body, base: answer.effectiveURL, contentType: type)
        else { return nil }
        var suggestion = draft("feed", "a feed with \(Wording.count(document.entries, "entry", "entries"))")
        let meta = try? JSONDocument(parsing: PaddedBytes(document.meta))
        if let meta, let title = meta.text(meta.member("title", of: meta.root)), !title.isEmpty {
            suggestion.title = title
            suggestion.set("title", YAMLText.scalar(SafeText.short(title, limit: 200)))
        }
        return suggestion
    }

    private var list: Suggestion? {
        if let document = try? JSONDocument(parsing: answer.body) {
            let guess = JSONGuess(document)
            guard guess.rows != nil else { return nil }
            var suggestion = draft("json", "a JSON list")
            guess.fill(&suggestion)
            JSONPaging(document, guess, headers: answer.headers, base: answer.effectiveURL).fill(&suggestion)
            return suggestion
        }
        return lines
    }

    /// A JSON value a line.
    private var lines: Suggestion? {
        let rows = answer.body.content.split(separator: 0x0A).map { ASCII.trimmed($0) }
            .filter { !$0.isEmpty }.prefix(1_000)
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (place, row) in rows.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text += row
        }
        text.append(UInt8(ascii: "]"))
        guard let document = try? JSONDocument(parsing: PaddedBytes(text)) else { return nil }
        let guess = JSONGuess(document)
        guard guess.rows != nil else { return nil }
        var suggestion = draft("json", "a JSON value a line")
        suggestion.set("records", "{format: jsonl}")
        guess.fill(&suggestion)
        return suggestion
    }

    private func isHTML(_ content: ArraySlice<UInt8>) -> Bool {
        let start = String(decoding: content.prefix(512).map(ASCII.lowercased), as: UTF8.self)
        return start.hasPrefix("<!doctype html") || start.contains("<html") || type?.essence == "text/html"
    }

    private var html: [Suggestion] {
        let found = PageAlternates.addresses(in: answer.body.content, base: answer.effectiveURL)
        let feeds = found.compactMap { try? WebURL(parsing: $0) }.map { address in
            var suggestion = draft("feed", "named by \(url.display)")
            suggestion.url = address
            return suggestion
        }
        if !feeds.isEmpty { return feeds }
        var suggestion = draft("html", "a table of an HTML page")
        if MarkupGuess.fill(&suggestion, table: answer.body.content, type: type) { return [suggestion] }
        return [document("an HTML page without feeds and tables")]
    }

    private var xml: Suggestion? {
        var suggestion = draft("xml", "an XML list")
        return MarkupGuess.fill(&suggestion, xml: answer.body.content, type: type) ? suggestion : nil
    }

    private var isTable: Bool {
        ["text/csv", "text/tab-separated-values", "application/csv"].contains(type?.essence)
            || type == nil || type?.essence == "text/plain" || type?.essence == "application/octet-stream"
    }

    private var table: Suggestion? {
        var suggestion = draft("csv", "a CSV table")
        return CSVGuess.fill(&suggestion, answer.body.content, type: type) ? suggestion : nil
    }
}
