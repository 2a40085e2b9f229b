import CXML2
import Glibc

/// Reads XML with libxml2's SAX2 interface: no tree, no DTD, no network, no entities but the five.
enum SAXParser {
    /// The first thing that was wrong.
    struct Fault: Equatable {
        let line: Int
        let what: String
    }

    /// Sends the events of `bytes` to `builder` until the end, a fault or the builder's own stop.
    ///
    /// - Parameter tolerant: go on behind what is ill-formed, as far as libxml2 can.
    /// - Returns: the first fault; nil for a well-formed document.
    static func parse(
        _ bytes: ArraySlice<UInt8>, into builder: inout FeedBuilder, tolerant: Bool, isUTF8: Bool
    ) throws(FormatFailure) -> Fault? {
        _ = LibXML.prepared
        guard bytes.count <= Int32.max else { throw .tooLarge(bytes: bytes.count) }
        let sections = try TagScan.check(bytes, isStrict: !tolerant)
        let cut = tolerant ? nil : CDATACut(bytes, found: sections)
        // The parser takes a copy of the bytes.
        let context = unsafe (cut?.text[...] ?? bytes).withUnsafeBytes { buffer in
            unsafe xmlCreateMemoryParserCtxt(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(truncatingIfNeeded: buffer.count))
        }
        guard let context = unsafe context else { throw .outOfMemory }
        return unsafe bytes.withUnsafeBufferPointer { original in
            unsafe withUnsafeMutablePointer(to: &builder) { builder in
                var session = unsafe SAXSession(context: context, builder: builder)
                // Sections count from the start of the slice's own buffer.
                let places = (cut?.sections ?? []).map {
                    ($0.lowerBound - bytes.startIndex)..<($0.upperBound - bytes.startIndex)
                }
                unsafe session.cut = SAXSession.Cut(original: original, places: places)
                return unsafe withUnsafeMutablePointer(to: &session) { session in
                    unsafe SAXSession.run(session, tolerant: tolerant, isUTF8: isUTF8)
                }
            }
        }
    }
}

/// One run of the parser, and what its callbacks find the builder by.
///
/// Callbacks come for every tag, so this is no object: counting references and checking accesses would cost more
/// than most of them do.
@safe private struct SAXSession: ~Copyable {
    let builder: UnsafeMutablePointer<FeedBuilder>
    private let context: xmlParserCtxtPtr
    private var fault: SAXParser.Fault?
    private var declarations = 0
    /// What was taken out of the document.
    var cut = unsafe Cut()

    @unsafe struct Cut {
        var original = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        var places: [Range<Int>] = []
    }

    init(context: xmlParserCtxtPtr, builder: UnsafeMutablePointer<FeedBuilder>) {
        unsafe self.context = context
        unsafe self.builder = builder
    }

    deinit {
        if let document = unsafe context.pointee.myDoc { unsafe xmlFreeDoc(document) }
        unsafe xmlFreeParserCtxt(context)
    }

    /// Runs by way of a pointer, which the callbacks use meanwhile.
    static func run(
        _ session: UnsafeMutablePointer<SAXSession>, tolerant: Bool, isUTF8: Bool
    ) -> SAXParser.Fault? {
        let context = unsafe session.pointee.context
        guard let sax = unsafe context.pointee.sax else { return nil }
        unsafe sax.pointee = handlers()
        unsafe context.pointee.userData = UnsafeMutableRawPointer(session)
        var options = Int32(bitPattern: XML_PARSE_NONET.rawValue)
        if tolerant { options |= Int32(bitPattern: XML_PARSE_RECOVER.rawValue) }
        if isUTF8 { options |= Int32(bitPattern: XML_PARSE_IGNORE_ENC.rawValue) }
        // What it gives back are the options that it does not know: none of these.
        _ = unsafe xmlCtxtUseOptions(context, options)
        let isWell = unsafe xmlParseDocument(context) == 0
        if unsafe isWell || session.pointee.builder.pointee.failure != nil { return nil }
        return unsafe session.pointee.fault
            ?? SAXParser.Fault(line: session.pointee.line, what: "the document is not well-formed")
    }

    private static func handlers() -> xmlSAXHandler {
        var handlers = unsafe xmlSAXHandler()
        unsafe handlers.initialized = XML_SAX2_MAGIC
        unsafe handlers.startElementNs = startElement
        unsafe handlers.endElementNs = endElement
        unsafe handlers.characters = characters
        unsafe handlers.ignorableWhitespace = characters
        unsafe handlers.cdataBlock = characters
        unsafe handlers.processingInstruction = cutSection
        unsafe handlers.attributeDecl = declareAttribute
        unsafe handlers.serror = structuredError
        return unsafe handlers
    }

    var line: Int { unsafe Int(xmlSAX2GetLineNumber(UnsafeMutableRawPointer(context))) }

    func stopIfAsked() {
        if unsafe builder.pointee.failure != nil { unsafe xmlStopParser(context) }
    }

    /// Counts an attribute that the document type declares for an element.
    mutating func declare() {
        declarations += 1
        if declarations > LibXML.declarationLimit {
            refuse("more than \(LibXML.declarationLimit) declared attributes")
        }
    }

    func checkNamespaces() {
        if unsafe Int(context.pointee.nsNr) / 2 > LibXML.namespaceLimit {
            refuse("more than \(LibXML.namespaceLimit) namespaces at one place")
        }
    }

    /// Hands on the section with the number `name`.
    mutating func section(_ name: String) {
        guard let number = Int(name.prefix { $0.isNumber }), unsafe cut.places.indices.contains(number) else {
            return
        }
        guard unsafe context.pointee.nameNr > 0 else {
            // Outside of the root an instruction may stand, and a section not.
            note(line: line, "text outside of the document's element")
            unsafe context.pointee.wellFormed = 0
            unsafe xmlStopParser(context)
            return
        }
        unsafe builder.pointee.text(UnsafeBufferPointer(rebasing: cut.original[cut.places[number]]))
    }

    private func refuse(_ what: String) {
        unsafe builder.pointee.fail(.xmlRefused(line: line, what: what))
        stopIfAsked()
    }

    mutating func note(line: Int, _ message: @autoclosure () -> String) {
        if fault == nil { fault = SAXParser.Fault(line: line, what: message()) }
    }
}

// MARK: - Callbacks: file-level functions, called on the thread that parses

private func session(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<SAXSession>? {
    unsafe pointer?.assumingMemoryBound(to: SAXSession.self)
}

private func startElement(
    _ context: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?, _ namespaceCount: Int32,
    _ namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int32, _ defaulted: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let session = unsafe session(context), let local = unsafe local else { return }
    // Attributes that a DTD adds come last; they are not in the tag, and a small document can have large ones.
    let written = unsafe XMLAttributes(
        pointers: attributes, count: Int(count - defaulted), declarations: namespaces,
        declarationCount: Int(namespaceCount))
    let name = unsafe XMLName(local: local, prefix: prefix, uri: uri)
    unsafe session.pointee.checkNamespaces()
    unsafe session.pointee.builder.pointee.open(name, written, line: session.pointee.line)
    unsafe session.pointee.stopIfAsked()
}

private func endElement(
    _ context: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
) {
    guard let session = unsafe session(context) else { return }
    unsafe session.pointee.builder.pointee.close(line: session.pointee.line)
    unsafe session.pointee.stopIfAsked()
}

private func characters(
    _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32
) {
    guard let session = unsafe session(context), let text = unsafe text else { return }
    unsafe session.pointee.builder.pointee.text(UnsafeBufferPointer(start: text, count: Int(count)))
}

private func cutSection(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<xmlChar>?, _ data: UnsafePointer<xmlChar>?
) {
    guard let session = unsafe session(context), unsafe !session.pointee.cut.places.isEmpty,
        let target = unsafe target, let data = unsafe data,
        unsafe strcmp(
            UnsafeRawPointer(target).assumingMemoryBound(to: CChar.self), CDATACut.target) == 0
    else { return }
    unsafe session.pointee.section(String(decodingCString: data, as: UTF8.self))
}

private func declareAttribute(
    _ context: UnsafeMutableRawPointer?, _ element: UnsafePointer<xmlChar>?, _ name: UnsafePointer<xmlChar>?,
    _ type: Int32, _ presence: Int32, _ value: UnsafePointer<xmlChar>?, _ values: xmlEnumerationPtr?
) {
    unsafe xmlFreeEnumeration(values)
    unsafe session(context)?.pointee.declare()
}

private func structuredError(_ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<xmlError>?) {
    guard let session = unsafe session(context), let error = unsafe error,
        unsafe error.pointee.level != XML_ERR_WARNING
    else { return }
    let message = unsafe error.pointee.message
    unsafe session.pointee.note(
        line: Int(error.pointee.line),
        message.map { unsafe String(cString: $0) }?.split(separator: "\n").first.map(String.init)
            ?? "unknown fault")
}
