/// What somebody who runs the host may have forgotten of a feed.
package enum Clearing: String, Sendable, CaseIterable {
    /// Everything that is cached; programs have to list anew.
    case purge
    /// Where the last pass has stopped and what it was answered, so that the next one reads the whole list. Items and
    /// sync keys stay.
    case reset

    /// What is kept of a feed's refreshes after it.
    ///
    /// Without validators, body hash and checkpoint the upstream has to answer in full: an empty cache would otherwise
    /// stay empty for as long as nothing changes there. What the upstream has asked for (pauses after failures, a new
    /// address, its end) stays: to forget it would be impolite.
    ///
    /// - Parameter isCut: a refresh under way was cut short for it, and has to begin anew.
    package func apply(to progress: FeedProgress, isCut: Bool, at now: Timestamp) -> FeedProgress {
        var next = progress
        next.validators = Validators()
        next.validatorScope = 0
        next.bodyHash = nil
        next.checkpoint = nil
        next.tagDistrusted = nil
        next.fullAsked = nil
        next.lastFull = nil
        if self == .purge {
            next.lastSuccess = nil
            next.lastChange = nil
            next.suspect = nil
            next.httpHint = .silent
        }
        let mayAsk = next.failures == 0 && next.gone == nil && next.lastAttempt != nil
        if mayAsk, self == .purge || isCut {
            next.due = now
            next.dueRule = .cleared
        }
        return next
    }
}
