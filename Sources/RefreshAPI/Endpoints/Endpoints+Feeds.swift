import RefreshCore

/// What the daemon tells of its feeds.
extension Endpoints {
    func feeds(_ call: Call) -> Reply {
        let (picture, now) = (picture(for: call.viewer), call.now)
        var text = JSONText(reserving: 4_096)
        text.object { text in
            text.name("feeds")
            text.array { text in
                for feed in picture.feeds { Endpoints.write(feed, at: now.wall, to: &text) }
            }
        }
        let hold = Hold(from: now, until: Hold.freshness(of: picture.feeds, at: now.wall))
        let answer = Answer(json: text)
        return call.viewer.seesAll
            ? .lasting(answer, of: .board(picture.version), for: hold) : .answer(answer)
    }

    static func feed(_ feed: FeedStatus, at now: Timestamp) -> Answer {
        var text = JSONText(reserving: 1_024)
        write(feed, at: now, to: &text)
        return Answer(json: text)
    }

    private static func write(_ feed: FeedStatus, at now: Timestamp, to text: inout JSONText) {
        let progress = feed.progress
        text.object { text in
            text.member("name", feed.feed.name)
            text.member("title", feed.title)
            text.name("tags")
            text.array { text in
                for tag in feed.tags { text.string(tag) }
            }
            text.member("adapter", feed.adapter)
            text.member("url", feed.url)
            text.member("freshness", feed.freshness(at: now).rawValue)
            text.member("state", feed.state.rawValue)
            text.name("alarms")
            text.array { text in
                for alarm in feed.alarms(at: now) { text.string(alarm) }
            }
            text.member("last_success", progress.lastSuccess)
            text.member("last_attempt", progress.lastAttempt)
            text.member("last_change", progress.lastChange)
            text.member("next_due", feed.nextDue)
            text.member("due_rule", feed.dueRule)
            text.member("consecutive_failures", progress.failures)
            if let failure = progress.failure {
                text.member("last_error", failure)
            } else {
                text.name("last_error")
                text.null()
            }
            write(progress.tally, to: &text)
            text.member("in_flight", feed.inFlight)
            text.member("items", feed.store.items)
            text.member("bytes", feed.store.bytes)
            // No feed of this version has pages upstream: what is cached is all there is.
            text.member("end", true)
            text.member("listed_at", progress.lastSuccess)
            text.member("checked_at", progress.lastSuccess)
            text.member(
                "sync_key",
                SyncKey(epoch: feed.store.epoch, seq: feed.store.seq).text(feed: feed.feed))
        }
    }

    /// Null where no answer came, and before the first pass.
    private static func write(_ tally: PassTally, to text: inout JSONText) {
        text.name("last_pass")
        guard tally.passes > 0 else { return text.null() }
        text.object { text in
            text.member("status", tally.status == 0 ? nil : Int(tally.status))
            text.member("bytes", Int(tally.bytes))
            text.member("ms", Int(tally.milliseconds))
            text.member("passes", Int(tally.passes))
            text.member("failed", Int(tally.failed))
        }
    }
}
