import RefreshCore

extension Invocation {
    /// Reads a command line without the program's name.
    package init(parsing arguments: some Sequence<String>) throws(UsageError) {
        let split = try SplitArguments(arguments)
        self.init(
            try Invocation.command(split), socket: split.values[.socket], json: split.flags.contains(.json))
    }

    private static func command(_ split: SplitArguments) throws(UsageError) -> Command {
        if split.flags.contains(.help) { return .help(split.command == .help ? nil : split.command) }
        if split.flags.contains(.version) { return .version }
        guard let name = split.command else { throw .noCommand }
        try checkOperands(split, of: name)
        let first = split.operands.first ?? ""
        return switch name {
        case .status: .status
        case .top: .top(try top(split))
        case .feeds: .feeds
        case .items: .items(try list(split, feed: first, start: .cursor))
        case .get: .get(feed: first, key: split.operands.last ?? "")
        case .changes: .changes(try list(split, feed: first, start: .since))
        case .watch: .watch(try watch(split, feed: first))
        case .history: .history(feed: first)
        case .refresh: .refresh(try refresh(split, feed: first))
        case .pause: .pause(feed: first)
        case .resume: .resume(feed: first)
        case .purge: .purge(feed: first)
        case .reset: .reset(feed: first)
        case .reload: .reload
        case .backup: .backup
        case .restore: .restore(restore(split))
        case .logLevel: .logLevel(try level(split.operands.first))
        case .metrics: .metrics(file: split.values[.output])
        case .doctor: .doctor(doctor(split))
        case .check: .check(try check(split))
        case .try: .try(try trial(split, feed: first))
        case .explain: .explain(try explain(split, feed: first))
        case .suggest: .suggest(try suggest(split, url: first))
        case .import: .import(try importing(split, file: first))
        case .diff: .diff(diff(split))
        case .schema: .schema(asPage: try isPage(split))
        case .help: .help(try topic(split.operands.first))
        case .version: .version
        }
    }

    private static func checkOperands(_ split: SplitArguments, of name: CommandName) throws(UsageError) {
        let (needed, optional) = name.operands
        // An empty operand is most often a shell variable that was never set.
        let given = split.operands.prefix { !$0.isEmpty }.count
        if given < needed.count { throw .missingOperand(needed[given], command: name.rawValue) }
        let most = needed.count + optional.count
        if split.operands.count > most {
            throw .surplusOperand(split.operands[most], command: name.rawValue)
        }
        if given < split.operands.count {
            throw .missingOperand(optional[given - needed.count], command: name.rawValue)
        }
    }

    private static func list(_ split: SplitArguments, feed: String, start: Option) throws(UsageError)
        -> ListRequest
    {
        var request = ListRequest(feed: feed, all: split.flags.contains(.all), start: split.values[start])
        if let text = split.values[.limit] {
            if request.all { throw .conflict(Option.all.rawValue, Option.limit.rawValue) }
            request.limit = try count(text, .limit)
        }
        return request
    }

    static func count(_ text: String, _ option: Option) throws(UsageError) -> Int {
        guard text.utf8.allSatisfy(ASCII.isDigit), let count = Int(text), count > 0 else {
            throw .badValue(option: option.rawValue, value: text, wanted: "a whole number above 0")
        }
        return count
    }

    private static func refresh(_ split: SplitArguments, feed: String) throws(UsageError) -> RefreshRequest {
        var request = RefreshRequest(feed: feed)
        switch (split.flags.contains(.now), split.flags.contains(.force)) {
        case (true, true): throw .conflict(Option.now.rawValue, Option.force.rawValue)
        case (true, false): request.mode = .now
        case (false, true): request.mode = .force
        case (false, false): break
        }
        request.acceptDrop = split.flags.contains(.acceptDrop)
        request.wait = split.flags.contains(.wait)
        if let text = split.values[.deadline] {
            request.deadline = try deadline(text)
            request.wait = true
        }
        return request
    }

    /// As far as the daemon lets anybody wait (semantics R20).
    private static let longestWait: Duration = .seconds(60)

    private static func deadline(_ text: String) throws(UsageError) -> Duration {
        let wanted = "a duration above 0 and up to 60s, such as 20s"
        do {
            let deadline = try DurationText.parse(text)
            if deadline > .zero && deadline <= longestWait { return deadline }
        } catch {
            throw .badValue(
                option: Option.deadline.rawValue, value: text, wanted: "\(wanted) (\(error.message))")
        }
        throw .badValue(option: Option.deadline.rawValue, value: text, wanted: wanted)
    }

    private static func check(_ split: SplitArguments) throws(UsageError) -> CheckRequest {
        var request = CheckRequest(file: split.operands.first)
        request.denyWarnings = split.flags.contains(.denyWarnings)
        request.json = try isJSON(split)
        return request
    }

    private static func explain(_ split: SplitArguments, feed: String) throws(UsageError) -> ExplainRequest {
        var request = ExplainRequest(feed: feed, file: split.operands.dropFirst().first)
        request.json = try isJSON(split)
        return request
    }

    private static func isPage(_ split: SplitArguments) throws(UsageError) -> Bool {
        switch split.values[.format] {
        case nil, "json": return false
        case "markdown": return true
        case let other?:
            throw .badValue(option: Option.format.rawValue, value: other, wanted: "json or markdown")
        }
    }

    private static func isJSON(_ split: SplitArguments) throws(UsageError) -> Bool {
        switch split.values[.format] {
        case nil, "text": return split.flags.contains(.json)
        case "json": return true
        case let other?:
            throw .badValue(option: Option.format.rawValue, value: other, wanted: "text or json")
        }
    }

    private static func topic(_ word: String?) throws(UsageError) -> CommandName? {
        guard let word else { return nil }
        if let name = CommandName(rawValue: word) { return name }
        let names = CommandName.allCases.map(\.rawValue)
        throw .unknownCommand(word, suggestion: ClosestMatch.suggestion(for: word, among: names))
    }
}
