import RefreshCore

/// Why a request that needs credentials got no answer.
package enum CredentialFailure: Error, Equatable, Sendable {
    /// The request itself.
    case transfer(TransferFailure)
    case secret(SecretFailure)
    /// No token was to be had.
    case token(RefreshFailure)
    /// The plan asks for a login, and nobody said how.
    case noLogin

    /// Whether nobody waits for the answer any more: the daemon stops, or the task was cancelled.
    package var isStop: Bool {
        switch self {
        case .transfer(.stopped), .transfer(.cancelled): true
        case .token(let failure):
            failure == TransferFailure.stopped.failure || failure == TransferFailure.cancelled.failure
        default: false
        }
    }

    /// The same as a feed keeps it.
    package var failure: RefreshFailure {
        switch self {
        case .transfer(let failure): failure.failure
        case .secret(let failure): failure.failure
        case .token(let failure): failure.settled
        case .noLogin: RefreshFailure(.internal, code: "no-login", detail: "no login request was given")
        }
    }
}

extension RefreshFailure {
    fileprivate var settled: RefreshFailure {
        var copy = self
        copy.isSettled = true
        return copy
    }
}
