/// What is kept of a feed's refreshes over a restart, stored in the transaction of the records that it speaks of
/// (refresh policy 2.1).
package struct FeedProgress: Sendable, Equatable {
    /// When the next scheduled refresh may start.
    package var due: Timestamp?
    /// The start of the last attempt, stored before its request is sent.
    package var lastAttempt: Timestamp?
    /// The end of the last attempt.
    package var lastDone: Timestamp?
    /// The **start** of the last attempt that succeeded (semantics F1).
    package var lastSuccess: Timestamp?
    /// The start of the last attempt that brought a change.
    package var lastChange: Timestamp?
    /// Failures in a row.
    package var failures = 0
    /// The last failure; a success clears it.
    package var failure: FailureNote?
    package var validators = Validators()
    /// A hash of what the validators were given for: URL, coding, credentials, the way records are read.
    package var validatorScope: UInt64 = 0
    /// Where the next pass goes on; nil is from the beginning.
    package var checkpoint: Checkpoint?
    /// Why the last complete pass was not believed, where it was not (semantics U14).
    package var suspect: String?

    package init() {}
}

/// A failure and when it came.
package struct FailureNote: Sendable, Equatable {
    package let failure: RefreshFailure
    package let at: Timestamp

    package init(_ failure: RefreshFailure, at: Timestamp) {
        self.failure = failure
        self.at = at
    }
}
