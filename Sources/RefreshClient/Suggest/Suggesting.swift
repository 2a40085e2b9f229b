struct Suggesting {
    let request: SuggestRequest
    let program: Program
    let json: Bool
    func run() async throws(ClientFailure) -> ExitCode { .ok }
}
