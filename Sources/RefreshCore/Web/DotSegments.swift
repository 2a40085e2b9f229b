/// Resolves `.` and `..` in a path (RFC 3986, 5.2.4), also where their points are percent-encoded (6.2.2.2).
enum DotSegments {
    /// The path without them; it begins with a slash.
    static func removed(from path: [UInt8]) -> String {
        var kept: [ArraySlice<UInt8>] = []
        let body = path.first == 0x2F ? path.dropFirst() : path[...]
        let segments = body.split(separator: 0x2F, omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch points(in: segment) {
            case 1:
                // A dot segment at the end leaves its slash.
                if isLast { kept.append([]) }
            case 2:
                _ = kept.popLast()
                if isLast { kept.append([]) }
            default: kept.append(segment)
            }
        }
        var text: [UInt8] = []
        text.reserveCapacity(path.count)
        for segment in kept {
            text.append(0x2F)
            text.append(contentsOf: segment)
        }
        return text.isEmpty ? "/" : String(decoding: text, as: UTF8.self)
    }

    /// How many points `segment` consists of; nil where it holds anything else, or none, or more than two.
    private static func points(in segment: ArraySlice<UInt8>) -> Int? {
        var count = 0
        var rest = segment
        while let byte = rest.first {
            if byte == 0x2E {
                rest = rest.dropFirst()
            } else if rest.starts(with: [0x25, 0x32, 0x45]) {
                rest = rest.dropFirst(3)
            } else {
                return nil
            }
            count += 1
            if count > 2 { return nil }
        }
        return count == 0 ? nil : count
    }
}
