/// A command line that cannot be followed.
package enum UsageError: Error, Equatable, Sendable {
    case noCommand
    case unknownCommand(String, suggestion: String?)
    /// `command` is nil where the option came before any command.
    case unknownOption(String, command: String?, suggestion: String?)
    case missingValue(option: String)
    case surplusValue(option: String)
    case missingOperand(String, command: String)
    case surplusOperand(String, command: String)
    case badValue(option: String, value: String, wanted: String)
    case badOperand(String, value: String, reason: String)
    case conflict(String, String)
    /// `option` means something only with another one.
    case needs(option: String, other: String)

    /// One sentence for people: what is wrong and what to write instead. Words of the command line stand in it as
    /// they came; whoever shows it escapes them.
    package var message: String {
        switch self {
        case .noCommand: "a command is missing"
        case .unknownCommand(let word, let suggestion):
            "unknown command \"\(word)\"" + UsageError.hint(suggestion)
        case .unknownOption(let word, nil, let suggestion):
            "unknown option \"\(word)\"" + UsageError.hint(suggestion)
        case .unknownOption(let word, let command?, let suggestion):
            "\"\(command)\" has no option \"\(word)\"" + UsageError.hint(suggestion)
        case .missingValue(let option): "\(option) needs a value"
        case .surplusValue(let option): "\(option) takes no value"
        case .missingOperand(let name, let command): "\"\(command)\" needs \(name)"
        case .surplusOperand(let word, let command): "\"\(command)\" has no use for \"\(word)\""
        case .badValue(let option, let value, let wanted): "\(option) is \"\(value)\"; it must be \(wanted)"
        case .badOperand(let name, let value, let reason): "\(name) is \"\(value)\": \(reason)"
        case .needs(let option, let other): "\(option) needs \(other)"
        case .conflict(let one, let other): "\(one) and \(other) exclude each other"
        }
    }

    /// The command whose help answers the question, where there is one.
    package var command: CommandName? {
        switch self {
        case .unknownOption(_, let command?, _), .missingOperand(_, let command),
            .surplusOperand(_, let command):
            CommandName(rawValue: command)
        default: nil
        }
    }

    private static func hint(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    }
}
