import RefreshCore
import RefreshEngine

/// Something that takes its time, done by others while the client waits or goes.
enum Errand: Sendable, Equatable {
    case refresh(FeedID, RefreshWish)
    case reload
    case pause(FeedID, Bool)

    /// The feed that it is about.
    var feed: FeedID? {
        switch self {
        case .refresh(let feed, _), .pause(let feed, _): feed
        case .reload: nil
        }
    }

    /// For the log.
    var text: String {
        switch self {
        case .refresh(let feed, let wish): "refresh of \(feed), \(wish.mode.rawValue)"
        case .reload: "reload"
        case .pause(let feed, let isPaused): "\(isPaused ? "pause" : "resume") of \(feed)"
        }
    }
}

/// What came of it.
enum ErrandResult: Sendable, Equatable {
    /// Nil where the engine knows no such feed.
    case refresh(RefreshOutcome?)
    case reload(ReloadOutcome)
    case pause(Bool)

    /// Whether the upstream was asked and has answered.
    var isNew: Bool {
        switch self {
        case .refresh(.refreshed?), .refresh(.unchanged?): true
        default: false
        }
    }
}
