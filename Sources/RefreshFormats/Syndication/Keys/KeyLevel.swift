/// What tells a feed's entries apart, from the best to the last resort (refresh policy SK1, SK2).
package enum KeyLevel: String, Sendable, CaseIterable, Comparable {
    case id, link, linkDate = "link_date", linkDateTitle = "link_date_title", hash

    package static func < (left: KeyLevel, right: KeyLevel) -> Bool { left.step < right.step }

    private var step: Int { KeyLevel.allCases.firstIndex(of: self) ?? 0 }

    /// This one and those after it.
    var andBelow: ArraySlice<KeyLevel> { KeyLevel.allCases[step...] }
}

/// The level at which a feed's keys are chosen: found on its first document, then kept, and only ever lowered.
package struct KeyPolicy: Sendable, Equatable {
    package let level: KeyLevel
    /// By configuration (`key_policy`): then it is never lowered.
    package let isForced: Bool

    /// A feed of which nothing is known yet.
    package static let undecided = KeyPolicy(stored: .id)

    package init(stored level: KeyLevel) {
        self.level = level
        isForced = false
    }

    package init(forced level: KeyLevel) {
        self.level = level
        isForced = true
    }
}
