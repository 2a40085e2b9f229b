import RefreshCore
import RefreshTransfer

/// Talks to the daemon: HTTP/1.1 over its Unix socket.
package struct APIClient: Sendable {
    private let socket: String
    private let transfer: TransferService

    /// - Parameter socket: a path that `SocketAddress` takes.
    package init(socket: String, transfer: TransferService) {
        self.socket = socket
        self.transfer = transfer
    }

    /// The answer of the daemon, good or bad, with its JSON.
    func send(_ request: APIRequest) async throws(ClientFailure) -> APIAnswer {
        let answer = try await perform(request)
        guard let value = AnswerValue(parsing: answer.body) else {
            // What is refused before the daemon's own code sees it, such as a key of 8 KiB, has no JSON.
            if answer.status >= 400 { throw .problem(Problem(status: answer.status), hint: nil) }
            throw strange("status \(answer.status), and no JSON object")
        }
        return APIAnswer(status: answer.status, body: answer.body, value: value)
    }

    /// An answer that is no JSON; a bad one is thrown.
    func text(_ request: APIRequest) async throws(ClientFailure) -> PaddedBytes {
        let answer = try await perform(request)
        guard (200..<300).contains(answer.status) else {
            let problem = AnswerValue(parsing: answer.body).map { Problem($0, status: answer.status) }
            throw .problem(problem ?? Problem(status: answer.status), hint: nil)
        }
        return answer.body
    }

    private func perform(_ request: APIRequest) async throws(ClientFailure) -> TransferAnswer {
        do {
            return try await transfer.perform(transferRequest(request))
        } catch {
            if let fault = SocketFault.probe(socket) { throw .unreachable(path: socket, fault) }
            throw .noAnswer(path: socket, detail: APIClient.words(for: error, after: request.patience))
        }
    }

    /// The words of the transfer module speak of a feed's settings where ours do not.
    private static func words(for failure: TransferFailure, after patience: Duration) -> String {
        switch failure {
        case .timeout, .stalled, .connectTimeout: "nothing within \(Wording.span(patience))"
        case .cut(_, 0), .reset: "it hung up"
        case .cut: "it hung up in the middle of an answer"
        default: failure.failure.detail
        }
    }

    /// The failure of an answer that no refreshd gives.
    func strange(_ detail: String) -> ClientFailure { .notRefreshd(path: socket, detail: detail) }

    private func transferRequest(_ request: APIRequest) -> TransferRequest {
        var headers = HTTPHeaders([("Accept", "application/json")])
        if request.method == "POST" { headers.append("Content-Type", "application/json") }
        var limits = TransferLimits()
        limits.total = request.patience
        // A daemon that waits for an upstream says nothing meanwhile.
        limits.stall = request.patience
        limits.hops = 0
        let url = WebURL(
            scheme: .http, host: "localhost", port: nil, path: request.path, query: request.query)
        return TransferRequest(
            url: url, headers: headers, validators: Validators(), limits: limits, allowPrivate: true,
            userAgent: "refreshctl/\(Version.text)", method: request.method,
            body: request.method == "POST" ? request.body : nil,
            unixSocket: socket)
    }
}

/// What the daemon said.
struct APIAnswer {
    let status: Int
    /// The JSON text as it came.
    let body: PaddedBytes
    let value: AnswerValue

    /// Nil where the answer is a good one.
    var problem: Problem? { (200..<300).contains(status) ? nil : Problem(value, status: status) }
}
