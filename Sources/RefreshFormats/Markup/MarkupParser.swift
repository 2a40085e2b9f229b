import CXML2
import RefreshCore

/// Reads XML or HTML into a tree: no DTD, no network, no entities but the five of XML and the named ones of HTML.
///
/// XML has to be well-formed. HTML is read as far as it goes.
enum MarkupParser {
    /// The tree of `text`, which is UTF-8; the caller frees it. How large it is comes in `nodes`.
    @unsafe static func tree(
        of text: ArraySlice<UInt8>, isHTML: Bool, limits: MarkupLimits, nodes: inout Int
    ) throws(FormatFailure) -> xmlDocPtr {
        _ = LibXML.prepared
        guard let size = Int32(exactly: text.count) else { throw .tooLarge(bytes: text.count) }
        if let start = TagScan.excess(in: text, isHTML: isHTML) {
            let line = text[..<start].count { $0 == 0x0A } + 1
            let what = "more than \(TagScan.attributeLimit) attributes of one element"
            throw isHTML ? .htmlRefused(line: line, what: what) : .xmlRefused(line: line, what: what)
        }
        var session = MarkupSession(isHTML: isHTML, limits: limits)
        let made = unsafe isHTML ? htmlNewParserCtxt() : xmlNewParserCtxt()
        guard let context = unsafe made else { throw .outOfMemory }
        defer { unsafe xmlFreeParserCtxt(context) }
        let tree = unsafe withUnsafeMutablePointer(to: &session) { session in
            unsafe context.pointee._private = UnsafeMutableRawPointer(session)
            return unsafe text.withUnsafeBytes { buffer in
                let bytes = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                return unsafe isHTML ? html(context, bytes, size) : xml(context, bytes, size)
            }
        }
        nodes = session.nodes
        if let failure = session.failure {
            unsafe xmlFreeDoc(tree)
            throw failure
        }
        guard let tree = unsafe tree else {
            let what = "the document is \(isHTML ? "empty" : "not well-formed")"
            throw isHTML ? .htmlRefused(line: 1, what: what) : .xmlInvalid(line: 1, what: what)
        }
        return unsafe tree
    }

    private static func xml(
        _ context: xmlParserCtxtPtr, _ bytes: UnsafePointer<CChar>?, _ size: Int32
    ) -> xmlDocPtr? {
        guard let sax = unsafe context.pointee.sax else { return nil }
        unsafe sax.pointee.startElementNs = startElement
        unsafe sax.pointee.serror = noteError
        // Nothing is declared, nothing is loaded, and what is not one of the five is refused.
        unsafe sax.pointee.getEntity = knownEntity
        unsafe sax.pointee.getParameterEntity = noEntity
        unsafe sax.pointee.entityDecl = nil
        unsafe sax.pointee.unparsedEntityDecl = nil
        unsafe sax.pointee.notationDecl = nil
        unsafe sax.pointee.elementDecl = nil
        unsafe sax.pointee.attributeDecl = countDeclaration
        unsafe sax.pointee.internalSubset = nil
        unsafe sax.pointee.externalSubset = nil
        unsafe sax.pointee.resolveEntity = nil
        unsafe sax.pointee.reference = nil
        // XPath knows no CDATA: it is text, and belongs to the text beside it.
        unsafe sax.pointee.cdataBlock = sax.pointee.characters
        unsafe sax.pointee.comment = addComment
        unsafe sax.pointee.processingInstruction = addInstruction
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_COMPACT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        return unsafe xmlCtxtReadMemory(
            context, bytes, size, nil, "UTF-8", Int32(bitPattern: options))
    }

    private static func html(
        _ context: xmlParserCtxtPtr, _ bytes: UnsafePointer<CChar>?, _ size: Int32
    ) -> xmlDocPtr? {
        guard let sax = unsafe context.pointee.sax else { return nil }
        unsafe sax.pointee.startElement = startHTMLElement
        unsafe sax.pointee.comment = addComment
        unsafe sax.pointee.processingInstruction = addInstruction
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_COMPACT.rawValue
            | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        return unsafe htmlCtxtReadMemory(
            context, bytes, size, nil, "UTF-8", Int32(bitPattern: options))
    }
}

/// What is watched while a tree grows; the callbacks find it by the context.
private struct MarkupSession {
    let isHTML: Bool
    let limits: MarkupLimits
    private(set) var nodes = 0
    private var declarations = 0
    private(set) var failure: FormatFailure?

    init(isHTML: Bool, limits: MarkupLimits) {
        self.isHTML = isHTML
        self.limits = limits
    }

    mutating func fail(_ failure: FormatFailure) {
        if self.failure == nil { self.failure = failure }
    }

    mutating func refuse(line: Int, _ what: String) {
        fail(isHTML ? .htmlRefused(line: line, what: what) : .xmlRefused(line: line, what: what))
    }

    /// Attributes that a document type declares are added to every element and compared with each other there.
    private static let declarationLimit = 64

    /// Whether one more attribute may be declared.
    mutating func allowsDeclaration(line: Int) -> Bool {
        declarations += 1
        if declarations > MarkupSession.declarationLimit {
            refuse(line: line, "more than \(MarkupSession.declarationLimit) declared attributes")
        }
        return failure == nil
    }

    /// Whether one more element with `attributes` at `depth` is allowed.
    mutating func allows(attributes: Int, depth: Int, namespaces: Int, line: Int) -> Bool {
        nodes += 1 + attributes
        if depth >= limits.depth {
            refuse(line: line, "more than \(limits.depth) elements within each other")
        } else if nodes > limits.nodes {
            refuse(line: line, "more than \(limits.nodes) elements and attributes")
        } else if namespaces > limits.namespaces {
            refuse(line: line, "more than \(limits.namespaces) namespaces at one place")
        }
        return failure == nil
    }
}

// MARK: - Callbacks: file-level functions, called on the thread that parses

/// The parser's context and the session that belongs to it.
@unsafe private struct Caller {
    let context: xmlParserCtxtPtr
    let session: UnsafeMutablePointer<MarkupSession>

    init?(_ pointer: UnsafeMutableRawPointer?) {
        guard let context = unsafe pointer?.assumingMemoryBound(to: xmlParserCtxt.self),
            let session = unsafe context.pointee._private?.assumingMemoryBound(to: MarkupSession.self)
        else { return nil }
        unsafe self.context = context
        unsafe self.session = session
    }

    var line: Int { unsafe Int(xmlSAX2GetLineNumber(UnsafeMutableRawPointer(context))) }

    /// Whether an element may be added; the parser is stopped where it may not.
    func allows(attributes: Int) -> Bool {
        let isAllowed = unsafe session.pointee.allows(
            attributes: attributes, depth: Int(context.pointee.nodeNr),
            namespaces: Int(context.pointee.nsNr) / 2, line: line)
        if !isAllowed { unsafe xmlStopParser(context) }
        return isAllowed
    }
}

private func startElement(
    _ pointer: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?, _ namespaceCount: Int32,
    _ namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int32, _ defaulted: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    // Attributes that a DTD adds come last; they are not in the tag, and a small document can have large ones.
    let written = count - defaulted
    guard let caller = unsafe Caller(pointer), unsafe caller.allows(attributes: Int(written)) else { return }
    unsafe xmlSAX2StartElementNs(
        pointer, local, prefix, uri, namespaceCount, namespaces, written, 0, attributes)
}

private func startHTMLElement(
    _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    // Names and values in turn, and nil behind the last.
    var count = 0
    while let attributes = unsafe attributes, unsafe attributes[count] != nil { count += 2 }
    guard let caller = unsafe Caller(pointer), unsafe caller.allows(attributes: count / 2) else { return }
    unsafe xmlSAX2StartElement(pointer, name, attributes)
}

private func addComment(_ pointer: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?) {
    guard let caller = unsafe Caller(pointer), unsafe caller.allows(attributes: 0) else { return }
    unsafe xmlSAX2Comment(pointer, text)
}

private func addInstruction(
    _ pointer: UnsafeMutableRawPointer?, _ target: UnsafePointer<xmlChar>?, _ text: UnsafePointer<xmlChar>?
) {
    guard let caller = unsafe Caller(pointer), unsafe caller.allows(attributes: 0) else { return }
    unsafe xmlSAX2ProcessingInstruction(pointer, target, text)
}

private func countDeclaration(
    _ pointer: UnsafeMutableRawPointer?, _ element: UnsafePointer<xmlChar>?, _ name: UnsafePointer<xmlChar>?,
    _ type: Int32, _ presence: Int32, _ value: UnsafePointer<xmlChar>?, _ values: xmlEnumerationPtr?
) {
    unsafe xmlFreeEnumeration(values)
    guard let caller = unsafe Caller(pointer) else { return }
    let line = unsafe caller.line
    if unsafe !caller.session.pointee.allowsDeclaration(line: line) { unsafe xmlStopParser(caller.context) }
}

private func knownEntity(
    _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?
) -> xmlEntityPtr? {
    if let known = unsafe xmlGetPredefinedEntity(name) { return unsafe known }
    // A declaration asks too, whether it is the first of its name.
    if let caller = unsafe Caller(pointer), unsafe caller.context.pointee.inSubset == 0 {
        let text = unsafe name.map { unsafe String(decodingCString: $0, as: UTF8.self) } ?? ""
        let line = unsafe caller.line
        unsafe caller.session.pointee.refuse(
            line: line, "the entity &\(text.prefix(40)); is none of the five of XML")
        unsafe xmlStopParser(caller.context)
    }
    return nil
}

private func noEntity(_ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
    nil
}

private func noteError(_ pointer: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<xmlError>?) {
    guard let caller = unsafe Caller(pointer), let error = unsafe error,
        unsafe error.pointee.level != XML_ERR_WARNING
    else { return }
    // A namespace that is no URI or a prefix without one do no harm to the tree.
    if unsafe error.pointee.domain == Int32(XML_FROM_NAMESPACE.rawValue),
        unsafe error.pointee.level != XML_ERR_FATAL
    {
        return
    }
    let line = unsafe Int(error.pointee.line)
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) }
    let what = message?.split(separator: "\n").first.map { String($0.prefix(200)) } ?? "unknown fault"
    unsafe caller.session.pointee.fail(.xmlInvalid(line: line, what: what))
    unsafe xmlStopParser(caller.context)
}
