/// What an origin says of keeping its answer (`Cache-Control`, RFC 9111, 5.2.2), as far as it concerns a cache of one
/// program.
package struct CacheDirectives: Sendable, Equatable {
    /// The least of all that are given; zero where one is no number, since what is unclear is stale (4.2.1).
    package private(set) var maxAge: Duration?
    package private(set) var noStore = false
    /// Also where it names single fields, which may be read as naming all (5.2.2.4).
    package private(set) var noCache = false
    package private(set) var mustRevalidate = false
    /// `proxy-revalidate`, and `s-maxage`, which means it too (5.2.2.10): said to caches that programs share.
    package private(set) var sharedMustRevalidate = false
    /// RFC 5861, 3 and 4.
    package private(set) var staleWhileRevalidate: Duration?
    package private(set) var staleIfError: Duration?

    /// Reads all `Cache-Control` fields as one list; directives that are not known are skipped.
    package init(headers: HTTPHeaders) {
        for field in headers.all("cache-control") {
            for directive in CacheDirectives.split(Array(field.utf8)) { take(directive) }
        }
    }

    private mutating func take(_ directive: ArraySlice<UInt8>) {
        let name = directive.prefix { $0 != 0x3D }
        let value = name.endIndex < directive.endIndex ? directive[(name.endIndex + 1)...] : nil
        switch String(decoding: name.map(ASCII.lowercased), as: UTF8.self) {
        case "max-age":
            let age = CacheDirectives.seconds(value ?? [])
            maxAge = min(maxAge ?? age, age)
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate", "s-maxage": sharedMustRevalidate = true
        case "stale-while-revalidate": staleWhileRevalidate = CacheDirectives.seconds(value ?? [])
        case "stale-if-error": staleIfError = CacheDirectives.seconds(value ?? [])
        default: break
        }
    }

    /// The directives between the commas that stand in no quoted string, trimmed.
    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var directives: [ArraySlice<UInt8>] = []
        var start = 0
        var isQuoted = false
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case 0x22: isQuoted.toggle()
            case 0x5C where isQuoted: place += 1
            case 0x2C where !isQuoted:
                directives.append(ASCII.trimmed(bytes[start..<place]))
                start = place + 1
            default: break
            }
            place += 1
        }
        return directives + [ASCII.trimmed(bytes[start...])]
    }

    /// Delta-seconds, quoted too; beyond 2^31 they are 2^31 (1.2.2).
    private static func seconds(_ value: ArraySlice<UInt8>) -> Duration {
        let isQuoted = value.count >= 2 && value.first == 0x22 && value.last == 0x22
        let digits = isQuoted ? value.dropFirst().dropLast() : value
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return .zero }
        let most: Int64 = 1 << 31
        return .seconds(min(Int64(String(decoding: digits, as: UTF8.self)) ?? most, most))
    }
}
