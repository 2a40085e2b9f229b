import RefreshCore
import RefreshEngine

/// Something that takes its time, done by others while the client waits or goes.
enum Errand: Sendable, Equatable {
    case refresh(FeedID, RefreshWish)
    case reload
    case pause(FeedID, Bool)
    case clear(FeedID, Clearing)
    case backup
    case logLevel(LogLevel?)
    case checkConfiguration
    case configuration(ConfigurationWish)

    /// The feed that it is about.
    var feed: FeedID? {
        switch self {
        case .refresh(let feed, _), .pause(let feed, _), .clear(let feed, _): feed
        case .configuration(let wish): wish.feed
        case .reload, .backup, .logLevel, .checkConfiguration: nil
        }
    }

    /// Of errands of the same kind one is done at a time; nil of those that have no such bound.
    var kind: String? {
        switch self {
        case .refresh: nil
        case .reload: "reload"
        case .pause(_, let isPaused): isPaused ? "pause" : "resume"
        case .clear(_, let clearing): clearing.rawValue
        case .backup: "backup"
        case .logLevel: "log-level"
        case .checkConfiguration: "check of the configuration"
        case .configuration: "look at the configuration"
        }
    }

    /// For the log.
    var text: String {
        switch self {
        case .refresh(let feed, let wish): "refresh of \(feed), \(wish.mode.rawValue)"
        case .reload: "reload"
        case .pause(let feed, let isPaused): "\(isPaused ? "pause" : "resume") of \(feed)"
        case .clear(let feed, let clearing): "\(clearing.rawValue) of \(feed)"
        case .logLevel(let level): level.map { "log level \($0.name)" } ?? "log level"
        case .backup, .checkConfiguration, .configuration: kind ?? ""
        }
    }
}

/// What came of it.
enum ErrandResult: Sendable, Equatable {
    /// Nil where the engine knows no such feed.
    case refresh(RefreshOutcome?)
    case reload(ReloadOutcome)
    case pause(Bool)
    case clear(ClearOutcome)
    case backup(BackupOutcome)
    case logLevel(LogLevelChange)
    case checkConfiguration(ConfigurationVerdict)
    /// Nil where there is no such feed in it.
    case configuration(RunningConfiguration?)

    /// Whether the upstream was asked and has answered.
    var isNew: Bool {
        switch self {
        case .refresh(.refreshed?), .refresh(.unchanged?): true
        default: false
        }
    }
}
