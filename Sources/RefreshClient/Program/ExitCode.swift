/// How refreshctl ends, for scripts (the numbers from 64 are those of sysexits.h).
package enum ExitCode: Int32, Sendable {
    case ok = 0
    /// The daemon or the upstream says no: not found, failed, wrong configuration.
    case failure = 1
    /// A wrong command line.
    case usage = 64
    /// No daemon answers.
    case unavailable = 69
    /// The socket or the daemon does not let this user.
    case denied = 77
    /// The configuration cannot be read.
    case config = 78
    /// Whoever read standard output has left: what a shell shows for a program that SIGPIPE ended.
    case brokenPipe = 141
}
