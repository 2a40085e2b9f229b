import RefreshCore

/// The header fields of a request that the daemon looks at, collected in one walk over all of them.
struct RequestHead: Equatable {
    var hosts: [[UInt8]] = []
    var contentLengths: [[UInt8]] = []
    var transferEncodings: [[UInt8]] = []
    var contentType: [UInt8]?
    var ifNoneMatch: [UInt8]?
    /// A browser sent it for a page of somebody: the page must not reach through to the daemon.
    var isFromBrowserPage = false

    init() {}

    mutating func add(name: some Collection<UInt8>, value: some Sequence<UInt8>) {
        // The length rules nearly every field out before its letters are compared.
        switch name.count {
        case 4 where matches(name, "host"): hosts.append(Array(value))
        case 6 where matches(name, "origin"): isFromBrowserPage = true
        case 7 where matches(name, "referer"): isFromBrowserPage = true
        case 12 where matches(name, "content-type"): contentType = Array(value)
        case 13 where matches(name, "if-none-match"):
            // Several fields of a list are one list (RFC 9110, 5.3).
            ifNoneMatch = ifNoneMatch.map { $0 + [0x2C] + Array(value) } ?? Array(value)
        case 14 where matches(name, "content-length"): contentLengths.append(Array(value))
        case 17 where matches(name, "transfer-encoding"): transferEncodings.append(Array(value))
        default: break
        }
    }

    private func matches(_ name: some Collection<UInt8>, _ wanted: StaticString) -> Bool {
        unsafe ASCII.equalIgnoringCase(
            name, UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount))
    }
}
