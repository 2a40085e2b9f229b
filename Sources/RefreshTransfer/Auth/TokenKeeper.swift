import RefreshCore

/// Performs what the token machines decide: one for each credential, whoever uses it.
///
/// What is asked of an endpoint goes on when the one who wanted it has left: a rotated token must not be lost.
actor TokenKeeper {
    /// Asks an endpoint, with this refresh token or the file's own; runs while others wait.
    typealias Fetch = @Sendable (_ refreshToken: String?) async -> Result<TokenGrant, RefreshFailure>

    struct Credential: Sendable {
        let id: CredentialID
        /// Changes with whatever the operator may mend: secrets, addresses.
        let fingerprint: UInt64
        let early: Duration
        let storesTokens: Bool
        let fetch: Fetch
    }

    private struct Entry {
        var machine: TokenMachine
        var fingerprint: UInt64
        var fetch: Fetch
        var lastUse: UInt64
    }

    private static let mostEntries = 1_024

    private let store: any TokenStore
    private let time: any TimeSource
    private var random: Randomness
    private var entries: [CredentialID: Entry] = [:]
    private let waiters = TokenWaiters()
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    /// Those of `tasks` that only let time pass.
    private var sleepers: Set<UInt64> = []
    private var lastNumber: UInt64 = 0
    private var isClosed = false

    init(store: any TokenStore, time: any TimeSource, random: Randomness) {
        self.store = store
        self.time = time
        self.random = random
    }

    /// A token of `credential`, fetched where there is none; a failure where the caller's task is cancelled.
    func token(of credential: Credential) async -> TokenMachine.Outcome {
        guard !isClosed else { return .failure(TransferFailure.stopped.failure) }
        prepare(credential)
        let waiter = newNumber()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters.add(waiter, continuation)
                turn(credential.id) { $0.want(waiter, at: time.now().boot) }
            }
        } onCancel: {
            waiters.cancel(waiter)
        }
        // Of meaning only where it was cancelled.
        entries[credential.id]?.machine.forget(waiter)
        return outcome
    }

    /// Whether a token of `credential` is at hand, so that nobody has to be asked for one.
    func hasToken(of credential: Credential) -> Bool {
        guard !isClosed, let entry = entries[credential.id], entry.fingerprint == credential.fingerprint
        else {
            return false
        }
        return entry.machine.hasToken(at: time.now().boot)
    }

    /// The upstream refused this token.
    func refused(_ token: AccessToken, of id: CredentialID) { entries[id]?.machine.refused(token.value) }

    /// Returns when every exchange under way has ended and its tokens are stored; nobody gets a token afterwards.
    func close() async {
        isClosed = true
        for number in sleepers { tasks[number]?.cancel() }
        while let task = tasks.values.first { await task.value }
        waiters.answerAll(.failure(TransferFailure.stopped.failure))
    }

    // MARK: - Entries

    private func prepare(_ credential: Credential) {
        let use = newNumber()
        if var entry = entries[credential.id] {
            if entry.fingerprint != credential.fingerprint { entry.machine.renewed() }
            entry.fingerprint = credential.fingerprint
            entry.fetch = credential.fetch
            entry.lastUse = use
            entries[credential.id] = entry
            return
        }
        if entries.count >= TokenKeeper.mostEntries,
            let oldest = entries.filter({ $0.value.machine.isIdle }).min(by: {
                $0.value.lastUse < $1.value.lastUse
            })
        {
            entries[oldest.key] = nil
        }
        entries[credential.id] = Entry(
            machine: TokenMachine(early: credential.early, storesTokens: credential.storesTokens),
            fingerprint: credential.fingerprint, fetch: credential.fetch, lastUse: use)
    }

    private func newNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: - Effects

    private func turn(_ id: CredentialID, _ event: (inout TokenMachine) -> [TokenMachine.Effect]) {
        guard var entry = entries[id] else { return }
        let effects = event(&entry.machine)
        entries[id] = entry
        for effect in effects { perform(effect, id) }
    }

    private func perform(_ effect: TokenMachine.Effect, _ id: CredentialID) {
        switch effect {
        case .answer(let answered, let outcome): waiters.answer(answered, outcome)
        case .load: start { await $0.load(id) }
        case .fetch(let refreshToken): start { await $0.fetch(id, refreshToken) }
        case .save(let refreshToken): start { await $0.save(id, refreshToken) }
        case .wake(let deadline):
            // Nobody asks again after the end.
            guard !isClosed else { return }
            sleepers.insert(start { await $0.pause(id, until: deadline) })
        }
    }

    /// Runs `work` in a task that `close` waits for.
    @discardableResult
    private func start(_ work: @escaping @Sendable (TokenKeeper) async -> Void) -> UInt64 {
        let number = newNumber()
        tasks[number] = Task {
            await work(self)
            self.tasks[number] = nil
            self.sleepers.remove(number)
        }
        return number
    }

    private func load(_ id: CredentialID) async {
        do throws(RefreshFailure) {
            let stored = try await store.load(id)
            turn(id) { $0.loaded(stored, at: time.now().boot) }
        } catch {
            turn(id) { $0.unloaded(error) }
        }
    }

    private func fetch(_ id: CredentialID, _ refreshToken: String?) async {
        guard let fetch = entries[id]?.fetch else { return }
        switch await fetch(refreshToken) {
        case .success(let grant): turn(id) { $0.granted(grant, at: time.now().boot) }
        case .failure(let failure):
            let chance = random.unit()
            turn(id) { $0.failed(failure, chance: chance, at: time.now().boot) }
        }
    }

    private func save(_ id: CredentialID, _ refreshToken: String) async {
        do throws(RefreshFailure) {
            try await store.save(refreshToken, for: id)
            turn(id) { $0.saved() }
        } catch {
            turn(id) { $0.unsaved(error) }
        }
    }

    private func pause(_ id: CredentialID, until deadline: BootTime) async {
        do { try await time.sleep(until: deadline) } catch { return }
        turn(id) { $0.woke(at: max(time.now().boot, deadline)) }
    }
}
