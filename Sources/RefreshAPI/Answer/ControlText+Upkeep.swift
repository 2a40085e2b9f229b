import RefreshCore
import RefreshEngine

/// What is told of purges, resets, backups and the log.
extension ControlText {
    static func cleared(
        _ feed: FeedID, _ clearing: Clearing, _ outcome: ClearOutcome, instance: String
    ) -> Answer {
        switch outcome {
        case .cleared(let items):
            var text = JSONText()
            text.object { text in
                text.member("feed", feed.name)
                switch clearing {
                case .purge: text.member("purged_items", items)
                case .reset: text.member("reset", true)
                }
            }
            return uncached(text)
        case .busy:
            return Problem(.controlBusy, "feed \"\(feed)\" is being purged or reset").answer(
                instance: instance)
        case .failed(let reason): return Problem(.cacheFailed, reason).answer(instance: instance)
        case .noFeed:
            return Problem(.feedNotFound, "there is no feed \"\(feed)\" any more").answer(instance: instance)
        }
    }

    static func answer(_ outcome: BackupOutcome, instance: String) -> Answer {
        switch outcome {
        case .failed(let reason): return Problem(.backupFailed, reason).answer(instance: instance)
        case .written(let report, let kept, let took):
            var text = JSONText()
            text.object { text in
                text.member("folder", report.folder)
                text.member("name", report.name)
                text.name("files")
                text.array { text in
                    for file in report.files {
                        text.object { text in
                            text.member("name", file.name)
                            text.member("bytes", file.bytes)
                        }
                    }
                }
                text.member("kept", kept)
                text.name("dropped")
                text.array { text in
                    for name in report.dropped { text.string(name) }
                }
                text.member("took_ms", took.inMilliseconds)
            }
            return uncached(text)
        }
    }

    static func answer(_ change: LogLevelChange) -> Answer {
        var text = JSONText()
        text.object { text in
            text.member("level", change.level.name)
            text.member("was", change.before.name)
        }
        return uncached(text)
    }
}
