import CLinux
import RefreshCore

/// A command line of the user's, run by a shell.
enum ShellCommand {
    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - input: what it finds on its standard input.
    ///   - variables: added to the environment.
    /// - Returns: its exit status, as a shell tells it: 128 and the signal where one ended it.
    static func run(
        _ command: String, input: [UInt8], variables: [(name: String, value: String)]
    ) async throws(ClientFailure) -> Int32 {
        let process = try start(command, input: input, variables: variables)
        var pause: Duration = .milliseconds(1)
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process {
                return refreshd_signaled(status) != 0
                    ? 128 + refreshd_term_signal(status) : refreshd_exit_status(status)
            }
            if ended < 0, refreshd_errno() != EINTR {
                throw .cannotStart(detail: SystemError.text(refreshd_errno()))
            }
            // Cut short where the task is cancelled; the command goes on.
            try? await ContinuousClock().sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    private static func start(
        _ command: String, input: [UInt8], variables: [(name: String, value: String)]
    ) throws(ClientFailure) -> pid_t {
        let standardInput = try file(with: input)
        defer { _ = close(standardInput) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
        let words = unsafe ["/bin/sh", "-c", command].map(copy)
        let own = unsafe variables.map { "\($0.name)=\($0.value)" }.map(copy)
        defer { unsafe (words + own).forEach { pointer in unsafe free(pointer) } }
        let environment = unsafe inherited(without: variables.map(\.name)) + own + [nil]
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, words + [nil], environment)
        guard code == 0 else { throw .cannotStart(detail: "/bin/sh: \(SystemError.text(code))") }
        return process
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? { unsafe strdup(text) }

    private static func inherited(without names: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var kept: [UnsafeMutablePointer<CChar>?] = unsafe []
        guard var entry = unsafe refreshd_environment() else { return unsafe kept }
        while let text = unsafe entry.pointee {
            let isOurs = names.contains { name in
                unsafe strncmp(text, "\(name)=", name.utf8.count + 1) == 0
            }
            if !isOurs { unsafe kept.append(text) }
            unsafe entry += 1
        }
        return unsafe kept
    }

    /// A file in memory holds any length, where a pipe would make us wait for the reader.
    private static func file(with bytes: [UInt8]) throws(ClientFailure) -> Int32 {
        let descriptor = unsafe refreshd_memory_file("change")
        guard descriptor >= 0 else { throw .cannotStart(detail: SystemError.text(refreshd_errno())) }
        do throws(ClientFailure) {
            try Output(descriptor: descriptor).write(bytes)
        } catch {
            _ = close(descriptor)
            throw error
        }
        _ = lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}
