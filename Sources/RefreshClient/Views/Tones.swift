/// Which words of the daemon's are good news.
enum Tones {
    static func freshness(_ word: String?) -> Tone {
        switch word {
        case "fresh": .good
        case "stale": .warning
        case "overdue": .bad
        case "new": .faint
        default: .plain
        }
    }

    static func state(_ word: String?) -> Tone {
        switch word {
        case "backoff", "limited": .warning
        case "gone", "config-error": .bad
        case "paused", "disabled": .faint
        default: .plain
        }
    }
}
