import RefreshCore

/// The writer for as long as its connection is to be believed, and after a failure of the disk a new one.
///
/// What failed may have taken earlier writes with it, and a second try would not show that. So the connection is
/// closed without another write, the database is opened and checked anew, and only then is anything stored.
struct WriterSeat {
    typealias Opening = @Sendable (Writer.Memory) throws(StoreFailure) -> Writer

    private enum Seat {
        case taken(Writer)
        case empty(Writer.Memory, StoreFailure)
    }

    private var seat: Seat
    private let open: Opening
    private var triedAt: ContinuousClock.Instant?

    /// Not more often is a database opened anew: each time it is read from end to end.
    private static let pause: Duration = .seconds(1)

    init(_ writer: Writer, open: @escaping Opening) {
        seat = .taken(writer)
        self.open = open
    }

    /// Who writes now, or why nobody does.
    mutating func writer(at now: ContinuousClock.Instant) -> Result<Writer, StoreFailure> {
        if case .taken(let writer) = seat {
            guard let fault = writer.fault else { return .success(writer) }
            seat = .empty(writer.memory, fault)
        }
        // The old connection is closed by now: nobody else holds its writer.
        guard case .empty(let memory, let fault) = seat else { return .failure(.stopped) }
        if let triedAt, now - triedAt < WriterSeat.pause { return .failure(fault) }
        triedAt = now
        do throws(StoreFailure) {
            let writer = try open(memory)
            seat = .taken(writer)
            return .success(writer)
        } catch {
            seat = .empty(memory, error)
            return .failure(error)
        }
    }
}
