import CLinux
import Glibc
import RefreshCore
import RefreshEngine

/// What the daemon tells of itself.
extension Endpoints {
    func root() -> Answer {
        var text = JSONText(reserving: 256)
        text.object { text in
            text.member("server", "refreshd")
            text.member("version", facts.version)
            text.name("api")
            text.object { text in
                text.member("min", Endpoints.apiVersion)
                text.member("max", Endpoints.apiVersion)
            }
            text.member("instance", facts.instance)
            text.member("started_at", facts.started.wall)
            text.name("capabilities")
            text.array { text in
                for capability in ["items", "changes", "refresh"] { text.string(capability) }
            }
        }
        return Answer(json: text)
    }

    /// Who can read this is told that the loop runs.
    func health() -> Answer { Endpoints.checks([Check(name: "api", failure: nil)]) }

    func readiness() -> Answer {
        // Every feed lies in one database, so a look at any of them shows whether it can be read.
        let probe = board.all().first?.feed ?? FeedID("probe")
        var failure: String?
        if let probe {
            do { _ = try reader.head(of: probe) } catch { failure = error.detail }
        }
        return Endpoints.checks([
            Check(name: "config", failure: nil), Check(name: "store", failure: failure),
        ])
    }

    func status(_ call: Call) -> Reply {
        let (picture, now) = (picture(for: call.viewer), call.now)
        let hold = Hold(
            from: now, until: Hold.freshness(of: picture.feeds, at: now.wall), longest: .seconds(1))
        let answer = status(picture, at: now)
        return call.viewer.seesAll
            ? .lasting(answer, of: .board(picture.version), for: hold) : .answer(answer)
    }

    private func status(_ picture: StatusBoard.Picture, at now: Moment) -> Answer {
        let feeds = picture.feeds
        var states: [String: Int] = [:]
        var freshness: [String: Int] = [:]
        for feed in feeds {
            states[feed.state.rawValue, default: 0] += 1
            freshness[feed.freshness(at: now.wall).rawValue, default: 0] += 1
        }
        let (isGood, generation) = counters.configuration
        var text = JSONText(reserving: 512)
        text.object { text in
            text.member("version", facts.version)
            text.member("instance", facts.instance)
            text.member("generation", generation)
            text.member("config", isGood ? "ok" : "reload-failed")
            text.member("started_at", facts.started.wall)
            // These two may be a second old.
            text.member("uptime_ms", (now.boot - facts.started.boot).inMilliseconds)
            text.member("disk_bytes", Endpoints.bytes(in: facts.storeFolder))
            text.name("feeds")
            text.object { text in
                text.member("total", feeds.count)
                text.name("by_state")
                Endpoints.write(states, to: &text)
                text.name("by_freshness")
                Endpoints.write(freshness, to: &text)
            }
            text.member("in_flight", feeds.count(where: \.inFlight))
            text.member("items", feeds.reduce(0) { $0 + $1.store.items })
            text.name("alarms")
            text.array { text in for alarm in picture.alarms { text.string(alarm) } }
        }
        return Answer(json: text)
    }

    // MARK: - Pieces

    private struct Check {
        let name: String
        let failure: String?
    }

    private static func checks(_ checks: [Check]) -> Answer {
        let failed = checks.contains { $0.failure != nil }
        var text = JSONText(reserving: 128)
        text.object { text in
            text.member("status", failed ? "failed" : "ok")
            text.name("checks")
            text.array { text in
                for check in checks {
                    text.object { text in
                        text.member("name", check.name)
                        text.member("ok", check.failure == nil)
                        text.member("detail", check.failure)
                    }
                }
            }
        }
        var answer = Answer(failed ? 503 : 200, json: text)
        if failed { answer.add("Retry-After", "1") }
        return answer
    }

    private static func write(_ counts: [String: Int], to text: inout JSONText) {
        text.object { text in
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                text.name(name.utf8)
                text.number(count)
            }
        }
    }

    // S_IFMT and S_IFREG (inode(7)), which two modules import differently.
    private static let fileTypes: mode_t = 0o170000
    private static let regularFile: mode_t = 0o100000

    /// What the files of a folder hold; nil where it cannot be read.
    private static func bytes(in folder: String) -> Int? {
        guard let directory = unsafe opendir(folder) else { return nil }
        defer { _ = unsafe closedir(directory) }
        var sum = 0
        while let entry = unsafe readdir(directory) {
            var facts = stat()
            let code = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)
                ) {
                    unsafe fstatat(dirfd(directory), $0, &facts, AT_SYMLINK_NOFOLLOW)
                }
            }
            if code == 0, facts.st_mode & fileTypes == regularFile { sum += Int(facts.st_size) }
        }
        return sum
    }
}
