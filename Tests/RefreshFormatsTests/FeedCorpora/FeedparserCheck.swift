import RefreshCore

@testable import RefreshFormats

/// One check of the corpus: what stands at a path of the other reader's result.
struct FeedparserCheck {
    let path: [String]
    let operation: String
    let value: JSONNode?
    private let line: JSONDocument

    init(_ line: JSONDocument, _ node: JSONNode) {
        self.line = line
        path =
            line.member("path", of: node).map {
                line.elements(of: $0).map { line.text($0) ?? line.canonical($0) }
            } ?? []
        operation = line.text(line.member("op", of: node)) ?? ""
        value = line.member("value", of: node)
    }

    var isOfRepair: Bool { path == ["bozo"] }

    /// The path with `#` for each index.
    var pattern: String { path.map { Int($0) == nil ? $0 : "#" }.joined(separator: ".") }

    private var indexes: [Int] { path.compactMap { Int($0) } }
    private var item: Int? { path.first == "entries" ? indexes.first : nil }
    private var index: Int { (item == nil ? indexes.first : indexes.dropFirst().first) ?? 0 }

    /// What is wrong with our view of the case; nil where the check passes.
    func fault(in feed: CorpusFeed, as field: FeedparserField) -> String? {
        let found = views(of: feed, field)
        let wanted = value.map(plain) ?? "null"
        let isRight =
            switch operation {
            case "==":
                found.contains(wanted) || found.isEmpty && (wanted == "null" || wanted.isEmpty)
            case "!=": !found.contains(wanted)
            case "count==": (found.first ?? "0") == wanted
            case "truthy": !found.isEmpty
            case "falsy": found.isEmpty
            case "lacks": !found.contains { $0.contains(wanted) }
            case "contains": found.contains { $0.contains(wanted) }
            default: false
            }
        return isRight
            ? nil : "\(path.joined(separator: ".")) \(operation) \(wanted), not \(found) \(feed.failure)"
    }

    private func plain(_ node: JSONNode) -> String { line.text(node) ?? line.canonical(node) }

    private func views(of feed: CorpusFeed, _ field: FeedparserField) -> [String] {
        func texts(_ paths: [String]) -> [String] { feed.texts(paths, item: item, index: index) }
        switch field {
        case .text(let paths): return texts(paths).flatMap(translated)
        case .date(let path): return texts([path]).compactMap(FeedparserCheck.fields)
        case .type(let path):
            return texts([path]).isEmpty ? ["text/plain"] : ["text/html", "application/xhtml+xml"]
        case .person(let path):
            let name = texts([path + ".name"]).first
            let mail = texts([path + ".email"]).first
            switch (name, mail) {
            case (let name?, let mail?): return ["\(name) (\(mail))"]
            case (let one?, nil), (nil, let one?): return [one]
            case (nil, nil): return []
            }
        case .flag(let path):
            return texts([path]).flatMap { text -> [String] in
                switch text {
                case "yes", "true", "explicit": ["1", "true"]
                case "clean": ["0", "false"]
                default: ["0", "null", "false"]
                }
            } + (texts([path]).isEmpty ? ["0"] : [])
        case .object(let members): return [object(members, texts)]
        case .count(let path):
            if path == "entries" { return ["\(feed.read?.document.entries ?? 0)"] }
            return texts([path]).compactMap { text in
                (try? JSONDocument(text)).map { "\($0.count(of: $0.root))" }
            }
        case .words(let path):
            return texts([path]).map { text in
                "[\(text.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ","))]"
            }
        }
    }

    private func object(_ members: [String: String], _ texts: ([String]) -> [String]) -> String {
        let pairs = members.compactMap { theirs, ours in
            texts(ours.split(separator: "|").map(String.init)).first.map { "\"\(theirs)\":\"\($0)\"" }
        }
        return "{\(pairs.sorted().joined(separator: ","))}"
    }

    /// Units and names of ours in theirs.
    private func translated(_ text: String) -> [String] {
        switch pattern {
        case "feed.ttl": [Int(text).map { "\($0 / 60)" } ?? text]
        case "version":
            [
                "rss2": ["rss20", "rss"], "rss1": ["rss10"],
                "rss0.9x": ["rss090", "rss091n", "rss091u", "rss092", "rss093", "rss094"],
            ][text] ?? [text]
        default: [text]
        }
    }

    /// Year, month, day, hour, minute, second, weekday from Monday, day of the year, 0.
    private static func fields(_ text: String) -> String? {
        guard let time = Timestamp(rfc3339: text.utf8) else { return nil }
        let civil = CivilTime(time)
        let date = civil.date
        let weekday = ((date.daysSinceEpoch + 3) % 7 + 7) % 7
        let first = CivilDate(year: date.year, month: 1, day: 1)?.daysSinceEpoch ?? 0
        return "[\(date.year),\(date.month),\(date.day),\(civil.hour),\(civil.minute),\(civil.second),"
            + "\(weekday),\(date.daysSinceEpoch - first + 1),0]"
    }
}
