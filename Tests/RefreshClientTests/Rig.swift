import Glibc
import RefreshClient
import RefreshCore
import TestSupport
import Testing

/// A daemon as a test scripts it, and refreshctl run against it with its outputs in files.
final class Rig: Sendable {
    let folder = TemporaryFolder()
    let daemon: ScriptedUpstream
    let socket: String

    /// The socket beside it, of those who control the daemon; nil where it has none.
    let control: ScriptedUpstream?

    init(_ answers: [String: UpstreamAnswer], control: [String: UpstreamAnswer] = [:]) throws {
        socket = folder.path("s")
        self.control =
            try control.isEmpty
            ? nil
            : ScriptedUpstream(unixSocket: folder.path("control.sock")) {
                control["\($0.method) \($0.target)"]
                    ?? Rig.problem(404, "not-found", "nothing at \($0.target)")
            }
        daemon = try ScriptedUpstream(unixSocket: socket) { request in
            answers["\(request.method) \(request.target)"]
                ?? Rig.problem(404, "not-found", "there is nothing at \(request.target)")
        }
    }

    /// Answers whatever is asked by `handler`.
    init(_ handler: @escaping @Sendable (UpstreamRequest) -> UpstreamAnswer) throws {
        socket = folder.path("s")
        control = nil
        daemon = try ScriptedUpstream(unixSocket: socket, handler)
    }

    deinit {
        daemon.stop()
        control?.stop()
    }

    static func json(_ text: String, status: Int = 200) -> UpstreamAnswer {
        UpstreamAnswer(status: status, headers: [("Content-Type", "application/json")], text: text)
    }

    static func problem(_ status: Int, _ code: String, _ detail: String) -> UpstreamAnswer {
        json(#"{"title":"No","status":\#(status),"detail":"\#(detail)","code":"\#(code)"}"#, status: status)
    }

    struct Ending {
        let code: ExitCode
        let output: String
        let errors: String
    }

    func run(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> Ending {
        let output = folder.write("", to: "out")
        let errors = folder.write("", to: "err")
        let outputDescriptor = unsafe open(output, O_WRONLY)
        let errorDescriptor = unsafe open(errors, O_WRONLY)
        defer {
            close(outputDescriptor)
            close(errorDescriptor)
        }
        let program = Program(
            environment: Environment(["REFRESHD_SOCKET": socket].merging(variables) { $1 }), uid: getuid(),
            output: Output(descriptor: outputDescriptor), errors: Output(descriptor: errorDescriptor),
            now: Timestamp(seconds: 1_767_225_600))
        let code = await program.run(arguments)
        return Ending(
            code: code, output: String(decoding: try #require(readFile(output)), as: UTF8.self),
            errors: String(decoding: try #require(readFile(errors)), as: UTF8.self))
    }
}
