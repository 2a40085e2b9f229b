import RefreshCore

/// Why a program of the user's gave no output.
package enum PipeFailure: Error, Equatable, Sendable {
    case cannotStart(program: String, reason: String)
    /// It ended by itself and not well; `said` is the beginning of what it wrote to its standard error.
    case failed(program: String, how: String, said: String)
    case tooSlow(program: String, limit: Duration)
    case tooLarge(program: String, limit: ByteCount)
    case cancelled
}

extension PipeFailure {
    /// The same as a feed keeps it.
    package var failure: RefreshFailure { RefreshFailure(kind, code: code, detail: detail) }

    private var kind: RefreshFailure.Class {
        switch self {
        case .cannotStart: .config
        case .failed, .tooSlow, .tooLarge: .data
        case .cancelled: .internal
        }
    }

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .cannotStart: "pipe-not-started"
        case .failed: "pipe-failed"
        case .tooSlow: "pipe-timeout"
        case .tooLarge: "pipe-too-large"
        case .cancelled: "cancelled"
        }
    }

    private var detail: String {
        switch self {
        case .cannotStart(let program, let reason): "the program \(program) cannot be started: \(reason)"
        case .failed(let program, let how, let said):
            "the program \(program) \(how)" + (said.isEmpty ? " and said nothing" : ": \(said)")
        case .tooSlow(let program, let limit):
            "the program \(program) took longer than \(DurationText.format(limit)) and was ended"
        case .tooLarge(let program, let limit):
            "the program \(program) wrote more than \(limit.bytes) bytes and was ended"
        case .cancelled: "the program was ended before its time"
        }
    }
}
