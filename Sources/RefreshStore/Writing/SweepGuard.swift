/// Whether what a complete pass lacks may be taken for gone (semantics U14).
struct SweepGuard: Equatable {
    enum Verdict: Equatable {
        case believed
        /// Nothing is removed; the reason is for the feed's status.
        case withheld(String)
    }

    /// Live items before the pass.
    let live: Int
    /// Of these, how many it did not hold.
    let missing: Int
    /// Records it held, and records that were refused.
    let records: Int
    let rejected: Int

    private static let tooManyPercent = 30
    private static let tooManyAtLeast = 10

    func verdict(acceptDrop: Bool) -> Verdict {
        if missing == 0 || acceptDrop { return .believed }
        if records == 0 { return .withheld("the listing was empty; \(live) items were kept") }
        if rejected > 0 {
            // Those that cannot be read may be those that are missing.
            return .withheld("\(rejected) records were refused; \(missing) missing items were kept")
        }
        if missing >= SweepGuard.tooManyAtLeast, missing * 100 > live * SweepGuard.tooManyPercent {
            return .withheld("\(missing) of \(live) items were missing and were kept")
        }
        return .believed
    }
}
