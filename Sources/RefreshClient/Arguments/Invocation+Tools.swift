import RefreshCore

/// The commands for who writes a configuration, or follows a feed.
extension Invocation {
    static func watch(_ split: SplitArguments, feed: String) throws(UsageError) -> WatchRequest {
        var request = WatchRequest(feed: feed)
        request.since = split.values[.since]
        request.all = split.flags.contains(.all)
        request.command = split.values[.exec]
        request.stateFile = split.values[.state]
        if request.all, request.since != nil { throw .conflict(Option.all.rawValue, Option.since.rawValue) }
        if request.stateFile != nil, request.command == nil {
            throw .needs(option: Option.state.rawValue, other: Option.exec.rawValue)
        }
        return request
    }

    static func trial(_ split: SplitArguments, feed: String) throws(UsageError) -> TrialRequest {
        var request = TrialRequest(feed: feed, file: split.operands.dropFirst().first)
        if let text = split.values[.pages] { request.pages = try count(text, .pages) }
        request.since = split.values[.since]
        request.isFull = split.flags.contains(.full)
        request.record = split.values[.record]
        request.replay = split.values[.replay]
        for text in split.repeated[.secret] ?? [] { request.secrets.append(try secret(text)) }
        if request.isFull, request.since != nil {
            throw .conflict(Option.full.rawValue, Option.since.rawValue)
        }
        if request.record != nil, request.replay != nil {
            throw .conflict(Option.record.rawValue, Option.replay.rawValue)
        }
        return request
    }

    private static func secret(_ text: String) throws(UsageError) -> TrialRequest.Secret {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            // What stands there may be the secret itself, by mistake.
            throw .badValue(
                option: Option.secret.rawValue, value: "…", wanted: "NAME=FILE, with the path of a file")
        }
        return TrialRequest.Secret(name: parts[0], file: parts[1])
    }

    static func suggest(_ split: SplitArguments, url: String) throws(UsageError) -> SuggestRequest {
        do {
            var request = SuggestRequest(url: try WebURL(parsing: url))
            request.allowPrivate = split.flags.contains(.allowPrivate)
            return request
        } catch {
            // A query may hold a secret, and messages end up in logs.
            throw .badOperand("URL", value: String(url.prefix { $0 != "?" }), reason: error.message)
        }
    }

    static func importing(_ split: SplitArguments, file: String) throws(UsageError) -> ImportRequest {
        var request = ImportRequest(file: file)
        guard let text = split.values[.every] else { return request }
        let every = try? DurationText.parse(text)
        guard let every, every >= .seconds(60) else {
            throw .badValue(
                option: Option.every.rawValue, value: text, wanted: "a duration of at least 60s, such as 30m")
        }
        request.every = every
        return request
    }

    static func diff(_ split: SplitArguments) -> DiffRequest {
        guard let old = split.operands.first else { return .running(file: nil) }
        guard split.operands.count > 1 else { return .running(file: old) }
        return .files(old: old, new: split.operands[1])
    }

    // MARK: - For who runs the host

    static func top(_ split: SplitArguments) throws(UsageError) -> TopRequest {
        var request = TopRequest()
        request.once = split.flags.contains(.once)
        guard let text = split.values[.interval] else { return request }
        let interval = try? DurationText.parse(text)
        guard let interval, interval >= .milliseconds(500), interval <= .seconds(60) else {
            throw .badValue(
                option: Option.interval.rawValue, value: text, wanted: "a duration from 500ms to 60s")
        }
        request.interval = interval
        return request
    }

    static func restore(_ split: SplitArguments) -> RestoreRequest {
        var request = RestoreRequest(name: split.operands.first)
        request.state = split.values[.stateFolder]
        request.backups = split.values[.backups]
        return request
    }

    static func doctor(_ split: SplitArguments) -> DoctorRequest {
        var request = DoctorRequest(file: split.operands.first)
        request.state = split.values[.stateFolder]
        request.denyWarnings = split.flags.contains(.denyWarnings)
        return request
    }

    static func level(_ word: String?) throws(UsageError) -> String? {
        guard let word else { return nil }
        guard LogLevel.names.contains(word) else {
            throw .badOperand(
                "LEVEL", value: word, reason: "one of \(LogLevel.names.joined(separator: ", ")) is expected")
        }
        return word
    }
}
