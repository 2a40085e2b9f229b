import RefreshCore

/// How many upstream requests each user's programs may still cause by reading (`daemon.quota`).
///
/// What was spent comes back evenly over the time of the rate, so that a user who has spent all of it can go on one
/// request at a time.
struct Quotas {
    private struct Account {
        var left: Double
        var at: BootTime
    }

    private var accounts: [UInt32: Account] = [:]

    /// Accounts that are kept; beyond them those that are full again are forgotten, which changes nothing.
    private static let roomy = 1_024

    /// Spends one request of `user`'s; how long to wait where none is left, and nothing is spent then.
    mutating func spend(by user: UInt32, of rate: Rate, at now: BootTime) -> Duration? {
        if accounts.count >= Quotas.roomy { forgetFull(of: rate, at: now) }
        let most = Double(rate.count)
        let old = accounts[user] ?? Account(left: most, at: now)
        var left = min(most, old.left + Quotas.gained(since: old.at, of: rate, at: now))
        guard left >= 1 else {
            accounts[user] = Account(left: left, at: now)
            return rate.per * ((1 - left) / most)
        }
        left -= 1
        accounts[user] = Account(left: left, at: now)
        return nil
    }

    private mutating func forgetFull(of rate: Rate, at now: BootTime) {
        accounts = accounts.filter { _, account in
            account.left + Quotas.gained(since: account.at, of: rate, at: now) < Double(rate.count)
        }
    }

    private static func gained(since: BootTime, of rate: Rate, at now: BootTime) -> Double {
        let passed = Double(max(now - since, .zero).inMicroseconds)
        return passed / Double(max(rate.per.inMicroseconds, 1)) * Double(rate.count)
    }
}
