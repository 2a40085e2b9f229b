import RefreshConfig
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer

/// What those who run the host may ask of the daemon, handed to whoever does it.
struct ControlRoom: DaemonControl {
    let engine: Engine
    let reloader: Reloader
    let store: Store
    let durable: DurableStore
    /// The folder of the databases.
    let state: String
    let threshold: LogThreshold
    let log: Log
    let time: any TimeSource

    func reload() async -> ReloadOutcome { await reloader.reload() }

    func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool { await engine.pause(feed, isPaused) }

    func clear(_ feed: FeedID, _ clearing: Clearing) async -> ClearOutcome {
        await engine.clear(feed, clearing)
    }

    func backup() async -> BackupOutcome {
        let settings = reloader.running.settings
        let folder = BackupFolder(settings.backupFolder ?? BackupFolder.standard(in: state))
        let kept = settings.backupsKept
        let (store, durable, start) = (store, durable, time.now())
        let written = await BlockingWork.run { () -> Result<BackupFolder.Report, StoreFailure> in
            do throws(StoreFailure) {
                return .success(try folder.write(store, durable, keep: kept, now: start.wall))
            } catch {
                return .failure(error)
            }
        }
        switch written {
        case .success(let report):
            log(.notice, "backup \(report.name) was written to \(report.folder)")
            return .written(report, kept: kept, took: time.now().boot - start.boot)
        case .failure(let failure):
            log(.error, "the backup failed: \(failure.detail)")
            return .failed(failure.detail)
        }
    }

    func logLevel(_ wanted: LogLevel?) async -> LogLevelChange {
        guard let wanted else {
            let level = threshold.level
            return LogLevelChange(level: level, before: level)
        }
        return LogLevelChange(level: wanted, before: threshold.change(to: wanted))
    }

    func checkConfiguration() async -> ConfigurationVerdict {
        let path = reloader.path
        // As a reload would judge it; it waits for the disk, which no thread of the pool may.
        let result = await BlockingWork.run { ConfigReader.read(path: path, mode: .reload, checkers: .all) }
        return ConfigurationVerdict(
            file: path, feeds: result.plan?.feeds.count, errors: result.errors.map(Reloader.fault),
            warnings: result.warnings.map(Reloader.fault))
    }

    func configuration(_ wish: ConfigurationWish) async -> RunningConfiguration? {
        let running = reloader.running
        let overview = await BlockingWork.run {
            ConfigReader.overview(
                of: running.sources, feed: wish.feed?.name, after: wish.after, limit: wish.limit,
                checkers: .all)
        }
        if wish.feed != nil, overview.feeds.isEmpty { return nil }
        return RunningConfiguration(
            generation: running.generation, file: running.sources.path ?? reloader.path,
            loadedAt: running.loadedAt, overview: overview)
    }
}
