/// Recognises a document's elements; each name is read as text once and then known by its interned pointer.
struct FeedVocabulary {
    /// An element as far as it is known.
    struct Entry {
        let element: FeedElement
        /// Which of `names` it has; nil for one that is not told of (XHTML, RDF, too many names).
        let name: Int?
        /// Of another vocabulary than the document's own: kept among the extensions whatever field it fills.
        let isForeign: Bool
        /// A prefix that was never declared was taken for what it usually means.
        let isGuessed: Bool
    }

    struct ExtensionName: Hashable {
        let prefix: [UInt8]
        let local: [UInt8]

        init(prefix: [UInt8], local: [UInt8]) {
            self.prefix = prefix
            self.local = local
        }

        init(prefix: String, local: String) {
            self.init(prefix: Array(prefix.utf8), local: Array(local.utf8))
        }
    }

    /// What the names without a prefix are of.
    private enum Native { case rss, atom }

    /// Names kept at most: a hostile document has many.
    private static let most = 1_024
    private var known: [XMLName.Identity: Entry] = [:]
    /// What was looked up last, by a few bits of the name: a document has few names and each of them often.
    private var recent: [(identity: XMLName.Identity, entry: Entry)?] = Array(repeating: nil, count: 64)
    /// Names with their usual prefixes.
    private(set) var names: [ExtensionName] = []
    private var numbers: [ExtensionName: Int] = [:]
    private var native = Native.rss
    /// The namespace of the root of an RSS or Atom document, in which its own elements then are.
    private var nativeURI: String?

    mutating func entry(for name: XMLName, isRoot: Bool) -> Entry {
        let identity = name.identity
        let slot = identity.slot(of: recent.count)
        if let found = recent[slot], found.identity == identity { return found.entry }
        let entry = known[identity] ?? firstSight(of: name, isRoot: isRoot)
        recent[slot] = (identity, entry)
        return entry
    }

    private mutating func firstSight(of name: XMLName, isRoot: Bool) -> Entry {
        if isRoot { settleNative(name) }
        let entry = look(up: name)
        if known.count < FeedVocabulary.most { known[name.identity] = entry }
        return entry
    }

    /// A root is judged by its name alone: namespaces of drafts, and none at all, are common.
    private mutating func settleNative(_ root: XMLName) {
        switch root.local.lowercased() {
        case "rss", "channel": nativeURI = root.namespace
        case "feed", "entry": (native, nativeURI) = (.atom, root.namespace)
        default: break
        }
    }

    private mutating func number(of name: ExtensionName) -> Int? {
        if let number = numbers[name] { return number }
        guard names.count < FeedVocabulary.most else { return nil }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }

    private mutating func look(up name: XMLName) -> Entry {
        let local = name.local
        let key = local.lowercased()
        let isGuessed = name.namespace == nil && name.prefix != nil
        guard let uri = name.namespace ?? name.prefix, uri != nativeURI else {
            return ownEntry(local, key, isGuessed: false)
        }
        guard let namespace = isGuessed ? FeedNamespace(rawValue: uri) : FeedNamespace(uri: uri) else {
            // A root of another kind has to be told apart all the same.
            let isPage = FeedVocabulary.rssElements[key] == .html
            let prefix = name.prefix ?? ""
            return Entry(
                element: isPage ? .html : .unknown,
                name: prefix.isEmpty ? nil : number(of: ExtensionName(prefix: prefix, local: local)),
                isForeign: true, isGuessed: isGuessed)
        }
        if namespace == .rss { return ownEntry(local, key, isGuessed: isGuessed) }
        if native == .atom, namespace == .atom || namespace == .atom03 {
            return ownEntry(local, key, isGuessed: isGuessed)
        }
        let isTold = namespace != .xhtml && namespace != .rdf && namespace != .svg && namespace != .mathml
        return Entry(
            element: FeedVocabulary.modules[namespace]?[key] ?? .unknown,
            name: isTold ? number(of: ExtensionName(prefix: namespace.prefix, local: local)) : nil,
            isForeign: true, isGuessed: isGuessed)
    }

    /// An element of the document's own vocabulary.
    private mutating func ownEntry(_ local: String, _ key: String, isGuessed: Bool) -> Entry {
        let isAtom = native == .atom
        let element = (isAtom ? FeedVocabulary.atomElements : FeedVocabulary.rssElements)[key]
        return Entry(
            element: element ?? .unknown,
            name: number(of: ExtensionName(prefix: isAtom ? "atom" : "rss", local: local)),
            isForeign: false, isGuessed: isGuessed)
    }
}
