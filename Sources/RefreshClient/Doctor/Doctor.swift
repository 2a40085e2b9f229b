import CLinux
import Glibc
import RefreshConfig
import RefreshCore

/// `refreshctl doctor`: gathers the facts and shows what the rules make of them.
struct Doctor {
    let request: DoctorRequest
    let program: Program
    let json: Bool

    func run(socket: String?) async throws(ClientFailure) -> ExitCode {
        var findings: [Finding] = []
        let file = request.file ?? configurationFile
        let plan = configuration(file, &findings)
        let state = request.state ?? plan?.daemon.stateFolder ?? stateFolder(of: file)
        if let found = DoctorRules.configurationFile(file, Doctor.look(at: file), uid: program.uid) {
            findings.append(found)
        }
        findings.append(DoctorRules.stateFolder(state, Doctor.look(at: state)))
        let daemon = try await self.daemon(socket, &findings)
        disk(state, daemon, limit: plan?.daemon.disk.bytes, &findings)
        findings.append(
            DoctorRules.clock(
                now: program.now, isKept: Doctor.clockIsKept,
                newest: daemon?.feeds.compactMap(\.lastSuccess).max()))
        let view = DoctorView(findings)
        try program.output.write(lines: json ? [view.json] : view.lines(on: program.display))
        let isWrong = findings.contains {
            $0.verdict == .problem || request.denyWarnings && $0.verdict == .warning
        }
        return isWrong ? .failure : .ok
    }

    // MARK: - The configuration

    /// A plain user without a daemon of its own asks about that of the host.
    private var configurationFile: String {
        let own = program.defaultConfig
        let host = DefaultPlaces(uid: 0, environment: [:]).config
        if own == host || Doctor.look(at: own) != .missing { return own }
        return Doctor.look(at: host) == .missing ? own : host
    }

    private func stateFolder(of file: String) -> String {
        let host = DefaultPlaces(uid: 0, environment: [:])
        if file == host.config { return host.state }
        return DefaultPlaces(uid: program.uid, environment: program.environment.variables).state
    }

    private func configuration(_ file: String, _ findings: inout [Finding]) -> Plan? {
        let area = "configuration"
        let look = Doctor.look(at: file)
        if look == .missing {
            findings.append(
                Finding(
                    .problem, area, "\(file) is not there",
                    remedy: "write one, as in plugins.yaml(5), or name it: refreshctl doctor FILE"))
            return nil
        }
        if unsafe access(file, R_OK) != 0 {
            findings.append(
                Finding(.unknown, area, "\(file): this user may not read it", remedy: "run this as root"))
            return nil
        }
        let result = ConfigReader.read(path: file, checkers: .all)
        let count = Wording.count(result.plan?.feeds.count ?? 0, "feed")
        if result.plan == nil {
            findings.append(
                Finding(
                    .problem, area, "\(file) has \(Wording.count(result.errors.count, "error"))",
                    remedy: "refreshctl check \(file) names every line"))
        } else if !result.warnings.isEmpty {
            findings.append(
                Finding(
                    .warning, area, "\(file): \(count), \(Wording.count(result.warnings.count, "warning"))",
                    remedy: "refreshctl check \(file) shows them"))
        } else {
            findings.append(Finding(.ok, area, "\(file): \(count)"))
        }
        return result.plan
    }

    // MARK: - The daemon

    private struct Daemon {
        var feeds: [FeedAnswer] = []
        var diskBytes: Int?
    }

    /// What the daemon tells; nil where none answers.
    private func daemon(_ option: String?, _ findings: inout [Finding]) async throws(ClientFailure) -> Daemon?
    {
        let path: String
        do throws(ClientFailure) {
            path = try program.places(option).choose(fault: SocketFault.probe)
        } catch {
            guard case .unreachable(let paths, let fault) = error else { throw error }
            findings.append(DoctorRules.socket("socket", paths, fault, group: nil, isVital: true))
            return nil
        }
        let fault = SocketFault.probe(path)
        findings.append(
            DoctorRules.socket("socket", path, fault, group: Doctor.group(of: path), isVital: true))
        control(beside: path, option, &findings)
        guard fault == nil else { return nil }
        do throws(ClientFailure) {
            return try await ask(APIClient(socket: path, transfer: try Program.transfer()), &findings)
        } catch {
            findings.append(
                Finding(
                    .problem, "daemon", error.message ?? "no answer",
                    remedy: "systemctl status refreshd, journalctl -u refreshd -n 30"))
            return nil
        }
    }

    /// The socket of control is looked at where the places are the usual ones.
    private func control(beside path: String, _ option: String?, _ findings: inout [Finding]) {
        guard option == nil, program.environment["REFRESHD_SOCKET"] == nil else { return }
        let control = DefaultPlaces.controlSocket(beside: path)
        findings.append(
            DoctorRules.socket(
                "control", control, SocketFault.probe(control), group: Doctor.group(of: control),
                isVital: false))
    }

    private func ask(_ client: APIClient, _ findings: inout [Finding]) async throws(ClientFailure) -> Daemon {
        let root = try await client.send(.outside("")).value
        let api = root["api"]
        findings.append(
            DoctorRules.versions(
                own: Version.text, daemon: root["version"]?.string,
                api: api.map { ($0["min"]?.string ?? "", $0["max"]?.string ?? "") }))
        findings += Doctor.readiness(try await client.send(.outside("readyz")).value)
        let status = try await client.send(.get(["status"]))
        if status.problem == nil { findings += DoctorRules.status(StatusAnswer(status.value)) }
        let told = try await client.send(.get(["feeds"]))
        if let problem = told.problem { throw .problem(problem, hint: nil) }
        let feeds = FeedAnswer.list(told.value)
        findings += DoctorRules.feeds(feeds)
        return Daemon(feeds: feeds, diskBytes: StatusAnswer(status.value).diskBytes)
    }

    private static func readiness(_ value: AnswerValue) -> [Finding] {
        let failed = (value["checks"]?.elements ?? []).filter { $0["ok"]?.bool == false }
        if failed.isEmpty { return [Finding(.ok, "daemon", "ready")] }
        return failed.map { check in
            Finding(
                .problem, "daemon",
                "\(check["name"]?.words ?? "a check"): \(check["detail"]?.words ?? "failed")",
                remedy: "journalctl -u refreshd -n 30 tells more")
        }
    }

    // MARK: - The host

    private func disk(_ state: String, _ daemon: Daemon?, limit: Int?, _ findings: inout [Finding]) {
        var (all, left) = (UInt64(0), UInt64(0))
        // Where the folder cannot be reached, or is not there yet, the one above it lies on the same disk.
        var isReached = unsafe refreshd_disk_room(state, &all, &left) == 0
        if !isReached { isReached = unsafe refreshd_disk_room(Doctor.parent(of: state), &all, &left) == 0 }
        if isReached {
            findings += DoctorRules.disk(
                state, all: Int(clamping: all), left: Int(clamping: left), used: daemon?.diskBytes,
                limit: limit)
        }
        guard let names = try? LocalFile.names(in: state) else { return }
        if let found = DoctorRules.leftovers(state, names) { findings.append(found) }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.utf8.startIndex else {
            return "/"
        }
        return String(path[..<slash])
    }

    private static var clockIsKept: Bool? {
        let code = refreshd_clock_is_kept()
        return code < 0 ? nil : code == 1
    }

    // S_IFMT and its values (inode(7)).
    private static let kinds: [mode_t: DoctorRules.FileFacts.Kind] = [
        0o040000: .folder, 0o100000: .file, 0o120000: .link, 0o140000: .socket,
    ]

    static func look(at path: String) -> DoctorRules.Look {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return refreshd_errno() == ENOENT ? .missing : .denied }
        return .found(
            DoctorRules.FileFacts(
                kind: kinds[facts.st_mode & 0o170000] ?? .other, mode: facts.st_mode & 0o7777,
                owner: facts.st_uid, group: facts.st_gid))
    }

    /// The name of the group that a path belongs to, where it has one.
    private static func group(of path: String) -> String? {
        guard case .found(let facts) = look(at: path), facts.group != 0,
            let entry = unsafe getgrgid(facts.group)
        else { return nil }
        return unsafe String(cString: entry.pointee.gr_name)
    }
}
