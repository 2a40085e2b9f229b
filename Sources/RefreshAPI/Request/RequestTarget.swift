import RefreshCore

/// What a request asks for, decoded from the raw text of its first line.
///
/// libmicrohttpd hands its handler a path that is decoded already, in which the `%2F` of a key and a slash between
/// segments look alike.
struct RequestTarget: Equatable {
    enum Failure: Error { case malformed }

    struct Parameter: Equatable {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// The parts of the path between slashes, each decoded; empty for `/`.
    let segments: [[UInt8]]
    let parameters: [Parameter]
    /// Everything behind the question mark as it was sent.
    let rawQuery: ArraySlice<UInt8>
    /// The authority of a target in absolute form, which stands for the Host header (RFC 9112, 3.2.2).
    let authority: [UInt8]?

    init(_ raw: [UInt8]) throws(Failure) {
        let (authority, rest) = try RequestTarget.split(raw)
        self.authority = authority
        let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        segments = try RequestTarget.segments(of: rest[..<mark])
        rawQuery = mark == rest.endIndex ? [] : rest[(mark + 1)...]
        parameters = try RequestTarget.parameters(of: rawQuery)
    }

    private static func split(_ raw: [UInt8]) throws(Failure) -> ([UInt8]?, ArraySlice<UInt8>) {
        if raw.first == UInt8(ascii: "/") { return (nil, raw[...]) }
        let scheme = Array("http://".utf8)
        guard raw.count > scheme.count, ASCII.equalIgnoringCase(raw.prefix(scheme.count), scheme) else {
            throw .malformed
        }
        let rest = raw[scheme.count...]
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { throw .malformed }
        return (Array(rest[..<slash]), rest[slash...])
    }

    private static func segments(of path: ArraySlice<UInt8>) throws(Failure) -> [[UInt8]] {
        var segments: [[UInt8]] = []
        // Behind the slash that it begins with; `/` alone has none.
        var start = path.startIndex + 1
        guard start < path.endIndex else { return [] }
        for index in start...path.endIndex where index == path.endIndex || path[index] == UInt8(ascii: "/") {
            guard let segment = PercentCoding.decode(path[start..<index]) else { throw .malformed }
            segments.append(segment)
            start = index + 1
        }
        return segments
    }

    private static func parameters(of query: ArraySlice<UInt8>) throws(Failure) -> [Parameter] {
        var parameters: [Parameter] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let sign = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = PercentCoding.decode(part[..<sign], plusIsSpace: true),
                let value = PercentCoding.decode(
                    sign == part.endIndex ? [] : part[(sign + 1)...], plusIsSpace: true)
            else { throw .malformed }
            parameters.append(Parameter(name: name, value: value))
        }
        return parameters
    }
}
