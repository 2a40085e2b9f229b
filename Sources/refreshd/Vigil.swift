import CLinux
import RefreshAPI
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer

/// What the main thread does while the daemon serves: it waits for signals, proves to the service manager that every
/// part is alive, and has the log tell what it held back.
struct Vigil: ~Copyable {
    private let engine: Engine
    private let store: Store
    private let api: APIServer
    private let records: StandardErrorLog
    private let log: Log
    private let notifier: ServiceNotifier
    private let time: any TimeSource
    private var watchdog: Watchdog?
    private var nextTurn: BootTime
    /// Questions that have not been answered when last looked at.
    private var engineProbe: Background<Bool>?
    private var storeProbe: Background<Bool>?
    private var turnsAtKnock: UInt64?

    /// - Parameter limit: how long the manager waits for a ping; nil where it expects none.
    init(
        over engine: Engine, _ store: Store, _ api: APIServer, limit: Duration?, records: StandardErrorLog,
        log: Log, notifier: ServiceNotifier, time: any TimeSource
    ) {
        self.engine = engine
        self.store = store
        self.api = api
        self.records = records
        self.log = log
        self.notifier = notifier
        self.time = time
        watchdog = limit.map { Watchdog(limit: $0) }
        nextTurn = time.now().boot
    }

    /// Waits for the next signal; nil where signals cannot be read.
    mutating func signal(_ signals: Signals) -> Int32? {
        while true {
            let wake = [watchdog == nil ? nil : nextTurn, records.due].compactMap { $0 }.min()
            let left = wake.map { max(.zero, $0 - time.now().boot) }
            switch signals.next(within: left, or: records.bell) {
            case .signal(let number): return number
            case .unreadable: return nil
            case .nothing: break
            }
            records.flush()
            turn()
        }
    }

    private mutating func turn() {
        let now = time.now().boot
        guard watchdog != nil, nextTurn <= now else { return }
        let answered = answers()
        guard let turn = watchdog?.turn(answered: answered, at: now) else { return }
        if turn.ping { notifier.ping() }
        for part in turn.late {
            log(
                .error,
                "the \(part.rawValue) does not answer; unless it does, the service manager ends the daemon")
        }
        for part in turn.ask { ask(part) }
        nextTurn = now + (watchdog?.interval ?? .zero)
    }

    private mutating func answers() -> Set<Watchdog.Part> {
        var answered: Set<Watchdog.Part> = []
        if engineProbe?.wait(atMost: .zero) != nil { answered.insert(.scheduler) }
        if storeProbe?.wait(atMost: .zero) != nil { answered.insert(.store) }
        if let turnsAtKnock, api.turns != turnsAtKnock { answered.insert(.api) }
        return answered
    }

    private mutating func ask(_ part: Watchdog.Part) {
        let (engine, store) = (engine, store)
        switch part {
        case .scheduler: engineProbe = Background { await engine.isAlive() }
        case .store:
            storeProbe = Background {
                await store.ping()
                return true
            }
        case .api:
            turnsAtKnock = api.turns
            api.knock()
        }
    }
}
