import RefreshCore

/// The cookies of one feed, kept in memory; each goes back to the origin that set it and nowhere else.
///
/// A cookie for a parent domain thus never reaches a sibling host or another port (threat T-U7). Lifetimes, paths and
/// `Secure` are libcurl's to judge.
package struct CookieJar: Sendable, Hashable {
    private static let mostOrigins = 16
    private static let mostCookies = 50
    private static let mostBytes = 32_768

    /// In Netscape's format, as libcurl writes and reads them.
    private var lines: [Origin: [String]] = [:]

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }

    func lines(for origin: Origin) -> [String] { lines[origin] ?? [] }

    /// Takes what libcurl holds after an answer of `origin`; what exceeds the bounds is dropped, newest first.
    mutating func replace(_ cookies: [String], for origin: Origin) {
        guard !cookies.isEmpty else {
            lines[origin] = nil
            return
        }
        guard lines[origin] != nil || lines.count < CookieJar.mostOrigins else { return }
        var bytes = 0
        lines[origin] = Array(
            cookies.prefix(CookieJar.mostCookies).prefix { line in
                bytes += line.utf8.count
                return bytes <= CookieJar.mostBytes
            })
    }

    /// The value of the cookie `name` that `origin` set.
    func value(of name: String, from origin: Origin) -> String? {
        for line in lines(for: origin) {
            let fields = CookieJar.fields(line)
            if fields.count > 6, fields[5] == name { return fields[6] }
        }
        return nil
    }

    /// What tells two jars apart where a redirect leads back: all but the times at which cookies end, which move with
    /// every answer.
    var withoutTimes: CookieJar {
        var copy = self
        copy.lines = lines.mapValues { $0.map(CookieJar.withoutTime) }
        return copy
    }

    private static func withoutTime(_ line: String) -> String {
        var fields = fields(line)
        if fields.count > 4 { fields[4] = "" }
        return fields.joined(separator: "\t")
    }

    /// domain, tail match, path, secure, expires, name, value; separated by tabs.
    private static func fields(_ line: String) -> [String] {
        line.utf8.split(separator: 0x09, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
