import RefreshCore

/// A command line taken apart: which command, which options, which operands, none of them judged yet.
struct SplitArguments: Equatable {
    private(set) var command: CommandName?
    private(set) var operands: [String] = []
    private(set) var flags: Set<Option> = []
    /// The last one counts where an option is repeated.
    private(set) var values: [Option: String] = [:]
    /// Of options that may be repeated, all values in order.
    private(set) var repeated: [Option: [String]] = [:]

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || !word.utf8.starts(with: "-".utf8) || word == "-" {
                try take(operand: word)
            } else if word == "--" {
                onlyOperands = true
            } else {
                try take(option: word, &rest)
            }
        }
        try checkOptions()
    }

    private mutating func take(operand word: String) throws(UsageError) {
        if command != nil {
            operands.append(word)
        } else if let command = CommandName(rawValue: word) {
            self.command = command
        } else {
            let names = CommandName.allCases.map(\.rawValue)
            throw .unknownCommand(word, suggestion: ClosestMatch.suggestion(for: word, among: names))
        }
    }

    private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.utf8.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map { String(Substring($0)) } ?? word
        let option = try option(named: name == "-h" ? Option.help.rawValue : name)
        let attached = parts.count == 2 ? parts.last.map { String(Substring($0)) } : nil
        guard option.value != nil else {
            guard attached == nil else { throw .surplusValue(option: option.rawValue) }
            flags.insert(option)
            return
        }
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw .missingValue(option: option.rawValue)
        }
        values[option] = value
        if option.isRepeatable { repeated[option, default: []].append(value) }
    }

    private func option(named name: String) throws(UsageError) -> Option {
        if let option = Option(rawValue: name) { return option }
        let known = command.map { Option.global + $0.options } ?? Option.allCases
        throw .unknownOption(
            name, command: command?.rawValue,
            suggestion: ClosestMatch.suggestion(for: name, among: known.map(\.rawValue)))
    }

    /// Options may stand before the command, so whether they belong to it shows at the end.
    private func checkOptions() throws(UsageError) {
        guard let command else { return }
        let known = Option.global + command.options
        let used = Option.allCases.filter { flags.contains($0) || values[$0] != nil }
        if let stranger = used.first(where: { !known.contains($0) }) {
            throw .unknownOption(stranger.rawValue, command: command.rawValue, suggestion: nil)
        }
    }
}
