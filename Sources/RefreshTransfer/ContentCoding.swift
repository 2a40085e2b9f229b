import RefreshCore

/// What the body of an answer is wrapped in (RFC 9110, 8.4.1).
enum ContentCoding: Equatable, Sendable {
    case identity
    case gzip

    /// What the head says; layers and any coding that was not asked for are refused (threat T-U2).
    init(_ headers: HTTPHeaders) throws(TransferFailure) {
        let codings = headers.all("content-encoding")
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { ASCII.trimmed($0).map(ASCII.lowercased) }
            .filter { !$0.isEmpty && !$0.elementsEqual("identity".utf8) }
        guard let coding = codings.first else {
            self = .identity
            return
        }
        let isGzip = coding.elementsEqual("gzip".utf8) || coding.elementsEqual("x-gzip".utf8)
        guard isGzip, codings.count == 1 else {
            let names = codings.map { String(decoding: $0.prefix(40), as: UTF8.self) }
            throw .unsupportedCoding(names.prefix(4).joined(separator: ", "))
        }
        self = .gzip
    }

    /// Whether `body` is packed.
    func unpacks(_ body: [UInt8]) -> Bool { !body.isEmpty && (self == .gzip || Gunzip.isGzip(body[...])) }

    /// The content of `body`, of at most `limit` bytes.
    ///
    /// A body that begins as gzip does is taken for gzip whatever the head says: no format that is read here
    /// begins so, and files that are stored compressed are often served without a word.
    func decode(_ body: consuming [UInt8], limit: ByteCount) throws(TransferFailure) -> [UInt8] {
        guard self == .gzip || Gunzip.isGzip(body[...]) else {
            guard body.count <= limit.bytes else { throw .tooLargeDecoded(limit: limit) }
            return body
        }
        // Some servers name the coding of a body that they do not send.
        return body.isEmpty ? body : try Gunzip.decode(body, limit: limit)
    }
}
