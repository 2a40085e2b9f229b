import RefreshCore

/// A JSON text that was checked in full (RFC 8259) and can be walked without a tree.
///
/// Numbers keep the text they came in, whatever their size; lone surrogates in escapes are legal here and refused
/// where a string is decoded. Where an object repeats a name, the last member counts, as in most readers of the
/// field, so that clients who parse the same text see the same value.
package struct JSONDocument: Sendable {
    /// As given; nodes' ranges are places in its storage.
    package let bytes: PaddedBytes
    private let tokens: [JSONToken]

    /// Checks `bytes`, of which a UTF-8 byte order mark is skipped, and refuses more than `depth` open brackets.
    package init(parsing bytes: PaddedBytes, depth: Int = 256) throws(FormatFailure) {
        let start = bytes.content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        try self.init(parsing: bytes, in: start..<bytes.count, depth: depth)
    }

    /// Checks the text at `range` of `bytes`: the whole content from there on, or a line of it.
    ///
    /// Behind the text stands white space or the padding.
    init(parsing bytes: PaddedBytes, in range: Range<Int>, depth: Int) throws(FormatFailure) {
        guard bytes.count <= Int(UInt32.max) - PaddedBytes.padding else {
            throw .tooLarge(bytes: bytes.count)
        }
        self.bytes = bytes
        guard bytes.storage[range].contains(where: { !JSONByte.isSpace($0) }) else {
            throw .jsonInvalid(offset: range.lowerBound, what: "there is no text")
        }
        tokens = try JSONDocument.tokens(of: bytes, in: range, depth: depth)
    }

    private static func tokens(
        of bytes: PaddedBytes, in range: Range<Int>, depth: Int
    ) throws(FormatFailure) -> [JSONToken] {
        let (start, end) = (range.lowerBound, range.upperBound)
        let read: Result<[JSONToken], FormatFailure> = unsafe bytes.storage.withUnsafeBufferPointer {
            buffer in
            guard let whole = buffer.baseAddress else { return .success([]) }
            do throws(StageOne.Failure) {
                return try unsafe StageOne.index(whole + start, count: end - start) { indexes in
                    unsafe check(whole, end, start, indexes, depth)
                }
            } catch {
                return .failure(
                    error == .outOfMemory ? .outOfMemory : JSONDiagnosis.failure(of: bytes.storage[range]))
            }
        }
        return try read.get()
    }

    private static func check(
        _ whole: UnsafePointer<UInt8>, _ length: Int, _ start: Int, _ indexes: UnsafeBufferPointer<UInt32>,
        _ depth: Int
    ) -> Result<[JSONToken], FormatFailure> {
        var failure: FormatFailure?
        let tokens = unsafe [JSONToken](unsafeUninitializedCapacity: indexes.count) { buffer, count in
            guard let room = buffer.baseAddress else { return }
            var grammar = unsafe JSONGrammar(
                bytes: whole, length: length, base: start, indexes: indexes, tokens: room, depth: depth)
            failure = grammar.check()
            // Every token was written, or the text is refused.
            count = failure == nil ? indexes.count : 0
        }
        return failure.map { .failure($0) } ?? .success(tokens)
    }

    // MARK: - Nodes

    /// The document's value.
    package var root: JSONNode { node(at: 0) }

    /// The node's text as received.
    package func text(of node: JSONNode) -> ArraySlice<UInt8> { bytes.storage[node.range] }

    func node(at place: Int) -> JSONNode {
        let token = tokens[place]
        let start = Int(token.start)
        let kind = kind(bytes.storage[start])
        let end = kind == .object || kind == .array ? Int(tokens[Int(token.end)].start) + 1 : Int(token.end)
        return JSONNode(kind: kind, range: start..<end, place: place)
    }

    var tokenCount: Int { tokens.count }

    /// The first byte of the token at `place`.
    func startByte(of place: Int) -> UInt8 { bytes.storage[Int(tokens[place].start)] }

    /// Whether a value starts at `place`: no closing bracket, colon or comma, and no member's name.
    func isValue(_ place: Int) -> Bool {
        switch startByte(of: place) {
        case JSONByte.closeObject, JSONByte.closeArray, JSONByte.comma, JSONByte.colon: false
        case JSONByte.quote: place + 1 == tokens.count || startByte(of: place + 1) != JSONByte.colon
        default: true
        }
    }

    /// The place of the first token behind the value at `place`.
    func placeBehind(_ place: Int) -> Int {
        let token = tokens[place]
        let byte = bytes.storage[Int(token.start)]
        return (byte == JSONByte.openObject || byte == JSONByte.openArray ? Int(token.end) : place) + 1
    }

    /// The place of the bracket that closes the container at `place`.
    func placeOfEnd(_ place: Int) -> Int { Int(tokens[place].end) }

    /// The text between the quotes of the string at `place`.
    func inside(_ place: Int) -> Range<Int> {
        Int(tokens[place].start) + 1..<Int(tokens[place].end) - 1
    }

    private func kind(_ byte: UInt8) -> JSONNode.Kind {
        switch byte {
        case JSONByte.openObject: .object
        case JSONByte.openArray: .array
        case JSONByte.quote: .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }
}
