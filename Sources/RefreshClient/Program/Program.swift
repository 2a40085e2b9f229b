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
            try output.write(Array(Help.text(topic).utf8))
            return .ok
        case .version:
            try output.write(lines: [
                invocation.json ? "{\"refreshctl\":\"\(Version.text)\"}" : "refreshctl \(Version.text)"
            ])
            return .ok
        case .check(let request):
            return try ConfigurationCheck.run(request, environment: environment, uid: uid, output: output)
        case .explain(let request):
            return try FeedExplanation.run(
                request, environment: environment, uid: uid, output: output, errors: errors)
        case .schema(let asPage):
            let text = asPage ? ConfigReference.markdown : "\(ConfigSchema.json)\n"
            try output.write(Array(text.utf8))
            return .ok
        case .status, .feeds, .items, .get, .changes, .refresh:
            return try await converse(invocation)
        }
    }

    private func converse(_ invocation: Invocation) async throws(ClientFailure) -> ExitCode {
        let session = Session(
            client: try client(socket: invocation.socket),
            display: environment.display(terminalColumns: output.terminalColumns), json: invocation.json,
            output: output, notes: Notes(errors), now: now)
        return try await session.run(invocation.command)
    }

    /// - Parameter option: the value of `--socket`.
    func client(socket option: String?) throws(ClientFailure) -> APIClient {
        let places = SocketPlaces(option: option, environment: environment, uid: uid)
        let socket = try places.choose(fault: SocketFault.probe)
        do {
            return APIClient(socket: socket, transfer: try TransferService(concurrency: 1))
        } catch let failure {
            throw .cannotStart(detail: failure.failure.detail)
        }
    }

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
