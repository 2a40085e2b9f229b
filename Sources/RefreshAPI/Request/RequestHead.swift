import RefreshCore

/// The header fields of a request that the daemon looks at, collected in one walk over all of them.
struct RequestHead: Equatable {
    var hosts: [[UInt8]] = []
    var contentLengths: [[UInt8]] = []
    var transferEncodings: [[UInt8]] = []
    var contentType: [UInt8]?
    var ifNoneMatch: [UInt8]?
    var accept: [UInt8]?
    /// Where a broken stream is to go on (HTML standard, 9.2.4).
    var lastEventID: [UInt8]?
    /// A browser sent it for a page of somebody: the page must not reach through to the daemon.
    var isFromBrowserPage = false
    /// A field says where the request ends, for somebody who reads its name another way than we do.
    var hidesItsEnd = false

    init() {}

    /// Whether it says nothing that makes its answer another than that of any other request: no body, no condition.
    var isPlain: Bool {
        ifNoneMatch == nil && contentLengths.isEmpty && transferEncodings.isEmpty && !hidesItsEnd
    }

    mutating func add(name: Span<UInt8>, value: Span<UInt8>) {
        // The length rules nearly every field out before its letters are compared.
        switch name.count {
        case 4 where FieldName.host.matches(name): hosts.append(Array(copying: value))
        case 6 where FieldName.accept.matches(name): accept = Array(copying: value)
        case 6 where FieldName.origin.matches(name): isFromBrowserPage = true
        case 7 where FieldName.referer.matches(name): isFromBrowserPage = true
        case 12 where FieldName.contentType.matches(name): contentType = Array(copying: value)
        case 13 where FieldName.lastEventID.matches(name): lastEventID = Array(copying: value)
        case 13 where FieldName.ifNoneMatch.matches(name):
            // Several fields of a list are one list (RFC 9110, 5.3).
            let list = Array(copying: value)
            ifNoneMatch = ifNoneMatch.map { $0 + [0x2C] + list } ?? list
        case 14 where FieldName.contentLength.matches(name): contentLengths.append(Array(copying: value))
        case 17 where FieldName.transferEncoding.matches(name):
            transferEncodings.append(Array(copying: value))
        default: if FieldName.isDisguised(name) { hidesItsEnd = true }
        }
    }
}

/// The name of a field, to be compared with what a client wrote. Every request is compared with a handful of them, so
/// no generic code stands here.
private struct FieldName {
    static let host = FieldName("host")
    static let origin = FieldName("origin")
    static let referer = FieldName("referer")
    static let contentType = FieldName("content-type")
    static let ifNoneMatch = FieldName("if-none-match")
    static let accept = FieldName("accept")
    static let lastEventID = FieldName("last-event-id")
    static let contentLength = FieldName("content-length")
    static let transferEncoding = FieldName("transfer-encoding")

    private let letters: [UInt8]

    private init(_ name: String) { letters = Array(name.utf8) }

    /// Whether `name` is that of a length with something behind it. A space there (RFC 9112, 5.1) is taken off by some
    /// readers, and what libmicrohttpd finds on a folded line (5.2) it adds to the name.
    static func isDisguised(_ name: Span<UInt8>) -> Bool {
        contentLength.begins(name) || transferEncoding.begins(name)
    }

    private func begins(_ name: Span<UInt8>) -> Bool {
        guard name.count > letters.count else { return false }
        return letters.indices.allSatisfy { ASCII.lowercased(name[$0]) == letters[$0] }
    }

    /// Whether `name`, which is as long, is the same but for capitals (RFC 9110, 5.1).
    func matches(_ name: Span<UInt8>) -> Bool {
        for index in letters.indices where ASCII.lowercased(name[index]) != letters[index] { return false }
        return true
    }
}

extension [UInt8] {
    fileprivate init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}
