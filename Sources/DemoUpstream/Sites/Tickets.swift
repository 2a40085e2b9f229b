import RefreshCore

/// A list that tells what changed: whoever brings the token of an earlier list gets the changes since, deletions
/// among them. About every ten seconds a ticket is opened, goes one step on, or is deleted.
struct Tickets: Sendable {
    static let pageSize = 25
    private static let every: Int64 = 45
    /// No ticket is older than the longest of all its steps together.
    private static let longestLife: Int64 = 3 * 600 + 3_600

    private let chance: Chance
    private let tokens: TicketTokens

    init(seed: UInt64) {
        chance = Chance(seed: seed)
        tokens = TicketTokens(seed: seed)
    }

    /// The answer to `page_token`, `sync_token` or neither. With both, the page wins: it knows what it belongs to.
    func list(_ query: Query, at moment: Timestamp) -> Document {
        let now = moment.wholeSeconds
        guard let window = window(query, at: now), window.isHonoured(at: now) else { return Tickets.gone }
        let pages = pages(of: window)
        guard pages.indices.contains(window.page) else { return Tickets.gone }
        return Document { text in
            text.name("tickets")
            text.array { text in
                for ticket in pages[window.page] { ticket.write(to: &text) }
            }
            if window.page + 1 < pages.count {
                text.name("next_page_token")
                text.string(tokens.nextPage(after: window))
            } else {
                text.name("next_sync_token")
                text.string(tokens.sync(after: window))
            }
        }
    }

    private func window(_ query: Query, at now: Int64) -> TicketWindow? {
        if let token = query.first("page_token") { return tokens.page(token) }
        if let token = query.first("sync_token") { return tokens.changes(since: token, at: now) }
        return TicketWindow(since: nil, until: now, page: 0)
    }

    private static let gone = Document(
        refusing: .gone, code: "token_gone",
        "the token is unknown or older than an hour; list again without a token")

    // MARK: - What is listed

    /// At least one page. Deletions come last, on pages of their own: where nothing but deletions happened, the
    /// first page is empty and yet not the last.
    func pages(of window: TicketWindow) -> [[Ticket]] {
        let tickets = tickets(at: window.until, from: window.since ?? window.until)
        guard let since = window.since else {
            return Tickets.cut(tickets.filter { $0.status != .deleted })
        }
        let touched = tickets.filter { $0.updated > since }
        let deleted = touched.filter { $0.status == .deleted }
        return Tickets.cut(touched.filter { $0.status != .deleted })
            + (deleted.isEmpty ? [] : Tickets.cut(deleted))
    }

    private static func cut(_ tickets: [Ticket]) -> [[Ticket]] {
        tickets.isEmpty
            ? [[]]
            : stride(from: 0, to: tickets.count, by: pageSize).map { start in
                Array(tickets[start..<min(start + pageSize, tickets.count)])
            }
    }

    /// Every ticket that was not yet deleted at `start`, as it stands at `end`, by number.
    private func tickets(at end: Int64, from start: Int64) -> [Ticket] {
        let oldest = (start - Tickets.longestLife).floored(by: Tickets.every) - 1
        return (oldest...end.floored(by: Tickets.every)).compactMap { ticket($0, at: end) }
    }

    /// Nil where it is not yet opened.
    func ticket(_ number: Int64, at now: Int64) -> Ticket? {
        let opened = number * Tickets.every + Int64(chance.number(1, number, in: 0...44))
        guard opened <= now else { return nil }
        var updated = opened
        var status = Ticket.Status.open
        for (step, next) in Ticket.Status.allCases.enumerated().dropFirst() {
            let wait = next == .deleted ? 900...3_600 : 60...600
            let taken = updated + Int64(chance.number(1 + step, number, in: wait))
            guard taken <= now else { break }
            (updated, status) = (taken, next)
        }
        let product = Catalogue.entries[chance.number(11, number, in: 0...Catalogue.entries.count - 1)]
        let trouble = Ticket.troubles[chance.number(12, number, in: 0...Ticket.troubles.count - 1)]
        let helper = Ticket.helpers[chance.number(13, number, in: 0...Ticket.helpers.count - 1)]
        return Ticket(
            number: number, title: "\(product.name): \(trouble)", assignee: helper, status: status,
            opened: opened, updated: updated)
    }
}
