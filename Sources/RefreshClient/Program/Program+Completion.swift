import RefreshCore

extension Program {
    /// Answers a shell: one candidate a line, or `:files` where paths may stand. It never complains, since the user
    /// is in the middle of a line; what cannot be found out is not offered.
    func complete(_ words: some Sequence<String>) async -> ExitCode {
        let words = Array(words)
        let current = words.last ?? ""
        let lines: [String] =
            switch Completion(words) {
            case .words(let words): Completion.lines(words, for: current)
            case .feeds: Completion.lines(await feedNames(words), for: current)
            case .files: [":files"]
            case .nothing: []
            }
        do {
            try output.write(lines: lines)
            return .ok
        } catch {
            return error.exitCode
        }
    }

    private func feedNames(_ words: [String]) async -> [Completion.Word] {
        let option = words.firstIndex(of: Option.socket.rawValue).flatMap { place in
            place + 1 < words.count ? words[place + 1] : nil
        }
        do {
            let answer = try await client(socket: option).send(.get(["feeds"], patience: .seconds(2)))
            guard answer.problem == nil else { return [] }
            return FeedAnswer.list(answer.value).map {
                Completion.Word(text: $0.name, summary: oneLine($0.title ?? ""))
            }
        } catch {
            return []
        }
    }

    /// A title may hold what would end the line or move the cursor.
    private func oneLine(_ title: String) -> String { SafeText.short(title) }
}
