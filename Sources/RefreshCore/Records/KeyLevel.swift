/// What tells a feed's entries apart, from the best to the last resort (refresh policy SK1, SK2).
package enum KeyLevel: String, Sendable, CaseIterable, Comparable {
    case id, link, linkDate = "link_date", linkDateTitle = "link_date_title", hash

    package static func < (left: KeyLevel, right: KeyLevel) -> Bool { left.step < right.step }

    private var step: Int { KeyLevel.allCases.firstIndex(of: self) ?? 0 }

    /// This one and those after it.
    package var andBelow: ArraySlice<KeyLevel> { KeyLevel.allCases[step...] }
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

/// What is known of how a feed's entries are told apart; kept with its progress.
package struct EntryKeys: Sendable, Equatable {
    /// What the keys of its stored items are made of.
    package var level = KeyLevel.id
    /// Documents in a row that listed stored items under other ids (SK4).
    package var churns = 0
    /// Whether the last document that was read has changes in it that are not told of yet (SC3).
    package var holdsBack = false

    /// So many make ids worthless: from then on entries are told apart by something else.
    package static let mostChurns = 2

    package init() {}

    /// How the next document is to be read.
    ///
    /// - Parameter forced: what the configuration says (`key_policy`).
    package func policy(forced: KeyLevel?) -> KeyPolicy {
        if let forced { return KeyPolicy(forced: forced) }
        return KeyPolicy(stored: churns >= EntryKeys.mostChurns ? max(level, .link) : level)
    }
}
