import RefreshCore

/// What the column `state` says of a row.
enum ItemState: Equatable {
    case live
    /// Deleted, and a last copy is still kept (semantics T5).
    case gone(DeleteReason)
    case tombstone(DeleteReason)

    /// Added to the reason of what is gone.
    static let goneMark: Int64 = 16

    init(stored number: Int64) {
        if number == 0 {
            self = .live
        } else if number >= ItemState.goneMark {
            self = .gone(ItemState.reason(number - ItemState.goneMark))
        } else {
            self = .tombstone(ItemState.reason(number))
        }
    }

    var stored: Int64 {
        switch self {
        case .live: 0
        case .gone(let reason): Int64(reason.rawValue) + ItemState.goneMark
        case .tombstone(let reason): Int64(reason.rawValue)
        }
    }

    /// Nil of a live item.
    var deleted: DeleteReason? {
        switch self {
        case .live: nil
        case .gone(let reason), .tombstone(let reason): reason
        }
    }

    /// Whether a listing is compared with the row: what lives, and what retention keeps out (semantics T8).
    var isListable: Bool { self == .live || self == .tombstone(.retention) }

    // A reason that only a newer program knows is still a deletion.
    private static func reason(_ number: Int64) -> DeleteReason {
        DeleteReason(rawValue: Int(number)) ?? .upstream
    }
}
