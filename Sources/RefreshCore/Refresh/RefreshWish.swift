/// A wish for a refresh, with what the one who has it may ask for (refresh policy 2.4).
package struct RefreshWish: Sendable, Equatable {
    package var mode: RefreshMode
    /// With `if_stale`: a copy of this age still does; nil is as fresh as the feed promises.
    package var maxAge: Duration?
    /// Asked on behalf of a reader who is served anyhow: never before the schedule would do it.
    package var isBackground = false
    /// Passes the origin's gate and the least gap.
    package var overridesGate = false
    /// Believe a list that is much shorter than before (semantics U14).
    package var acceptsDrop = false

    package init(_ mode: RefreshMode, maxAge: Duration? = nil) {
        self.mode = mode
        self.maxAge = maxAge
    }

    /// What a `cache_first` read of a stale feed asks for.
    package static var background: RefreshWish {
        var wish = RefreshWish(.ifStale)
        wish.isBackground = true
        return wish
    }
}
