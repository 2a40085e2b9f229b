import RefreshCore

/// Why a command did not do what it was asked.
package enum ClientFailure: Error, Equatable, Sendable {
    /// The system gives no thread or no memory.
    case cannotStart(detail: String)
    /// The path of the socket is longer than the system allows.
    case badSocketPath(String)
    case unreachable(path: String, SocketFault)
    /// Somebody listens, and gave no answer, or only a part of one.
    case noAnswer(path: String, detail: String)
    /// An answer that is none of refreshd's.
    case notRefreshd(path: String, detail: String)
    /// The daemon says no; `hint` is what refreshctl has found out about it.
    case problem(Problem, hint: String?)
    /// A file or folder of the command line that cannot be used.
    case file(path: String, detail: String)
    /// What was asked for cannot be done, and why.
    case refused(String)
    /// Standard output took no more.
    case outputFailed(code: Int32)
    /// Whoever read standard output has left.
    case outputClosed

    package var exitCode: ExitCode {
        switch self {
        case .badSocketPath: .usage
        case .unreachable(_, .denied): .denied
        case .unreachable, .noAnswer, .notRefreshd: .unavailable
        case .problem(let problem, _): problem.status == 401 || problem.status == 403 ? .denied : .failure
        case .cannotStart, .file, .refused, .outputFailed: .failure
        case .outputClosed: .brokenPipe
        }
    }

    /// For people; nil where nobody is there to be told. Text from elsewhere stands in it as it came.
    package var message: String? {
        switch self {
        case .cannotStart(let detail): "no request can be made: \(detail)"
        case .badSocketPath(let path):
            "the socket's path has \(path.utf8.count) bytes; "
                + "it must have 1 to \(SocketAddress.longestPath): \(path)"
        case .unreachable(let path, .denied):
            "no refreshd answers on \(path): permission denied; may this user use it? "
                + "(group refreshd-users, or --socket PATH)"
        case .unreachable(let path, let fault):
            "no refreshd answers on \(path): \(fault.text); is it running? "
                + "(systemctl status refreshd, or make run)"
        case .noAnswer(let path, let detail): "no answer from refreshd on \(path): \(detail)"
        case .notRefreshd(let path, let detail): "what answers on \(path) is not refreshd: \(detail)"
        case .problem(let problem, let hint): [problem.text, hint].compactMap { $0 }.joined(separator: "; ")
        case .file(let path, let detail): "\(path): \(detail)"
        case .refused(let reason): reason
        case .outputFailed(let code): "standard output cannot be written: \(SystemError.text(code))"
        case .outputClosed: nil
        }
    }
}
