/// What one request lists: a page of what is there at `until`, or of what changed after `since` up to `until`.
///
/// All pages of one list show the same moment, however long the client takes to turn them.
struct TicketWindow: Sendable, Equatable {
    /// Seconds since 1970; nil for the whole list.
    let since: Int64?
    let until: Int64
    /// From 0.
    let page: Int

    /// Tokens are honoured for this many seconds.
    static let horizon: Int64 = 3_600

    /// False for a token that has grown too old, or that was given out by a clock ahead of this one.
    func isHonoured(at now: Int64) -> Bool {
        let oldest = since ?? until
        return oldest <= until && until <= now && oldest >= now - TicketWindow.horizon
    }
}
