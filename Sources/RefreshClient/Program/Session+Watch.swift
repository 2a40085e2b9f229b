import RefreshCore

/// A feed's changes as they come.
extension Session {
    /// How long the daemon is asked to wait for a change.
    private static let wait: Duration = .seconds(30)

    func watch(_ request: WatchRequest) async throws(ClientFailure) -> ExitCode {
        let saved = try SavedKey(request, environment: environment)
        var key = request.since
        if key == nil { key = try saved?.read() }
        if key == nil, !request.all {
            let answer = try await ask(.get(["feeds", request.feed]), feed: request.feed)
            key = answer.value["sync_key"]?.string
        }
        var absence = Absence()
        var layout: Table.Layout?
        while true {
            let asked = ContinuousClock.now
            guard let answer = try await changes(request, after: key, &absence) else { continue }
            let rows = answer.value["changes"]?.elements ?? []
            guard let next = answer.value["sync_key"]?.string else {
                throw client.strange("changes without a sync_key")
            }
            try show(rows, &layout)
            if let command = request.command {
                for row in rows {
                    guard try await deal(with: row, request.feed, next, command) else { return .failure }
                }
                if next != key { try saved?.save(next) }
            }
            key = next
            // A daemon that does not wait must not be asked without end.
            if rows.isEmpty, asked.duration(to: .now) < .milliseconds(500) { await sleep(.milliseconds(500)) }
        }
    }

    /// How long a daemon has been away.
    private struct Absence {
        var hasAnswered = false
        var isTold = false
        var pause: Duration = .seconds(1)

        static let longestPause: Duration = .seconds(30)
    }

    /// The next changes; nil, after a pause, where the daemon is away.
    private func changes(
        _ request: WatchRequest, after key: String?, _ absence: inout Absence
    ) async throws(ClientFailure) -> APIAnswer? {
        do throws(ClientFailure) {
            let answer = try await ask(changes(request, after: key), feed: request.feed)
            absence = Absence(hasAnswered: true)
            return answer
        } catch {
            // Who has just begun wants to know; who has watched for a week wants to go on.
            guard error.isPassing, absence.hasAnswered else { throw error }
            if !absence.isTold { notes.tell("\(error.message ?? "the daemon is away"); trying again") }
            absence.isTold = true
            await sleep(absence.pause)
            absence.pause = min(absence.pause * 2, Absence.longestPause)
            return nil
        }
    }

    private func changes(_ request: WatchRequest, after key: String?) -> APIRequest {
        var query = key.map { [("since", $0)] } ?? []
        // A command's key is saved after each change; more than one come only where they were stored at once.
        if request.command != nil { query.append(("limit", "1")) }
        query.append(("wait", DurationText.format(Session.wait)))
        return .get(["feeds", request.feed, "changes"], query: query, longer: Session.wait)
    }

    private func show(_ rows: [AnswerValue], _ layout: inout Table.Layout?) throws(ClientFailure) {
        guard !rows.isEmpty else { return }
        if json {
            for row in rows { try show(json: Array(row.text.utf8) + [0x0A]) }
        } else {
            let table = ChangesView.table(rows.map { ChangeAnswer($0) })
            try output.write(lines: table.lines(on: display, continuing: &layout))
        }
    }

    /// Whether the command took the change.
    private func deal(
        with row: AnswerValue, _ feed: String, _ key: String, _ command: String
    ) async throws(ClientFailure) -> Bool {
        let change = ChangeAnswer(row)
        // A zero byte cannot stand in the environment; the whole key is in the input.
        let name = String(change.key.prefix { $0 != "\0" })
        let status = try await ShellCommand.run(
            command, input: Array(row.text.utf8) + [0x0A],
            variables: [
                ("REFRESHD_FEED", feed), ("REFRESHD_KEY", name), ("REFRESHD_OP", change.op),
                ("REFRESHD_SYNC_KEY", key),
            ])
        if status == 0 { return true }
        notes.tell(
            "the command ended with \(status) for \(change.key); the next run begins with it, or with what was stored together with it"
        )
        return false
    }

    private func sleep(_ duration: Duration) async {
        // Cut short where the task is cancelled.
        try? await ContinuousClock().sleep(for: duration)
    }
}

extension ClientFailure {
    /// Whether it may be over soon, as while a daemon starts again.
    fileprivate var isPassing: Bool {
        switch self {
        case .unreachable(_, .denied): false
        case .unreachable, .noAnswer: true
        case .problem(let problem, _): problem.status == 503 || problem.status == 429
        default: false
        }
    }
}

/// The key of the last change that a command dealt with, in a file.
struct SavedKey {
    private let path: String

    /// Nil where no command is run.
    init?(_ request: WatchRequest, environment: Environment) throws(ClientFailure) {
        guard let command = request.command else { return nil }
        if let file = request.stateFile {
            path = file
            return
        }
        let states = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { "\($0)/.local/state" }
        guard let states else { throw .refused("no place for the key is known; name one with --state FILE") }
        let folder = "\(states)/refreshctl"
        try LocalFile.makeFolder(folder)
        path = "\(folder)/\(request.feed)-\(String(FNV.hash32(Array(command.utf8)), radix: 16)).key"
    }

    func read() throws(ClientFailure) -> String? {
        guard let bytes = try LocalFile.readIfThere(path) else { return nil }
        let key = String(decoding: ASCII.trimmed(bytes), as: UTF8.self)
        return key.isEmpty ? nil : key
    }

    func save(_ key: String) throws(ClientFailure) {
        try LocalFile.replace(path, with: Array("\(key)\n".utf8))
    }
}
