import RefreshCore

/// What may stand where the cursor is, for a shell that completes a command line.
///
/// Everything comes from the tables of commands and options, so that no shell's script has to name one.
package enum Completion: Equatable, Sendable {
    /// One of these, each with what it means.
    case words([Word])
    /// The name of a feed; the daemon knows them.
    case feeds
    /// A path.
    case files
    /// Something that only the user knows.
    case nothing

    package struct Word: Equatable, Sendable {
        package let text: String
        package let summary: String
    }

    /// The word, never listed, that stands in the place of a command when a shell asks.
    package static let command = "_complete"

    /// - Parameter words: without the program's name; the last is the one that is being written, and may be empty.
    package init(_ words: some Sequence<String>) {
        var before = Array(words)
        let current = before.popLast() ?? ""
        var command: CommandName?
        var operands = 0
        var isPastOptions = false
        var owed: Option?
        for word in before {
            if owed != nil {
                owed = nil
            } else if !isPastOptions, word == "--" {
                isPastOptions = true
            } else if !isPastOptions, word.hasPrefix("-"), word != "-" {
                owed = Option(rawValue: word).flatMap { $0.value == nil ? nil : $0 }
            } else if command == nil {
                command = CommandName(rawValue: word)
                guard command != nil else {
                    self = .nothing
                    return
                }
            } else {
                operands += 1
            }
        }
        if let owed {
            self = Completion(value: owed)
        } else if !isPastOptions, current.hasPrefix("-") {
            self = Completion(optionsOf: command, given: before)
        } else if let command {
            self = Completion(operand: operands, of: command)
        } else {
            self = .commands
        }
    }

    /// The candidates of `words` that begin as the word that is being written does, a tab before what each means.
    package static func lines(_ words: [Word], for current: String) -> [String] {
        words.filter { Array($0.text.utf8).starts(with: current.utf8) }.map { word in
            word.summary.isEmpty ? word.text : "\(word.text)\t\(word.summary)"
        }
    }

    private static var commands: Completion {
        .words(CommandName.allCases.map { Word(text: $0.rawValue, summary: Help.summary($0)) })
    }

    private init(optionsOf command: CommandName?, given: [String]) {
        let options = ((command?.options ?? []) + Option.global).filter { !given.contains($0.rawValue) }
        self = .words(options.map { Word(text: $0.rawValue, summary: $0.summary) })
    }

    private init(operand place: Int, of command: CommandName) {
        let (needed, optional) = command.operands
        let names = needed + optional
        switch names.indices.contains(place) ? names[place] : nil {
        case "FEED": self = .feeds
        case "FILE", "NEW": self = .files
        case "COMMAND": self = .commands
        case "LEVEL": self = .words(LogLevel.names.map { Word(text: $0, summary: "") })
        default: self = .nothing
        }
    }

    private init(value option: Option) {
        switch option.value {
        case "PATH", "FILE", "DIR": self = .files
        case "FEED": self = .feeds
        case "FORMAT": self = .words(["text", "json"].map { Word(text: $0, summary: "") })
        default: self = .nothing
        }
    }
}
