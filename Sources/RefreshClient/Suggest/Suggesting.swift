import RefreshCore
import RefreshFormats
import RefreshTransfer

/// `refreshctl suggest`: looks at a URL once and writes a feed for it. The only place that guesses.
struct Suggesting {
    let request: SuggestRequest
    let program: Program
    let json: Bool

    func run() async throws(ClientFailure) -> ExitCode {
        let answer = try await fetch()
        var suggestions = Recognition(answer, asked: request.url).suggestions
        for place in suggestions.indices { suggestions[place].allowPrivate = request.allowPrivate }
        guard !suggestions.isEmpty else { throw .refused("nothing is there: the answer is empty") }
        var names = FeedNames()
        var feeds: [(name: String, adapter: String, lines: [String])] = []
        for suggestion in suggestions {
            let name = names.name(for: suggestion.title, fallback: suggestion.url.host)
            let lines = checked(suggestion, name).lines(named: name)
            feeds.append((name, suggestion.adapter, lines))
        }
        try program.output.write(lines: json ? [document(feeds)] : feeds.flatMap(\.lines))
        return .ok
    }

    private func fetch() async throws(ClientFailure) -> TransferAnswer {
        let transfer = try Program.transfer()
        let asked = TransferRequest(
            url: request.url, headers: HTTPHeaders([("Accept", "*/*")]), allowPrivate: request.allowPrivate,
            userAgent: "refreshctl/\(Version.text)")
        let answer: TransferAnswer
        do {
            answer = try await transfer.perform(asked)
        } catch .addressRefused(let host, let address) {
            throw .refused("\(host) is \(address), a private address; --allow-private lets it be asked")
        } catch {
            throw .refused(error.failure.detail)
        }
        guard (200..<300).contains(answer.status) else {
            let hint = [401, 403].contains(answer.status) ? "; it may want credentials, see \"auth\"" : ""
            throw .refused("\(request.url.display) answers with status \(answer.status)\(hint)")
        }
        return answer
    }

    /// A guess that no configuration may hold is left out, and said so.
    private func checked(_ suggestion: Suggestion, _ name: String) -> Suggestion {
        var suggestion = suggestion
        for key in ["paginate", "sort"] {
            let mistakes = suggestion.mistakes(named: name)
            guard mistakes.contains(where: { $0.path.hasPrefix("feeds.\(name).\(key)") }) else { continue }
            suggestion.drop(key)
        }
        for mistake in suggestion.mistakes(named: name) { Notes(program.errors).tell(mistake.text) }
        return suggestion
    }

    private func document(_ feeds: [(name: String, adapter: String, lines: [String])]) -> String {
        var text = JSONText()
        text.object { text in
            text.name("feeds")
            text.array { text in
                for feed in feeds {
                    text.object { text in
                        text.name("name")
                        text.string(feed.name)
                        text.name("adapter")
                        text.string(feed.adapter)
                    }
                }
            }
            text.name("yaml")
            text.string(feeds.flatMap(\.lines).map { "\($0)\n" }.joined())
        }
        return text.text
    }
}
