import RefreshCore

/// Takes a parser's events and makes of them a feed and its entries; has the lifetime of one reading.
struct FeedBuilder {
    /// Elements that hold others of their own kind.
    enum Container { case document, rss, rdf, feed, item, person, image, skips, source, media, category }

    /// What is done with an open element and what stands in it.
    enum Kind {
        case container(Container)
        case text(Field, TextConstruct.Form)
        /// An element within a text: markup. The name is nil where the tag is not written.
        case markup(name: [UInt8]?)
        /// Told of among the extensions, and by nothing else.
        case note
        case ignored
    }

    struct Frame {
        let kind: Kind
        /// The element's place among the extensions; -1 where it has none.
        var note = -1
    }

    /// Whose members are being read.
    enum Place { case feed, item, source }

    /// Brackets of XML open at a time.
    static let depthLimit = 256
    static let attributeLimit = 1_000
    /// Bytes of all records of one document.
    static let textLimit = ByteCount.mebibytes(64)

    let itemLimit: Int
    var feed = FeedDraft()
    var item = ItemDraft()
    /// The feed that an entry was taken from.
    var source = FeedDraft()
    var place = Place.feed
    var person = FeedPerson()
    /// The file whose element is open.
    var openEnclosure: Int?
    private(set) var deletions: [DeletedEntry] = []
    var base: LinkBase
    var items: ItemShelf
    private(set) var warnings: [SyndicationWarning] = []
    /// Why reading ends before the document does.
    private(set) var failure: FormatFailure?

    private(set) var frames: [Frame] = [Frame(kind: .container(.document))]
    var vocabulary = FeedVocabulary()
    /// The attribute that belongs to the text being read.
    var companion: [UInt8] = []
    var companionLabel: [UInt8] = []
    private var data: [UInt8] = []
    private var markup: [UInt8]?
    private(set) var line = 0

    init(base: WebURL?, itemLimit: Int) {
        self.base = LinkBase(document: base)
        self.itemLimit = itemLimit
        items = ItemShelf()
    }

    /// Whether a root of a known kind was seen.
    var hasRoot: Bool { !feed.format.isEmpty }

    mutating func fail(_ failure: FormatFailure) { self.failure = self.failure ?? failure }

    /// Each kind of warning once, at its first line.
    mutating func warn(_ code: SyndicationWarning.Code, line: Int? = nil) {
        if !warnings.contains(where: { $0.code == code }) {
            warnings.append(SyndicationWarning(code, line: line))
        }
    }

    // MARK: - Events

    mutating func open(_ name: XMLName, _ attributes: XMLAttributes, line: Int) {
        self.line = line
        guard frames.count <= FeedBuilder.depthLimit else {
            return fail(.xmlRefused(line: line, what: "more than \(FeedBuilder.depthLimit) open elements"))
        }
        guard attributes.count <= FeedBuilder.attributeLimit else {
            return fail(.xmlRefused(line: line, what: "more than \(FeedBuilder.attributeLimit) attributes"))
        }
        base.enter(attributes.value("base", prefix: "xml"), depth: frames.count)
        let top = frames[frames.count - 1]
        var frame = Frame(kind: .ignored)
        switch top.kind {
        case .text(let field, let form):
            // What is no text for people is taken without its children.
            if field.isText {
                frame = Frame(kind: openMarkup(name, attributes, isOutermost: true, form))
            }
        case .markup: frame = Frame(kind: openMarkup(name, attributes, isOutermost: false, .plain))
        case .container(let container): frame = open(name, attributes, in: container, parent: top.note)
        case .note:
            if top.note >= 0 { flushNote(top.note) }
            frame = openNote(vocabulary.entry(for: name, isRoot: false), attributes, in: top.note)
        case .ignored: break
        }
        switch frame.kind {
        case .text, .note:
            data.removeAll(keepingCapacity: true)
            markup = nil
        case .container, .markup, .ignored: break
        }
        frames.append(frame)
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch frames[frames.count - 1].kind {
        case .text, .markup, .note:
            unsafe data.append(contentsOf: bytes)
            if markup != nil { unsafe FeedBuilder.escape(bytes, to: &markup) }
        case .container, .ignored: break
        }
    }

    mutating func close(line: Int) {
        self.line = line
        guard frames.count > 1, let frame = frames.popLast() else { return }
        switch frame.kind {
        case .text(let field, let form):
            if frame.note >= 0 { flushNote(frame.note, keepsText: true) }
            finish(field, form)
        case .markup(let name?): markup?.append(contentsOf: Array("</".utf8) + name + Array(">".utf8))
        case .note: if frame.note >= 0 { flushNote(frame.note) }
        case .container(let container): leave(container)
        case .markup(nil), .ignored: break
        }
        if frame.note >= 0 { closeNote(frame.note) }
        base.leave(depth: frames.count)
    }

    /// Gives the extension at `note` the text that was read of it.
    private mutating func flushNote(_ note: Int, keepsText: Bool = false) {
        if !data.isEmpty { appendText(data, toNote: note) }
        if !keepsText { data.removeAll(keepingCapacity: true) }
    }

    /// The entry whose extensions are open was put down before its end.
    mutating func forgetNotes() {
        for index in frames.indices { frames[index].note = -1 }
    }

    mutating func delete(_ entry: DeletedEntry) {
        if deletions.count < itemLimit { deletions.append(entry) }
    }

    // MARK: - Texts

    private mutating func finish(_ field: Field, _ form: TextConstruct.Form) {
        if field.isText {
            var text = TextConstruct(data, markup: markup, form: form)
            if !text.html.isEmpty { text.resolve(against: base) }
            set(field, text)
        } else {
            set(field, data.trimmedCopy)
        }
        markup = nil
    }

    private mutating func openMarkup(
        _ name: XMLName, _ attributes: XMLAttributes, isOutermost: Bool, _ form: TextConstruct.Form
    ) -> Kind {
        if markup == nil {
            markup = []
            unsafe data.withUnsafeBufferPointer { unsafe FeedBuilder.escape($0, to: &markup) }
        }
        let isHTML = name.namespace.map { FeedNamespace(uri: $0) == .xhtml } ?? true
        // Atom wraps its XHTML in a div that is not part of it (RFC 4287, 3.1.1.3).
        if isOutermost, form == .inline, name.local == "div", feed.format != "atom03" {
            return .markup(name: nil)
        }
        let tag = Array((isHTML ? name.local : name.prefix.map { "\($0):\(name.local)" } ?? name.local).utf8)
        markup?.append(UInt8(ascii: "<"))
        markup?.append(contentsOf: tag)
        for index in 0..<attributes.count {
            markup?.append(UInt8(ascii: " "))
            markup?.append(contentsOf: attributes.name(at: index))
            markup?.append(contentsOf: "=\"".utf8)
            unsafe attributes.value(at: index).withUnsafeBufferPointer { value in
                unsafe FeedBuilder.escape(value, to: &markup)
            }
            markup?.append(UInt8(ascii: "\""))
        }
        markup?.append(UInt8(ascii: ">"))
        return .markup(name: FeedBuilder.voidElements.contains(name.local) ? nil : tag)
    }

    private static func escape(_ text: UnsafeBufferPointer<UInt8>, to markup: inout [UInt8]?) {
        for index in 0..<text.count {
            let byte = unsafe text[index]
            switch byte {
            case UInt8(ascii: "&"): markup?.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): markup?.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): markup?.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): markup?.append(contentsOf: "&quot;".utf8)
            default: markup?.append(byte)
            }
        }
    }

    /// Elements of HTML that have no end tag.
    private static let voidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
}
