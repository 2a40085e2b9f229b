/// How long an answer has been in caches on its way (`Age`, RFC 9111, 5.1).
enum AgeHeader {
    /// The first value of the field; zero where it is absent or no number. Beyond 2^31 it is 2^31.
    static func value(_ headers: HTTPHeaders) -> Duration {
        guard let field = headers.first("age") else { return .zero }
        // A list or a parameter is a fault of some cache; what comes first is the one to take (5.1).
        let first = ASCII.trimmed(
            Array(field.utf8).prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") })
        guard !first.isEmpty, first.allSatisfy(ASCII.isDigit) else { return .zero }
        let most: Int64 = 1 << 31
        return .seconds(min(Int64(String(decoding: first, as: UTF8.self)) ?? most, most))
    }
}
