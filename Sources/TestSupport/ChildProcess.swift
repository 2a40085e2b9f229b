import CLinux
import Glibc
import RefreshCore

/// A program that a test runs: its own process group, its output in files, ended with the object at the latest.
package final class ChildProcess: Sendable {
    package enum Failure: Error { case cannotStart(String) }

    /// How a program ended.
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    package let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    private let ending = Locked<Ending?>(nil)

    /// Starts `program` with standard output and error going to files in `folder`.
    package init(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder, name: String = "child",
        environment: [String: String] = [:]
    ) throws {
        outputPath = folder.path("\(name).out")
        errorPath = folder.path("\(name).err")
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, outputPath, flags, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, errorPath, flags, 0o600)
        // What other tests have open is nothing of the child's.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // A child inherits the mask of the thread that starts it; it must hear SIGTERM whatever that thread blocks.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) {
            $1
        }
        // A sanitized program goes by the words of the sanitized test.
        for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        var argv = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var envp = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var started: pid_t = 0
        let code = unsafe posix_spawn(&started, program, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw Failure.cannotStart("\(program): error \(code)") }
        pid = started
    }

    deinit {
        if ending.withLock({ $0 }) == nil {
            _ = kill(-pid, SIGKILL)
            var status: Int32 = 0
            _ = unsafe waitpid(pid, &status, 0)
        }
    }

    /// Sends `number` to the program; nothing happens where it has ended.
    package func signal(_ number: Int32) {
        if ending.withLock({ $0 }) == nil { _ = kill(pid, number) }
    }

    /// Waits for the end; nil after `limit`. Looks every few milliseconds and blocks no thread in between.
    package func wait(atMost limit: Duration = .seconds(20)) async -> Ending? {
        let deadline = ContinuousClock.now + limit
        repeat {
            if let ending = poll() { return ending }
            try? await Task.sleep(for: .milliseconds(5))
        } while ContinuousClock.now < deadline
        return poll()
    }

    /// How it ended; nil while it runs.
    package func poll() -> Ending? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            guard unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
            ending =
                refreshd_exited(status) != 0
                ? .exited(refreshd_exit_status(status)) : .signalled(refreshd_term_signal(status))
            return ending
        }
    }

    package var output: String { text(outputPath) }
    package var errors: String { text(errorPath) }

    private func text(_ path: String) -> String {
        readFile(path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Asks `condition` every few milliseconds until it holds; false where it does not within `limit`.
package func eventually(
    within limit: Duration = .seconds(20), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    repeat {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    } while ContinuousClock.now < deadline
    return try await condition()
}

/// The folder of the programs that this build has made: the one that the test's own program lies in.
package let productsFolder: String = {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let path = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    return String(decoding: path.prefix(upTo: path.lastIndex(of: UInt8(ascii: "/")) ?? 0), as: UTF8.self)
}()
