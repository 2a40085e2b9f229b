/// Whether what is fetched can be stored (operations 4.2).
///
/// While the disk takes nothing no refresh starts: what it brings would be dropped. A small write at growing pauses
/// tells when that is over. After five minutes refreshes start all the same, since one that only takes items away may
/// be what helps where the cache's own bound is met.
package struct StorageWatch: Sendable {
    private struct Trouble: Sendable {
        let failure: RefreshFailure
        let since: BootTime
        var probes = 0
        var nextProbe: BootTime
    }

    private var trouble: Trouble?
    private var isProbing = false
    /// How often it has been in trouble lately, and since when it is well again.
    private var times = 0
    private var wellSince: BootTime?
    private var toldAt: BootTime?

    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(60)
    private static let longestHold: Duration = .seconds(300)
    private static let telling: Duration = .seconds(60)

    package init() {}

    /// Why nothing may start; nil where something may.
    package var failure: RefreshFailure? { trouble?.failure }

    /// When `probe` is to be asked again.
    package var wakeAt: BootTime? { isProbing ? nil : trouble?.nextProbe }

    /// Something could not be stored; true where that is to be told, at most once a minute.
    package mutating func failed(_ failure: RefreshFailure, at now: BootTime) -> Bool {
        if trouble == nil {
            // What has been well for long begins anew.
            if let wellSince, now - wellSince > StorageWatch.longestHold { times = 0 }
            let pause = min(Backoff.doubled(StorageWatch.firstPause, times: times), StorageWatch.longestPause)
            trouble = Trouble(failure: failure, since: now, nextProbe: now + pause)
            times += 1
        }
        if let toldAt, now - toldAt < StorageWatch.telling { return false }
        toldAt = now
        return true
    }

    /// Whether a write is to be tried now; its end is told by `probed`.
    package mutating func probe(at now: BootTime) -> Bool {
        guard let trouble, !isProbing, now >= trouble.nextProbe else { return false }
        isProbing = true
        return true
    }

    /// The write has ended; true where refreshes may start again.
    package mutating func probed(_ isStored: Bool, at now: BootTime) -> Bool {
        isProbing = false
        guard var trouble else { return false }
        if isStored || now - trouble.since >= StorageWatch.longestHold {
            self.trouble = nil
            wellSince = now
            return true
        }
        trouble.probes += 1
        let pause = Backoff.doubled(StorageWatch.firstPause, times: trouble.probes)
        trouble.nextProbe = now + min(pause, StorageWatch.longestPause)
        self.trouble = trouble
        return false
    }
}

extension RefreshFailure {
    /// What was fetched could not be stored: no fault of its feed.
    package var isStorage: Bool { self.class == .internal && code.hasPrefix("storage-") }
}
