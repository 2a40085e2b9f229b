import RefreshCore

/// Requests that wait: for the end of a refresh or for a change of a feed, and none longer than it wants to.
struct WaitingRoom<Guest> {
    enum Event: Hashable {
        /// The end of an errand, by its number.
        case errand(UInt64)
        /// The same, before the cache is read.
        case fetch(UInt64)
        /// Something new in a feed's change log.
        case change(FeedID)
    }

    struct Seat {
        let guest: Guest
        let event: Event
        let feed: FeedID?
        let deadline: BootTime
    }

    private var seats: [UInt64: Seat] = [:]
    private var events: [Event: Set<UInt64>] = [:]
    private var last: UInt64 = 0
    /// The earliest deadline; nil where it has to be looked for.
    private var earliest: BootTime?

    init() {}

    var isEmpty: Bool { seats.isEmpty }
    var count: Int { seats.count }

    /// The feeds of whose changes somebody waits to hear.
    var feeds: [FeedID] {
        events.keys.compactMap { if case .change(let feed) = $0 { feed } else { nil } }
    }

    /// When the next one has waited long enough; nil: nobody waits.
    var deadline: BootTime? {
        mutating get {
            // Asked in every turn, and most of the time nobody waits.
            if seats.isEmpty { return nil }
            if earliest == nil {
                for seat in seats.values { earliest = min(earliest ?? seat.deadline, seat.deadline) }
            }
            return earliest
        }
    }

    mutating func enter(_ guest: Guest, for event: Event, of feed: FeedID?, until deadline: BootTime) {
        last += 1
        seats[last] = Seat(guest: guest, event: event, feed: feed, deadline: deadline)
        events[event, default: []].insert(last)
        if let known = earliest { earliest = min(known, deadline) }
    }

    /// Everybody who waits for `event`; they leave.
    mutating func leave(for event: Event) -> [Seat] { leave(Array(events[event] ?? [])) }

    /// Everybody whose time is over; they leave.
    mutating func leave(at now: BootTime) -> [Seat] {
        guard let deadline, deadline <= now else { return [] }
        return leave { $0.deadline <= now }
    }

    /// Everybody for whom `isWanted` holds; they leave.
    mutating func leave(where isWanted: (Seat) -> Bool) -> [Seat] {
        var numbers: [UInt64] = []
        for (number, seat) in seats where isWanted(seat) { numbers.append(number) }
        return leave(numbers)
    }

    private mutating func leave(_ numbers: [UInt64]) -> [Seat] {
        numbers.sorted().compactMap { number in
            guard let seat = seats.removeValue(forKey: number) else { return nil }
            events[seat.event]?.remove(number)
            if events[seat.event]?.isEmpty == true { events[seat.event] = nil }
            if seat.deadline == earliest { earliest = nil }
            return seat
        }
    }
}
