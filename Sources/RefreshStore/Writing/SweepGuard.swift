import RefreshCore

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
    /// Records that came on two pages beyond the overlap: an order with ties, where rows are also left out.
    var repeated = 0
    /// What the reader of the pages itself holds against them.
    var doubt: String?
    /// The share of missing items beyond which a pass is not believed.
    var dropGuard = 0.3

    private static let tooManyAtLeast = 10

    func verdict() -> Verdict {
        if missing == 0 { return .believed }
        if let doubt { return .withheld("\(doubt); \(missing) missing items were kept") }
        if records == 0 { return .withheld("the listing was empty; \(live) items were kept") }
        if rejected > 0 {
            // Those that cannot be read may be those that are missing.
            return .withheld("\(rejected) records were refused; \(missing) missing items were kept")
        }
        if repeated > 0 {
            return .withheld("\(repeated) records came on two pages; \(missing) missing items were kept")
        }
        if missing >= SweepGuard.tooManyAtLeast, Double(missing) > Double(live) * dropGuard {
            return .withheld("\(missing) of \(live) items were missing and were kept")
        }
        return .believed
    }
}
