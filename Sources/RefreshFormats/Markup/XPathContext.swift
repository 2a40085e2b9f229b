import CXML2
import Glibc
import RefreshCore

/// A document, if any, and libxml2's place of evaluation in it: prefixes, limits and the last error.
@safe struct XPathContext: ~Copyable {
    private let handle: xmlXPathContextPtr
    private let tree: xmlDocPtr?
    private let budget: XPathBudget

    /// Without a document, to check by. Nil where memory is refused.
    init?(namespaces: [Namespace]) {
        unsafe self.init(owning: nil, nodes: 0, namespaces: namespaces, limits: MarkupLimits())
    }

    /// - Parameters:
    ///   - tree: is freed with the context, or at once where there is none.
    ///   - nodes: how large it is.
    @unsafe init?(owning tree: xmlDocPtr?, nodes: Int, namespaces: [Namespace], limits: MarkupLimits) {
        _ = LibXML.prepared
        guard let made = unsafe xmlXPathNewContext(tree) else {
            unsafe xmlFreeDoc(tree)
            return nil
        }
        unsafe handle = made
        unsafe self.tree = unsafe tree
        budget = XPathBudget(nodes: nodes, limits: limits)
        // Nodes know their place from now on, so that sets are sorted fast. The count is of no use.
        if let tree = unsafe tree { _ = unsafe xmlXPathOrderDocElems(tree) }
        unsafe handle.pointee.error = ignoreError
        // Objects are used again for the next row.
        _ = unsafe xmlXPathContextSetCache(handle, 1, -1, 0)
        for namespace in namespaces {
            // Fails without memory only, and then the prefix is unknown.
            _ = unsafe xmlXPathRegisterNs(handle, namespace.prefix, namespace.uri)
        }
    }

    deinit {
        // Sets of nodes look at the document once more while they are freed.
        unsafe xmlXPathFreeContext(handle)
        unsafe xmlFreeDoc(tree)
    }

    /// Where absolute and relative paths of the whole document start.
    @unsafe var document: xmlNodePtr? {
        unsafe tree.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: xmlNode.self) }
    }

    /// Steps that are left for all that is evaluated from now on.
    func allow(steps: UInt) { budget.left = steps }

    func check(_ text: String) throws(XPath.Failure) {
        unsafe xmlResetError(&handle.pointee.lastError)
        if let compiled = unsafe xmlXPathCtxtCompile(handle, text) {
            unsafe xmlXPathFreeCompExpr(compiled)
        } else {
            throw XPath.Failure(offset: unsafe Int(handle.pointee.lastError.int1), message: message)
        }
    }

    func compiled(_ text: String) throws(FormatFailure) -> XPathExpression {
        unsafe xmlResetError(&handle.pointee.lastError)
        guard let compiled = unsafe xmlXPathCtxtCompile(handle, text) else {
            throw .xpathFailed(path: text, what: message)
        }
        return unsafe XPathExpression(text: text, owning: compiled)
    }

    /// The value of `expression` at `node`.
    @unsafe func value(
        of expression: XPathExpression, at node: xmlNodePtr?
    ) throws(FormatFailure) -> XPathValue {
        let steps = try budget.steps(for: expression)
        unsafe handle.pointee.opLimit = steps
        unsafe handle.pointee.opCount = 0
        defer { budget.take(unsafe handle.pointee.opCount, for: expression) }
        unsafe handle.pointee.node = node
        unsafe handle.pointee.proximityPosition = 1
        unsafe handle.pointee.contextSize = 1
        unsafe xmlResetError(&handle.pointee.lastError)
        guard let value = unsafe xmlXPathCompiledEval(expression.compiled, handle) else {
            throw .xpathFailed(path: expression.text, what: message)
        }
        return unsafe XPathValue(value)
    }

    /// The last error in a few words.
    private var message: String {
        let code = unsafe Int(handle.pointee.lastError.code) - Int(XML_XPATH_EXPRESSION_OK.rawValue)
        switch code {
        case Int(XPATH_OP_LIMIT_EXCEEDED.rawValue), Int(XPATH_RECURSION_LIMIT_EXCEEDED.rawValue):
            return "it takes more steps than are allowed"
        case Int(XPATH_UNDEF_PREFIX_ERROR.rawValue): return "a prefix is not in namespaces"
        case Int(XPATH_UNKNOWN_FUNC_ERROR.rawValue): return "a function is unknown"
        case Int(XPATH_INVALID_ARITY.rawValue): return "a function has too many or too few arguments"
        case Int(XPATH_INVALID_TYPE.rawValue): return "a function or operator needs nodes, not a value"
        case Int(XPATH_MEMORY_ERROR.rawValue): return "no memory"
        case Int(XPATH_UNFINISHED_LITERAL_ERROR.rawValue): return "a text without its closing quote"
        case Int(XPATH_UNCLOSED_ERROR.rawValue), Int(XPATH_INVALID_PREDICATE_ERROR.rawValue):
            return "a bracket is missing"
        default: return "this is no XPath 1.0"
        }
    }
}

/// What an expression gave; to be used before its document ends.
@safe struct XPathValue: ~Copyable {
    private let object: xmlXPathObjectPtr

    fileprivate init(_ object: xmlXPathObjectPtr) { unsafe self.object = object }

    deinit { unsafe xmlXPathFreeObject(object) }

    var isNodeSet: Bool { unsafe object.pointee.type == XPATH_NODESET }
    var isNumber: Bool { unsafe object.pointee.type == XPATH_NUMBER }
    var isBool: Bool { unsafe object.pointee.type == XPATH_BOOLEAN }
    var bool: Bool { unsafe object.pointee.boolval != 0 }

    var nodeCount: Int {
        guard isNodeSet, let set = unsafe object.pointee.nodesetval else { return 0 }
        return unsafe Int(set.pointee.nodeNr)
    }

    /// A node of the set, in the order of the document; nil for what is no node to start a path from.
    @unsafe func node(_ index: Int) -> xmlNodePtr? {
        guard index < nodeCount, let set = unsafe object.pointee.nodesetval,
            let node = unsafe set.pointee.nodeTab[index], unsafe node.pointee.type != XML_NAMESPACE_DECL
        else { return nil }
        return unsafe node
    }

    /// The text of a node of the set.
    func text(ofNode index: Int) -> [UInt8] {
        guard index < nodeCount, let set = unsafe object.pointee.nodesetval else { return [] }
        return unsafe XPathValue.taken(xmlXPathCastNodeToString(set.pointee.nodeTab[index]))
    }

    /// The text of the value, of a set that of its first node (XPath 1.0, 4.2, `string`).
    var text: [UInt8] { unsafe XPathValue.taken(xmlXPathCastToString(object)) }

    /// The number in decimal; nil for what is none, and for infinity.
    var number: [UInt8]? {
        let value = unsafe object.pointee.floatval
        return value.isFinite ? text : nil
    }

    /// Puts the nodes of the set into the order of the document.
    func sort() {
        if isNodeSet { unsafe xmlXPathNodeSetSort(object.pointee.nodesetval) }
    }

    private static func taken(_ text: UnsafeMutablePointer<xmlChar>?) -> [UInt8] {
        guard let text = unsafe text else { return [] }
        // What libxml2 allocates is freed as the C library's.
        defer { unsafe free(text) }
        let bytes = unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text)))
        if UTF8Check.firstFault(in: bytes[...]) == nil { return bytes }
        return Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
}

private func ignoreError(_ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<xmlError>?) {}
