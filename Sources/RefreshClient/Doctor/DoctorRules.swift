import RefreshCore

/// What the doctor makes of the facts; it looks at nothing itself.
package enum DoctorRules {
    // MARK: - Files

    /// What is at a path.
    package struct FileFacts: Sendable, Equatable {
        package enum Kind: Sendable { case file, folder, socket, link, other }

        package let kind: Kind
        /// Permission bits.
        package let mode: UInt32
        package let owner: UInt32
        package let group: UInt32

        package init(kind: Kind, mode: UInt32, owner: UInt32, group: UInt32) {
            self.kind = kind
            self.mode = mode
            self.owner = owner
            self.group = group
        }

        package var isOpenToWriters: Bool { mode & 0o022 != 0 }
    }

    /// A look at a path: its facts, that it is not there, or that this user may not look.
    package enum Look: Sendable, Equatable { case found(FileFacts), missing, denied }

    /// The configuration is trusted as a program is: whoever may write it tells the daemon what to fetch and run.
    package static func configurationFile(_ path: String, _ look: Look, uid: UInt32) -> Finding? {
        let area = "permissions"
        switch look {
        case .missing, .denied: return nil
        case .found(let facts) where facts.isOpenToWriters:
            return Finding(
                .problem, area, "\(path) can be written by others (mode \(octal(facts.mode)))",
                remedy: "chmod go-w \(path)")
        case .found(let facts) where facts.mode & 0o004 != 0:
            return Finding(
                .warning, area, "\(path) can be read by everybody; it may hold secrets",
                remedy: "chmod o-r \(path)")
        case .found(let facts): return Finding(.ok, area, "\(path): mode \(octal(facts.mode))")
        }
    }

    package static func stateFolder(_ path: String, _ look: Look) -> Finding {
        let area = "permissions"
        switch look {
        case .missing:
            return Finding(
                .warning, area, "\(path) is not there yet; the daemon makes it when it starts",
                remedy: "start the daemon: systemctl start refreshd")
        case .denied:
            return Finding(.unknown, area, "\(path): this user may not look", remedy: "run this as root")
        case .found(let facts) where facts.kind != .folder:
            return Finding(
                .problem, area, "\(path) is no folder",
                remedy: "move it away; the unit makes the folder at its next start")
        case .found(let facts) where facts.mode & 0o077 != 0:
            return Finding(
                .problem, area, "\(path) is open to others (mode \(octal(facts.mode)))",
                remedy: "chmod 700 \(path)")
        case .found(let facts): return Finding(.ok, area, "\(path): mode \(octal(facts.mode))")
        }
    }

    private static func octal(_ mode: UInt32) -> String { "0" + String(mode & 0o7777, radix: 8) }

    // MARK: - Sockets

    /// - Parameters:
    ///   - group: of the socket's file.
    ///   - isVital: whether nothing can be asked without it.
    package static func socket(
        _ name: String, _ path: String, _ fault: SocketFault?, group: String?, isVital: Bool
    ) -> Finding {
        switch fault {
        case nil: return Finding(.ok, name, "\(path) answers")
        case .denied:
            let wanted = group ?? (isVital ? "refreshd-users" : "refreshd-admin")
            return Finding(
                isVital ? .problem : .unknown, name, "\(path): this user may not connect",
                remedy: "adduser USER \(wanted), then log in anew; or run this as root")
        case .noSuchSocket:
            return Finding(
                isVital ? .problem : .warning, name, "\(path) is not there",
                remedy: "systemctl start refreshd-api.socket refreshd-control.socket refreshd")
        case .refused:
            return Finding(
                .problem, name, "\(path): nobody listens there",
                remedy:
                    "systemctl status refreshd, journalctl -u refreshd -n 30; then systemctl start refreshd")
        case .notASocket:
            return Finding(
                .problem, name, "\(path) is no socket",
                remedy:
                    "move it away, then systemctl restart refreshd-api.socket refreshd-control.socket refreshd"
            )
        case .other(let code):
            return Finding(.problem, name, "\(path): \(SystemError.text(code))")
        }
    }

    // MARK: - The daemon

    package static func versions(own: String, daemon: String?, api: (least: String, most: String)?) -> Finding
    {
        let area = "versions"
        guard let daemon else {
            return Finding(
                .problem, area, "what answers at the socket tells no version", remedy: "see --socket")
        }
        if let api, !isSpoken(from: api.least, to: api.most) {
            return Finding(
                .problem, area, "the daemon \(daemon) speaks versions \(api.least) to \(api.most) of the API",
                remedy: "install refreshctl of the daemon's version")
        }
        guard own == daemon else {
            return Finding(
                .warning, area, "refreshctl is \(own), the daemon that runs \(daemon)",
                remedy: "systemctl restart refreshd, or install the same version of both")
        }
        return Finding(.ok, area, "refreshctl and the daemon are \(own)")
    }

    /// The first number of a version is what must agree; ours is 1.
    private static func isSpoken(from least: String, to most: String) -> Bool {
        func major(_ text: String) -> Int? { text.split(separator: ".").first.flatMap { Int($0) } }
        guard let least = major(least), let most = major(most) else { return true }
        return least <= 1 && most >= 1
    }

    package static func status(_ status: StatusAnswer) -> [Finding] {
        var findings = status.alarms.map {
            Finding(.problem, "daemon", $0, remedy: "journalctl -u refreshd -n 30 tells more")
        }
        if let config = status.refusedConfig {
            findings.append(
                Finding(
                    .problem, "daemon", "it runs with an older configuration (\(config))",
                    remedy: "refreshctl check names the mistakes; then refreshctl reload"))
        }
        return findings
    }

    package static func feeds(_ feeds: [FeedAnswer]) -> [Finding] {
        let area = "feeds"
        let broken = feeds.filter { $0.state == "config-error" }.map(\.name)
        let failing = feeds.filter { !["config-error", "gone"].contains($0.state ?? "") && $0.failures > 0 }
            .map(\.name)
        let gone = feeds.filter { $0.state == "gone" }.map(\.name)
        var findings: [Finding] = []
        if feeds.isEmpty {
            findings.append(
                Finding(
                    .warning, area, "none are configured",
                    remedy: "refreshctl suggest URL writes one; then refreshctl reload"))
        }
        if !broken.isEmpty {
            findings.append(
                Finding(
                    .problem, area, "wrong in the configuration: \(some(broken))",
                    remedy: "refreshctl check names the lines; then refreshctl reload"))
        }
        if !gone.isEmpty {
            findings.append(
                Finding(
                    .warning, area, "gone, says their upstream: \(some(gone))",
                    remedy: "take them out of the configuration, or mend their URL"))
        }
        if !failing.isEmpty {
            findings.append(
                Finding(
                    .warning, area, "failing: \(some(failing))",
                    remedy: "refreshctl status tells why, refreshctl history FEED since when"))
        }
        if findings.isEmpty {
            findings.append(Finding(.ok, area, "\(Wording.count(feeds.count, "feed")), none fails"))
        }
        return findings
    }

    private static func some(_ names: [String]) -> String {
        let shown = names.prefix(5).joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }

    // MARK: - The host

    /// - Parameters:
    ///   - all: bytes of the file system.
    ///   - left: bytes that may still be written.
    ///   - used: bytes of the databases, as the daemon counts them.
    ///   - limit: bytes that the cache may have.
    package static func disk(_ path: String, all: Int, left: Int, used: Int?, limit: Int?) -> [Finding] {
        let area = "disk"
        var findings: [Finding] = []
        let room = "\(Wording.size(left)) of \(Wording.size(all)) are left at \(path)"
        if left < 16 << 20 {
            findings.append(Finding(.problem, area, room, remedy: "make room; nothing else is needed"))
        } else if left < 256 << 20 || left < all / 50 {
            findings.append(Finding(.warning, area, room, remedy: "make room before it is full"))
        } else {
            findings.append(Finding(.ok, area, room))
        }
        if let used, let limit, limit > 0, used > limit / 10 * 9 {
            findings.append(
                Finding(
                    .warning, area, "the databases have \(Wording.size(used)) of \(Wording.size(limit))",
                    remedy: "raise daemon.disk, or lower keep.count, keep.age or keep.bytes of large feeds"))
        }
        return findings
    }

    /// - Parameter names: of the files in the state folder.
    package static func leftovers(_ folder: String, _ names: [String]) -> Finding? {
        let aside = names.filter { name in
            name.utf8.firstRange(of: ".corrupt-".utf8) != nil && !name.hasSuffix("-wal")
        }
        guard !aside.isEmpty else { return nil }
        return Finding(
            .warning, "disk", "\(Wording.count(aside.count, "damaged database")) set aside in \(folder)",
            remedy: "look at the disk and at the kernel's log (dmesg); then delete *.corrupt-*")
    }

    /// - Parameter isKept: whether a time service keeps the clock; nil where the system does not tell.
    package static func clock(now: Timestamp, isKept: Bool?, newest: Timestamp?) -> Finding {
        let area = "clock"
        if now < earliest {
            return Finding(
                .problem, area, "it says \(now.rfc3339), which has passed",
                remedy: "timedatectl set-ntp true, or set it by hand")
        }
        if let newest, newest - now > .seconds(120) {
            return Finding(
                .problem, area,
                "a feed was refreshed \(Wording.span(newest - now)) from now: the clock went back",
                remedy: "timedatectl set-ntp true; feeds are due again when the time has come")
        }
        switch isKept {
        case true?: return Finding(.ok, area, "kept by a time service")
        case false?:
            return Finding(
                .warning, area, "no time service keeps it; schedules, TLS and ages go by it",
                remedy: "timedatectl set-ntp true (apt install systemd-timesyncd)")
        case nil: return Finding(.unknown, area, "the system does not tell whether a time service keeps it")
        }
    }

    /// No refreshd is older than this.
    private static let earliest = Timestamp(seconds: 1_767_225_600)
}
