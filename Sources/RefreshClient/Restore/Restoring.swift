import RefreshConfig
import RefreshCore
import RefreshStore
import RefreshTransfer

/// `refreshctl restore`: a backup in the place of the databases of a daemon that does not run.
struct Restoring {
    let request: RestoreRequest
    let program: Program
    let json: Bool

    func run() async throws(ClientFailure) -> ExitCode {
        let plan = ConfigReader.read(path: program.defaultConfig).plan
        let places = DefaultPlaces(uid: program.uid, environment: program.environment.variables)
        let state = request.state ?? plan?.daemon.stateFolder ?? places.state
        let folder =
            request.backups ?? plan?.daemon.backupFolder ?? BackupFolder.standard(in: state)
        guard let name = request.name else { return try list(folder) }
        let report = try await Progress.during("restoring \(name)", on: program.errors) {
            () async throws(ClientFailure) in
            let outcome = await BlockingWork.run { () -> Result<Restore.Report, StoreFailure> in
                do throws(StoreFailure) {
                    return .success(try Restore(state: state).run(name, of: BackupFolder(folder)))
                } catch {
                    return .failure(error)
                }
            }
            switch outcome {
            case .success(let report): return report
            case .failure(let failure): throw Restoring.failure(failure, name, in: folder)
            }
        }
        try show(report, state)
        return .ok
    }

    private static func failure(_ failure: StoreFailure, _ name: String, in folder: String) -> ClientFailure {
        if failure == .busy {
            return .refused(
                "a daemon uses these databases; stop it first: "
                    + "systemctl stop refreshd-api.socket refreshd-control.socket refreshd")
        }
        return .refused("\(name) of \(folder) is not put back: \(failure.detail)")
    }

    // MARK: - Showing

    private func list(_ folder: String) throws(ClientFailure) -> ExitCode {
        let names: [String]
        do throws(StoreFailure) {
            names = try BackupFolder(folder).names()
        } catch {
            throw .refused(error.detail)
        }
        if json {
            var text = JSONText()
            text.object { text in
                text.name("folder")
                text.string(folder)
                text.name("backups")
                text.array { for name in names { $0.string(name) } }
            }
            try program.output.write(lines: [text.text])
        } else {
            try program.output.write(lines: names.map { SafeText.escaped($0) })
            if names.isEmpty { Notes(program.errors).tell("there are no backups in \(folder)") }
        }
        return .ok
    }

    private func show(_ report: Restore.Report, _ state: String) throws(ClientFailure) {
        guard !json else {
            var text = JSONText()
            text.object { text in
                text.name("restored")
                text.string(report.name)
                text.name("feeds")
                text.number(report.feeds)
                text.name("aside")
                text.array { for path in report.aside { $0.string(path) } }
            }
            return try program.output.write(lines: [text.text])
        }
        var line = StyledLine("restored", .strong)
        line.add(" \(report.name): \(Wording.count(report.feeds, "feed")); programs list anew")
        try program.output.write(lines: [line.line(on: program.display)])
        let notes = Notes(program.errors)
        if !report.aside.isEmpty {
            notes.tell("the databases of before are kept: \(report.aside.joined(separator: ", "))")
        }
        notes.tell("start the daemon: systemctl start refreshd-api.socket refreshd-control.socket refreshd")
    }
}
