import RefreshConfig

/// `refreshctl check`: a configuration's mistakes, without a daemon.
package enum ConfigurationCheck {
    package static func run(
        _ request: CheckRequest, environment: Environment, uid: UInt32, output: Output
    ) throws(ClientFailure) -> ExitCode {
        let file = request.file ?? DefaultPlaces(uid: uid, environment: environment.variables).config
        let check = ConfigCheck(path: file, denyWarnings: request.denyWarnings, checkers: .all)
        try output.write(Array(check.output(request.json ? .json : .text).utf8))
        return exitCode(check)
    }

    /// A file that cannot be read is another thing than one with mistakes.
    private static func exitCode(_ check: ConfigCheck) -> ExitCode {
        switch check.verdict {
        case .right: .ok
        case .warned: .failure
        case .wrong: check.result.errors.contains { $0.code == .access } ? .config : .failure
        }
    }
}
