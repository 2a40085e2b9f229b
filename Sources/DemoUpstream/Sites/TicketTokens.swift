import RefreshCore

/// Writes and reads the tokens that clients hand back: a window in letters, so that the server remembers nothing
/// and a restart breaks no token.
struct TicketTokens: Sendable {
    let seed: UInt64

    func nextPage(after window: TicketWindow) -> String {
        token("page \(window.since.map(String.init) ?? "all") \(window.until) \(window.page + 1)")
    }

    func sync(after window: TicketWindow) -> String { token("sync \(window.until)") }

    /// The window that `nextPage` wrote; nil where it did not.
    func page(_ token: String) -> TicketWindow? {
        guard let words = words(of: token), words.count == 4, words[0] == "page", let until = Int64(words[2]),
            let page = Int(words[3])
        else { return nil }
        if words[1] == "all" { return TicketWindow(since: nil, until: until, page: page) }
        return Int64(words[1]).map { TicketWindow(since: $0, until: until, page: page) }
    }

    /// The window from what `sync` wrote up to `now`; nil where it did not write `token`.
    func changes(since token: String, at now: Int64) -> TicketWindow? {
        guard let words = words(of: token), words.count == 2, words[0] == "sync", let since = Int64(words[1])
        else { return nil }
        return TicketWindow(since: since, until: now, page: 0)
    }

    // MARK: - Letters

    private func token(_ text: String) -> String { Base64URL.encode(Array("\(text) \(check(text))".utf8)) }

    /// What another seed or another program has written is unknown here.
    private func check(_ text: String) -> UInt32 { FNV.hash32("\(seed) \(text)".utf8) }

    private func words(of token: String) -> [String]? {
        guard let bytes = Base64URL.decode(token.utf8) else { return nil }
        var words = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard let check = words.popLast(), check == String(self.check(words.joined(separator: " ")))
        else { return nil }
        return words
    }
}
