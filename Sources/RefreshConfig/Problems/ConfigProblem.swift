import RefreshCore

/// One thing wrong with a configuration, and where.
package struct ConfigProblem: Error, Equatable, Sendable {
    /// What kind of mistake it is; the words are stable, for programs.
    package enum Code: String, Sendable, CaseIterable {
        /// The file cannot be read.
        case access
        /// Not YAML, or YAML that has no place here.
        case syntax
        /// Larger, deeper or more expanded than is read.
        case limit
        case duplicateKey = "duplicate_key"
        case unknownKey = "unknown_key"
        /// A known key in the wrong place.
        case misplacedKey = "misplaced_key"
        /// Part of the language that this version does not do.
        case unsupported
        case missingKey = "missing_key"
        /// A list where text is due, and the like.
        case wrongType = "wrong_type"
        case badValue = "bad_value"
        /// Two values that exclude each other.
        case conflict
        /// Legal, and probably not what was meant.
        case doubtful
    }

    package enum Severity: String, Sendable { case error, warning }

    package let file: String
    /// From 1; 0 for the file as a whole.
    package let line: Int
    /// In characters from 1; 0 for the file as a whole.
    package let column: Int
    /// The keys that lead there, joined by dots; empty for the file as a whole.
    package let path: String
    package let code: Code
    package let severity: Severity
    /// Without place and path, safe to print.
    package let message: String

    package init(
        file: String, place: SourcePlace?, path: [String] = [], code: Code, severity: Severity = .error,
        message: String
    ) {
        self.file = file
        line = place?.line ?? 0
        column = place?.column ?? 0
        self.path = ConfigProblem.dotted(path)
        self.code = code
        self.severity = severity
        self.message = message
    }

    /// With its code: `plugins.yaml:12:7: bad_value: …`, for the status of a feed.
    package var reason: String {
        let place = line == 0 ? "" : ":\(line):\(column)"
        return "\(SafeText.escaped(file))\(place): \(code.rawValue): \(message)"
    }

    /// As people and editors read it: `plugins.yaml:12:7: feeds.issues.every: …`.
    package var text: String {
        if code == .access { return message }
        let place = line == 0 ? "" : "\(line):\(column):"
        let mark = severity == .warning ? "warning: " : ""
        let keys = path.isEmpty ? "" : "\(path): "
        return "\(SafeText.escaped(file)):\(place) \(mark)\(keys)\(message)"
    }

    /// `["feeds", "shop", "key", "[1]"]` is `feeds.shop.key[1]`.
    static func dotted(_ path: [String]) -> String {
        path.reduce("") { text, part in
            let name = SafeText.short(part)
            return text.isEmpty || part.first == "[" ? text + name : "\(text).\(name)"
        }
    }
}
