import RefreshConfig
import RefreshCore
import RefreshFormats

/// `refreshctl import`: the feeds of a list of subscriptions (OPML 2.0) as parts of a configuration.
enum SubscriptionImport {
    private static let most = 5_000

    private struct Subscription {
        let url: String
        let title: String
        let folders: [String]
    }

    static func run(
        _ request: ImportRequest, json: Bool, output: Output, notes: Notes
    ) throws(ClientFailure) -> ExitCode {
        let bytes = try LocalFile.read(request.file, limit: ConfigReader.largest)
        let found: [Subscription]
        do {
            found = try subscriptions(in: bytes)
        } catch {
            throw .file(path: request.file, detail: "no OPML can be read: \(error.detail)")
        }
        guard !found.isEmpty else {
            throw .file(path: request.file, detail: "no outline of it has an xmlUrl")
        }
        var names = FeedNames()
        var seen: Set<String> = []
        var feeds: [(name: String, yaml: [String])] = []
        for subscription in found {
            guard let url = try? WebURL(parsing: subscription.url) else {
                notes.tell(
                    "left out, for its URL is none of http or https: \(SafeText.short(subscription.url))")
                continue
            }
            guard seen.insert(url.description).inserted else { continue }
            let name = names.name(for: subscription.title, fallback: url.host)
            feeds.append((name, yaml(subscription, url, name, request)))
        }
        try output.write(lines: json ? [document(feeds)] : feeds.flatMap(\.yaml))
        return feeds.isEmpty ? .failure : .ok
    }

    private static func yaml(
        _ subscription: Subscription, _ url: WebURL, _ name: String, _ request: ImportRequest
    ) -> [String] {
        var lines = ["  \(YAMLText.scalar(name)):", "    adapter: feed"]
        lines.append("    url: \(YAMLText.scalar(url.description))")
        if !subscription.title.isEmpty { lines.append("    title: \(YAMLText.scalar(subscription.title))") }
        if !subscription.folders.isEmpty { lines.append("    tags: \(YAMLText.list(subscription.folders))") }
        if let every = request.every { lines.append("    every: \(DurationText.format(every))") }
        return lines
    }

    private static func document(_ feeds: [(name: String, yaml: [String])]) -> String {
        var text = JSONText()
        text.object { text in
            text.name("feeds")
            text.array { for feed in feeds { $0.string(feed.name) } }
            text.name("yaml")
            text.string(feeds.flatMap(\.yaml).map { "\($0)\n" }.joined())
        }
        return text.text
    }

    // MARK: - OPML

    /// Some writers spell the attribute as they like.
    private static let address = "@*[name() = 'xmlUrl' or name() = 'xmlURL' or name() = 'xmlurl']"

    private static func subscriptions(in bytes: [UInt8]) throws(FormatFailure) -> [Subscription] {
        let document = try MarkupDocument(parsing: bytes[...], as: .xml)
        let all = "//outline[\(address)]"
        let count = try document.texts(at: "\(all)/\(address)").count
        var found: [Subscription] = []
        guard count > 0 else { return [] }
        for place in 1...min(count, most) {
            let outline = "(\(all))[\(place)]"
            let url = try document.text(at: "\(outline)/\(address)") ?? []
            var title = try document.text(at: "\(outline)/@title")
            if title == nil { title = try document.text(at: "\(outline)/@text") }
            let folders = try document.texts(
                at: "\(outline)/ancestor::outline/@text | \(outline)/ancestor::outline[not(@text)]/@title")
            found.append(
                Subscription(
                    url: words(url), title: words(title ?? []),
                    folders: folders.map { words($0) }.filter { !$0.isEmpty }))
        }
        return found
    }

    private static func words(_ bytes: [UInt8]) -> String {
        String(decoding: ASCII.trimmed(bytes), as: UTF8.self)
    }
}
