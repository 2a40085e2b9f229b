import RefreshConfig
import RefreshCore

/// A feed as guessed from one answer: a part of a configuration, with what the guess goes by.
struct Suggestion {
    struct Setting {
        let key: String
        /// YAML on one line.
        var value: String
        /// Why; nil where it needs no word.
        var reason: String?
    }

    var adapter: String
    var url: WebURL
    /// What its name is made of.
    var title: String
    var allowPrivate = false
    /// What was recognised.
    var what: String
    var settings: [Setting] = []

    mutating func set(_ key: String, _ value: String, because reason: String? = nil) {
        settings.append(Setting(key: key, value: value, reason: reason))
    }

    mutating func drop(_ key: String) { settings.removeAll { $0.key == key } }

    /// The lines below `feeds:`.
    func lines(named name: String) -> [String] {
        var lines = ["  \(YAMLText.scalar(name)):  # \(SafeText.escaped(what))", "    adapter: \(adapter)"]
        lines.append("    url: \(YAMLText.scalar(url.description))")
        if allowPrivate { lines.append("    allow_private: true") }
        for setting in settings {
            let reason = setting.reason.map { "  # \(SafeText.escaped($0))" } ?? ""
            lines.append("    \(setting.key): \(setting.value)\(reason)")
        }
        return lines
    }

    /// What `check` says against it.
    func mistakes(named name: String) -> [ConfigProblem] {
        let text = (["version: 1", "feeds:"] + lines(named: name)).map { "\($0)\n" }.joined()
        return ConfigReader.read(bytes: Array(text.utf8), file: "suggestion", checkers: .all).errors
    }
}

/// Parts of paths and settings as text.
enum PathText {
    /// A singular JSONPath, as short as it may be written.
    static func json(_ names: [String]) -> String {
        if names.isEmpty { return "$" }
        if names.allSatisfy(isWord) { return names.joined(separator: ".") }
        return "$" + names.map { "['\(escaped($0))']" }.joined()
    }

    private static func isWord(_ name: String) -> Bool {
        guard let first = name.utf8.first, ASCII.isLetter(first) || first == 0x5F else { return false }
        return name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F }
    }

    private static func escaped(_ name: String) -> String {
        var text = JSONText()
        text.string(name)
        // Single quotes have to be escaped there, double ones must not be (RFC 9535, 2.3.1.1).
        return String(text.text.dropFirst().dropLast()).split(
            separator: "\\\"", omittingEmptySubsequences: false
        )
        .joined(separator: "\"").split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "\\'")
    }
}
