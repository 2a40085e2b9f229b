import RefreshCore

/// Who may ask a token endpoint now: an exchange stands in the line of its own origin like any other request, and a
/// pause that it is asked for holds for everybody there (refresh policy 2.3, 2.5).
package protocol ExchangeTurns: AnyObject, Sendable {
    /// Returns when the exchange may start, or says why it may not. What has begun has to be ended.
    func beginExchange(at origin: Origin) async -> ExchangeLeave

    /// The exchange has been answered, or has failed.
    func endExchange(_ turn: ExchangeTurn, _ report: ExchangeReport) async
}

/// Whether an exchange may start.
package enum ExchangeLeave: Sendable {
    case turn(ExchangeTurn)
    /// The origin asked for a pause, which lasts so long.
    case held(Duration)
    /// The daemon stops.
    case none
}

package struct ExchangeTurn: Sendable, Hashable {
    package let number: UInt64
    package let origin: Origin

    package init(number: UInt64, origin: Origin) {
        self.number = number
        self.origin = origin
    }
}

/// What came of an exchange.
package struct ExchangeReport: Sendable {
    /// Nil where no answer came.
    package let status: Int?
    /// Of the body, as they came over the wire.
    package let bytes: Int
    /// Nil where a token was granted.
    package let failure: RefreshFailure?
}

/// The turn that a request holds at its own origin: given back while a token is fetched, which may need it.
package protocol HeldTurn: Sendable {
    func giveBack() async
    /// Returns when there is a turn again; false where there will be none, since the daemon stops.
    func takeAgain() async -> Bool
}
