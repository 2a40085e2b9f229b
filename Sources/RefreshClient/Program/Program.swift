import Glibc
import RefreshConfig
import RefreshCore
import RefreshTransfer

/// refreshctl from its command line to its exit status.
package struct Program: Sendable {
    let environment: Environment
    let uid: UInt32
    let output: Output
    let errors: Output
    let now: Timestamp

    package init(environment: Environment, uid: UInt32, output: Output, errors: Output, now: Timestamp) {
        self.environment = environment
        self.uid = uid
        self.output = output
        self.errors = errors
        self.now = now
    }

    /// Runs the command of this process and returns its exit status.
    package static func main(_ arguments: some Sequence<String>) -> Int32 {
        StandardDescriptors.fill()
        // Whoever started us may ignore SIGPIPE; `refreshctl items shop | head` is to end quietly.
        signal(SIGPIPE, SIG_DFL)
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let now = Timestamp(seconds: Int64(time.tv_sec)) + .nanoseconds(time.tv_nsec)
        let program = Program(
            environment: .current(), uid: getuid(), output: .standard, errors: .errors, now: now)
        let words = Array(arguments)
        // Before any other thread starts, and for what is live at a terminal only: all else ends by a signal as ever.
        if let asked = try? Invocation(parsing: words), case .top(let request) = asked.command, !request.once,
            !asked.json, Output.standard.terminalSize != nil
        {
            TerminalEvents.keepSignals()
        }
        var code = Background { await program.run(words) }.wait()
        do {
            try Output.standard.finish()
        } catch {
            code = program.told(error)
        }
        return code.rawValue
    }

    package func run(_ arguments: some Sequence<String>) async -> ExitCode {
        let arguments = Array(arguments)
        if arguments.first == Completion.command { return await complete(arguments.dropFirst()) }
        let invocation: Invocation
        do {
            invocation = try Invocation(parsing: arguments)
        } catch {
            return refused(error)
        }
        do {
            return try await run(invocation)
        } catch {
            return told(error)
        }
    }

    private func run(_ invocation: Invocation) async throws(ClientFailure) -> ExitCode {
        switch invocation.command {
        case .help(let topic):
            try output.write(Array((invocation.json ? "\(Help.json(topic))\n" : Help.text(topic)).utf8))
            return .ok
        case .version:
            try output.write(lines: [
                invocation.json ? "{\"refreshctl\":\"\(Version.text)\"}" : "refreshctl \(Version.text)"
            ])
            return .ok
        case .check(let request):
            return try ConfigurationCheck.run(request, environment: environment, uid: uid, output: output)
        case .explain(let request):
            let live = try await liveStatus(of: request.feed, invocation)
            return try FeedExplanation.run(
                request, live: live, environment: environment, uid: uid, output: output, errors: errors)
        case .try(let request):
            let trial = Trial(
                request: request, program: self, json: invocation.json, daemon: daemon(invocation.socket))
            return try await trial.run()
        case .suggest(let request):
            return try await Suggesting(request: request, program: self, json: invocation.json).run()
        case .import(let request):
            return try SubscriptionImport.run(
                request, json: invocation.json, output: output, notes: Notes(errors))
        case .diff(let request):
            return try await ConfigurationDiff(request: request, program: self, json: invocation.json)
                .run(socket: invocation.socket, control: controlPlaces(invocation))
        case .schema(let asPage):
            let text = asPage ? ConfigReference.markdown : "\(ConfigSchema.json)\n"
            try output.write(Array(text.utf8))
            return .ok
        case .restore(let request):
            return try await Restoring(request: request, program: self, json: invocation.json).run()
        case .doctor(let request):
            return try await Doctor(request: request, program: self, json: invocation.json)
                .run(socket: invocation.socket)
        case .pause, .resume, .purge, .reset, .reload, .backup, .logLevel:
            return try await converse(invocation, at: controlPlaces(invocation))
        case .top, .metrics, .status, .feeds, .items, .get, .changes, .watch, .history, .refresh:
            return try await converse(invocation, at: places(invocation.socket))
        }
    }

    // MARK: - The daemon

    private func converse(_ invocation: Invocation, at places: SocketPlaces) async throws(ClientFailure)
        -> ExitCode
    {
        let session = Session(
            client: try client(at: places), display: display, json: invocation.json, output: output,
            notes: Notes(errors), errors: errors, now: now, environment: environment)
        return try await session.run(invocation.command)
    }

    var display: Display { environment.display(terminalColumns: output.terminalColumns) }

    /// The file that the daemon of this user reads.
    var defaultConfig: String { DefaultPlaces(uid: uid, environment: environment.variables).config }

    func places(_ socket: String?) -> SocketPlaces {
        SocketPlaces(option: socket, environment: environment, uid: uid)
    }

    func controlPlaces(_ invocation: Invocation) -> SocketPlaces {
        // Where its own file says nothing, or cannot be read, the default holds.
        let isAsked = invocation.socket == nil && environment["REFRESHD_SOCKET"] == nil
        let configured = isAsked ? ConfigReader.read(path: defaultConfig).plan?.daemon.controlPath : nil
        return SocketPlaces(
            control: invocation.socket, configured: configured, environment: environment, uid: uid)
    }

    func client(at places: SocketPlaces) throws(ClientFailure) -> APIClient {
        APIClient(socket: try places.choose(fault: SocketFault.probe), transfer: try Program.transfer())
    }

    /// The daemon, where one can be reached; for commands that do without.
    private func daemon(_ socket: String?) -> APIClient? {
        guard let path = try? places(socket).choose(fault: SocketFault.probe), SocketFault.probe(path) == nil
        else { return nil }
        return (try? Program.transfer()).map { APIClient(socket: path, transfer: $0) }
    }

    /// What the daemon tells of a feed; nil where there is no daemon, or none that knows it.
    private func liveStatus(of feed: String, _ invocation: Invocation) async throws(ClientFailure)
        -> APIAnswer?
    {
        guard FeedID.isLegal(feed), let daemon = daemon(invocation.socket),
            let answer = try? await daemon.send(.get(["feeds", feed])), answer.problem == nil
        else { return nil }
        return answer
    }

    /// Makes requests, to the daemon or to an upstream.
    static func transfer() throws(ClientFailure) -> TransferService {
        do {
            return try TransferService(concurrency: 1, buffers: ByteCount(.max))
        } catch {
            throw .cannotStart(detail: error.failure.detail)
        }
    }

    /// - Parameter option: the value of `--socket`.
    func client(socket option: String?) throws(ClientFailure) -> APIClient { try client(at: places(option)) }

    // MARK: - Failures

    private func refused(_ error: UsageError) -> ExitCode {
        let notes = Notes(errors)
        notes.tell(error.message)
        notes.tell("see: refreshctl help\(error.command.map { " \($0.rawValue)" } ?? "")")
        return .usage
    }

    private func told(_ failure: ClientFailure) -> ExitCode {
        if let message = failure.message { Notes(errors).tell(message) }
        return failure.exitCode
    }
}
