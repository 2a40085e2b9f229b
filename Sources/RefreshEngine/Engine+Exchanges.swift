import RefreshCore
import RefreshTransfer

/// Exchanges of tokens stand in the lines of their origins too: they are requests like all others.
extension Engine: ExchangeTurns {
    /// An exchange that waits for its turn.
    struct WaitingExchange {
        let ticket: Gate.Ticket
        let continuation: CheckedContinuation<ExchangeLeave, Never>
    }

    package func beginExchange(at origin: Origin) async -> ExchangeLeave {
        if stopping { return .none }
        let now = time.now()
        if let until = gate.held(origin, at: now.boot) { return .held(until - now.boot) }
        exchangeNumber += 1
        let ticket = Gate.Ticket(errand: exchangeNumber, origin: origin)
        return await withCheckedContinuation { continuation in
            exchanges[ticket.errand] = WaitingExchange(ticket: ticket, continuation: continuation)
            gate.enqueuePage(ticket)
            startWhatMay(at: now)
            arm()
        }
    }

    package func endExchange(_ turn: ExchangeTurn, _ report: ExchangeReport) async {
        let now = time.now()
        gate.ended(Gate.Ticket(errand: turn.number, origin: turn.origin), kind: .page, at: now.boot)
        counters.upstream(status: report.status, bytes: report.bytes)
        if let failure = report.failure {
            let isOurs = failure.class == .internal || failure.class == .config
            if !isOurs, offline.counts(failure, at: now.boot) { hold(turn.origin, by: failure, at: now) }
        } else if origins[turn.origin] != nil {
            change(turn.origin) { $0.succeeded() }
        }
        startWhatMay(at: now)
        arm()
        await keepOrigins()
    }

    /// It is the turn of an exchange.
    func startExchange(_ ticket: Gate.Ticket, at now: Moment) {
        guard let waiting = exchanges.removeValue(forKey: ticket.errand) else {
            gate.ended(ticket, kind: .page, at: now.boot)
            return
        }
        waiting.continuation.resume(
            returning: .turn(ExchangeTurn(number: ticket.errand, origin: ticket.origin)))
    }

    /// Nobody starts at `origin` before `until`. An exchange does not wait so long: whoever needs it flies meanwhile.
    func hold(_ origin: Origin, until: BootTime, at now: Moment) {
        gate.hold(origin, until: until)
        guard until > now.boot else { return }
        for (number, waiting) in exchanges where waiting.ticket.origin == origin {
            gate.withdraw(waiting.ticket)
            exchanges[number] = nil
            waiting.continuation.resume(returning: .held(until - now.boot))
        }
    }

    /// The daemon stops: those that wait are not begun, those under way end as they may.
    func sendExchangesHome() {
        for waiting in exchanges.values { waiting.continuation.resume(returning: .none) }
        exchanges = [:]
    }
}

/// The turn of one lane of a flight.
struct FlightTurn: HeldTurn {
    let turns: any OriginTurns
    let feed: FeedID
    let origin: Origin
    var lane = 0

    func giveBack() async { await turns.giveBack(of: feed, at: origin, lane: lane) }

    func takeAgain() async -> Bool {
        do {
            try await turns.takeAgain(of: feed, at: origin, lane: lane)
            return true
        } catch {
            return false
        }
    }
}
