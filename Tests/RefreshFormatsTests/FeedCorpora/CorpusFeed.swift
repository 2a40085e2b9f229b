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
    let failure: String

    init(_ line: JSONDocument) throws {
        self.line = line
        name = line.text(line.member("name")) ?? "?"
        let headers = line.member("headers")
        func header(_ name: String) -> String? {
            headers.flatMap { line.text(line.member(name, of: $0)) }
        }
        let type = header("Content-Type") ?? header("Content-type")
        var base = try? line.text(line.member("url")).map { try WebURL(parsing: $0) }
        if let location = header("Content-Location"), let resolved = try? base?.resolving(location) {
            base = resolved
        }
        do throws(FormatFailure) {
            read = try ReadFeed(bytes: line.inputBytes, at: base, contentType: type)
            failure = ""
        } catch {
            read = nil
            failure = "\(error)"
        }
    }

    /// Whether the document had to be read with repairs, or not even that helped.
    var neededRepair: Bool { read.map { $0.warnings.contains(.illFormed) } ?? true }

    /// What the members at `paths` say, as text; `#` stands for `index`, and a `^` in front for the feed itself.
    func texts(_ paths: [String], item: Int?, index: Int) -> [String] {
        guard let read else { return [] }
        return paths.compactMap { path in
            let isOfFeed = item == nil || path.hasPrefix("^")
            let names = path.drop { $0 == "^" }.split(separator: ".").map { $0 == "#" ? "\(index)" : String($0) }
            if isOfFeed { return ReadFeed.text(read.meta, names) }
            guard let item, item < read.bodies.count else { return nil }
            return ReadFeed.text(read.bodies[item], names)
        }
    }
}

extension JSONDocument {
    /// The input of a corpus's case, whichever form it has.
    var inputBytes: [UInt8] {
        if let text = member("input").flatMap({ string(of: $0) }) { return text }
        let base64 = member("input_base64").flatMap { string(of: $0) } ?? []
        let url = base64.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return Base64URL.decode(url) ?? []
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
