import RefreshCore
import Testing

@Suite("The life of a token") struct TokenMachineTests {
    private static let start = BootTime(.seconds(1_000))
    private static func at(_ seconds: Int) -> BootTime { start + .seconds(seconds) }

    private static func grant(_ value: String, for seconds: Int? = 3_600, refresh: String? = nil)
        -> TokenGrant
    {
        TokenGrant(value: value, lifetime: seconds.map { .seconds($0) }, refreshToken: refresh)
    }

    private static func failure(_ kind: RefreshFailure.Class, after: Duration? = nil) -> RefreshFailure {
        RefreshFailure(kind, code: "x", detail: "x", retryAfter: after)
    }

    /// The value that was handed to `waiters`, and whether it was new; nil for another effect.
    private static func token(_ effects: [TokenMachine.Effect], to waiters: [UInt64]) -> (String, Bool)? {
        guard effects.count == 1, case .answer(waiters, .token(let token, let isFresh)) = effects[0] else {
            return nil
        }
        return (token.value, isFresh)
    }

    private static func failed(_ effects: [TokenMachine.Effect], to waiters: [UInt64]) -> RefreshFailure? {
        guard effects.count == 1, case .answer(waiters, .failure(let failure)) = effects[0] else {
            return nil
        }
        return failure
    }

    @Test("is fetched once for all who wait, and then kept")
    func sharesOneFetch() {
        var machine = TokenMachine()
        #expect(machine.want(1, at: Self.at(0)) == [.fetch(refreshToken: nil)])
        #expect(machine.want(2, at: Self.at(1)) == [])
        let granted = machine.granted(Self.grant("a"), at: Self.at(2))
        #expect(Self.token(granted, to: [1, 2])! == ("a", true))
        let again = machine.want(3, at: Self.at(3))
        #expect(Self.token(again, to: [3])! == ("a", false))
    }

    @Test(
        "is renewed before it ends, by no more than half its life",
        arguments: [(3_600, 3_539, 3_540), (60, 29, 30), (10, 4, 5), (1, 0, 1)])
    func renewsEarly(_ life: Int, _ good: Int, _ old: Int) {
        var machine = TokenMachine(early: .seconds(60))
        _ = machine.want(1, at: Self.at(0))
        // Its life is counted from the question, not from the answer.
        _ = machine.granted(Self.grant("a", for: life), at: Self.at(0) + .milliseconds(10))
        let kept = machine.want(2, at: Self.at(good))
        #expect(Self.token(kept, to: [2])! == ("a", false))
        #expect(machine.want(3, at: Self.at(old)) == [.fetch(refreshToken: nil)])
    }

    @Test("without a lifetime is used until it is refused")
    func unlimited() {
        var machine = TokenMachine(early: .seconds(60))
        _ = machine.want(1, at: Self.at(0))
        _ = machine.granted(Self.grant("a", for: nil), at: Self.at(0))
        let kept = machine.want(2, at: Self.at(1_000_000_000))
        #expect(Self.token(kept, to: [2])! == ("a", false))
    }

    @Test("that was refused is not given out again; another one is")
    func refused() {
        var machine = TokenMachine()
        _ = machine.want(1, at: Self.at(0))
        _ = machine.granted(Self.grant("a"), at: Self.at(0))
        // The refusal of an older token says nothing of this one.
        machine.refused("older")
        let kept = machine.want(2, at: Self.at(1))
        #expect(Self.token(kept, to: [2])! == ("a", false))
        machine.refused("a")
        #expect(machine.want(3, at: Self.at(2)) == [.fetch(refreshToken: nil)])
    }

    // MARK: - Rotation

    // singer-io/tap-salesforce#223, meltano/sdk#3727, airbytehq/airbyte#20923.
    @Test("is used only when the refresh token that came with it is stored")
    func savesFirst() {
        var machine = TokenMachine(storesTokens: true)
        #expect(machine.want(1, at: Self.at(0)) == [.load])
        #expect(machine.want(2, at: Self.at(0)) == [])
        #expect(machine.loaded("r1", at: Self.at(0)) == [.fetch(refreshToken: "r1")])
        #expect(
            machine.granted(Self.grant("a", refresh: "r2"), at: Self.at(1)) == [.save(refreshToken: "r2")])
        #expect(machine.want(3, at: Self.at(1)) == [])
        let saved = machine.saved()
        #expect(Self.token(saved, to: [1, 2, 3])! == ("a", true))
        machine.refused("a")
        #expect(machine.want(4, at: Self.at(2)) == [.fetch(refreshToken: "r2")])
    }

    @Test("comes with no new refresh token where the old one stays")
    func keepsOld() {
        var machine = TokenMachine(storesTokens: true)
        _ = machine.want(1, at: Self.at(0))
        _ = machine.loaded("r1", at: Self.at(0))
        for (round, renewed) in [nil, "r1"].enumerated() {
            let granted = machine.granted(Self.grant("a", refresh: renewed), at: Self.at(1))
            #expect(Self.token(granted, to: [UInt64(round) + 1])! == ("a", true))
            machine.refused("a")
            #expect(machine.want(UInt64(round) + 2, at: Self.at(2)) == [.fetch(refreshToken: "r1")])
        }
    }

    @Test("waits for the store that failed, and is not fetched again meanwhile")
    func unsaved() {
        var machine = TokenMachine(storesTokens: true)
        _ = machine.want(1, at: Self.at(0))
        _ = machine.loaded(nil, at: Self.at(0))
        _ = machine.granted(Self.grant("a", refresh: "r2"), at: Self.at(0))
        let failed = machine.unsaved(Self.failure(.internal))
        #expect(Self.failed(failed, to: [1])?.class == .internal)
        #expect(!machine.isIdle)
        #expect(machine.want(2, at: Self.at(1)) == [.save(refreshToken: "r2")])
        let saved = machine.saved()
        #expect(Self.token(saved, to: [2])! == ("a", true))
    }

    @Test("is not fetched with the file's refresh token while the store cannot be read")
    func unloaded() {
        var machine = TokenMachine(storesTokens: true)
        _ = machine.want(1, at: Self.at(0))
        let failed = machine.unloaded(Self.failure(.internal))
        #expect(Self.failed(failed, to: [1]) != nil)
        #expect(machine.want(2, at: Self.at(0)) == [.load])
    }

    // MARK: - Failures

    @Test("is asked for again after a passing fault, a few times, with growing pauses")
    func retries() {
        var plan = RetryPlan()
        plan.tries = 4
        plan.jitter = .none
        var machine = TokenMachine(retry: plan)
        _ = machine.want(1, at: Self.at(0))
        var now = 0
        for pause in [1, 2, 4] {
            #expect(
                machine.failed(Self.failure(.transient), chance: 0.5, at: Self.at(now))
                    == [.wake(at: Self.at(now + pause))])
            #expect(machine.want(99, at: Self.at(now)) == [])
            machine.forget(99)
            now += pause
            #expect(machine.woke(at: Self.at(now) + .milliseconds(-1)) == [])
            #expect(machine.woke(at: Self.at(now)) == [.fetch(refreshToken: nil)])
        }
        let failed = machine.failed(Self.failure(.transient), chance: 0.5, at: Self.at(now))
        #expect(Self.failed(failed, to: [1])?.class == .transient)
    }

    @Test("is asked for at a random point of the pause")
    func jitters() {
        var machine = TokenMachine()
        _ = machine.want(1, at: Self.at(0))
        #expect(
            machine.failed(Self.failure(.transient), chance: 0.25, at: Self.at(0))
                == [.wake(at: Self.at(0) + .milliseconds(250))])
    }

    @Test("is not asked for again when nobody waits for it any more")
    func abandoned() {
        var machine = TokenMachine()
        _ = machine.want(1, at: Self.at(0))
        machine.forget(1)
        #expect(machine.failed(Self.failure(.transient), chance: 0, at: Self.at(0)) == [])
        #expect(machine.isIdle)
    }

    @Test(
        "is asked for no sooner than the endpoint wants, whoever asks",
        arguments: [
            (RefreshFailure.Class.rate, 90, 90), (.rate, nil, 60), (.transient, 30, 30), (.auth, nil, 30),
            (.data, nil, 30),
        ] as [(RefreshFailure.Class, Int?, Int)])
    func holds(_ kind: RefreshFailure.Class, _ after: Int?, _ held: Int) {
        var machine = TokenMachine()
        _ = machine.want(1, at: Self.at(0))
        let failure = Self.failure(kind, after: after.map { .seconds($0) })
        let failed = machine.failed(failure, chance: 0, at: Self.at(0))
        #expect(Self.failed(failed, to: [1])?.class == kind)
        let early = machine.want(2, at: Self.at(held - 1))
        let told = Self.failed(early, to: [2])
        #expect(told?.class == kind)
        if kind == .rate { #expect(told?.retryAfter == .seconds(1)) }
        #expect(machine.want(3, at: Self.at(held)) == [.fetch(refreshToken: nil)])
        _ = machine.failed(Self.failure(.auth), chance: 0, at: Self.at(held))
        // The second in a row waits longer.
        let later = machine.want(4, at: Self.at(held + 59))
        #expect(Self.failed(later, to: [4]) != nil)
        machine.renewed()
        #expect(machine.want(5, at: Self.at(held + 59)) == [.fetch(refreshToken: nil)])
    }

    @Test("survives a thousand random events: everybody is answered once, and one exchange runs at a time")
    func random() {
        for seed in 0..<200 {
            var random = Randomness(seed: UInt64(seed))
            var machine = TokenMachine(early: .seconds(5), storesTokens: seed % 2 == 0)
            var open: Set<UInt64> = []
            var pending: [TokenMachine.Effect] = []
            var now = 0
            var unsavedToken: String?
            func take(_ effects: [TokenMachine.Effect]) {
                for effect in effects {
                    guard case .answer(let waiters, let outcome) = effect else {
                        #expect(pending.isEmpty, "two exchanges at once")
                        pending.append(effect)
                        continue
                    }
                    for waiter in waiters { #expect(open.remove(waiter) != nil) }
                    if case .token(let token, _) = outcome { #expect(token.value != unsavedToken) }
                }
            }
            for step in 0..<1_000 {
                now += Int.random(in: 0..<8, using: &random)
                if Bool.random(using: &random) {
                    open.insert(UInt64(step))
                    take(machine.want(UInt64(step), at: Self.at(now)))
                } else if Int.random(in: 0..<8, using: &random) == 0, let leaver = open.first {
                    machine.forget(leaver)
                    open.remove(leaver)
                } else if let effect = pending.popLast() {
                    let works = Int.random(in: 0..<3, using: &random) > 0
                    switch effect {
                    case .load:
                        take(
                            works
                                ? machine.loaded(nil, at: Self.at(now))
                                : machine.unloaded(Self.failure(.internal)))
                    case .fetch:
                        let token = "t\(step)"
                        if works && seed % 2 == 0 { unsavedToken = token }
                        take(
                            works
                                ? machine.granted(
                                    Self.grant(token, for: 20, refresh: "r\(step)"), at: Self.at(now))
                                : machine.failed(
                                    Self.failure(.transient), chance: random.unit(), at: Self.at(now)))
                    case .save:
                        if works { unsavedToken = nil }
                        take(works ? machine.saved() : machine.unsaved(Self.failure(.internal)))
                    case .wake: take(machine.woke(at: Self.at(now + 100_000)))
                    case .answer: break
                    }
                }
            }
        }
    }
}
