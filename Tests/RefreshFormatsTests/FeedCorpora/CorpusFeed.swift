import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

/// A case of a corpus of feeds, and what we make of it.
struct CorpusFeed {
    let line: JSONDocument
    let name: String
    /// Nil where we do not take it for a feed.
    let read: ReadFeed?
    let contentType: MediaType?
    let failure: String

    init(_ line: JSONDocument) throws {
        self.line = line
        name = line.text(line.member("name")) ?? "?"
        let headers = line.member("headers")
        func header(_ name: String) -> String? {
            headers.flatMap { line.text(line.member(name, of: $0)) }
        }
        let type = header("Content-Type") ?? header("Content-type")
        contentType = type.flatMap { MediaType(parsing: $0) }
        var base = try? line.text(line.member("url")).map { try WebURL(parsing: $0) }
        if let location = header("Content-Location"), let resolved = try? base?.resolving(location) {
            base = resolved
        }
        do throws(FormatFailure) {
            read = try ReadFeed(bytes: line.corpusInput ?? [], at: base, contentType: type)
            failure = ""
        } catch {
            read = nil
            failure = "\(error)"
        }
    }

    /// Whether the document had to be read with repairs, or not even that helped.
    var neededRepair: Bool {
        read.map { $0.warnings.contains { $0 == .illFormed || $0 == .undeclaredPrefix } } ?? true
    }

    /// What the members at `paths` say, as text; `#` stands for `index`, and a `^` in front for the feed itself.
    func texts(_ paths: [String], item: Int?, index: Int) -> [String] {
        guard let read else { return [] }
        return paths.compactMap { path in
            let isOfFeed = item == nil || path.hasPrefix("^")
            let names = path.drop { $0 == "^" }.split(separator: ".").map {
                $0 == "#" ? "\(index)" : String($0)
            }
            if isOfFeed { return ReadFeed.text(read.meta, names) }
            guard let item, item < read.bodies.count else { return nil }
            return ReadFeed.text(read.bodies[item], names)
        }
    }
}

/// Names of cases and why each is there; a test holds it against the truth.
struct NamedList {
    let entries: [String: String]

    init(_ entries: [String: String]) { self.entries = entries }

    /// Fails where `names` are not just those of the list.
    func expect(_ names: Set<String>, _ what: String) {
        let more = names.subtracting(entries.keys).sorted()
        let fewer = Set(entries.keys).subtracting(names).sorted()
        #expect(more.isEmpty, "\(what): not on the list")
        #expect(fewer.isEmpty, "\(what): on the list without need")
    }
}
