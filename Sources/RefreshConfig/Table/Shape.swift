import RefreshCore

/// What may stand behind a key: read by the validator, and told to people in messages.
indirect enum Shape: Sendable {
    case flag
    /// Text for people.
    case text
    /// Text that becomes the value of a header field.
    case fieldValue
    /// The path of a file or folder; relative ones start at the folder of the configuration.
    case filePath
    /// As `filePath`, short enough for the address of a Unix socket.
    case socketPath
    /// One of some words; those of `later` are known and not done yet.
    case word([String], later: [String] = [])
    case whole(ClosedRange<Int>)
    case duration(ClosedRange<Duration>, canBeOff: Bool = false)
    case size(ClosedRange<ByteCount>)
    case share
    case mode
    case url
    /// A JSONPath; a singular one selects one value at most.
    case path(singular: Bool)
    /// One singular path, or a list of them.
    case paths
    case headers
    case block(Block)
    /// Blocks under names of feeds.
    case feeds(Block)
    /// Known to the language, and not done by this version.
    case later

    /// What is due, for "must be …".
    var noun: String {
        switch self {
        case .flag: "true or false"
        case .text, .fieldValue: "text"
        case .filePath, .socketPath: "a path"
        case .word(let words, _): Shape.list(words)
        case .whole: "a whole number"
        case .duration(_, let canBeOff): "a duration such as 30s or 5m" + (canBeOff ? ", or off" : "")
        case .size: "a size such as 64KiB or 8MiB"
        case .share: "a share such as 10%"
        case .mode: "permission bits such as 0660"
        case .url: "a URL such as https://host/path"
        case .path: "a JSONPath such as result.items"
        case .paths: "a JSONPath such as id, or a list of them"
        case .headers: "a mapping of header names to values"
        case .block, .feeds: "a mapping"
        case .later: "left out"
        }
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
