/// `refreshctl restore`.
struct Restoring {
    let request: RestoreRequest
    let program: Program
    let json: Bool

    func run() async throws(ClientFailure) -> ExitCode { throw .refused("not yet") }
}
