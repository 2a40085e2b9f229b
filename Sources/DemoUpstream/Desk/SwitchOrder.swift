/// One order to the switchboard, as it stands in a query.
struct SwitchOrder: Sendable, Equatable {
    /// What is wrong, for the one who typed it.
    struct Refusal: Error, Equatable {
        let message: String
    }

    /// Nil for all documents.
    let path: String?
    let mode: Switchboard.Mode

    /// Every word must be known and in its place: an order that does less than it seems to say would mislead.
    init(_ query: Query) throws(Refusal) {
        path = try SwitchOrder.path(query)
        let own: Set<String>
        switch query.first("mode") {
        case "normal": (mode, own) = (.normal, [])
        case "vanish": (mode, own) = (.vanish, [])
        case "slow":
            let wait = try SwitchOrder.number("ms", in: query, of: 1...600_000)
            (mode, own) = (.slow(milliseconds: wait ?? 3_000), ["ms"])
        case "fail":
            let code = try SwitchOrder.number("status", in: query, of: 400...599)
            let pause = try SwitchOrder.number("retry_after", in: query, of: 0...86_400)
            mode = .fail(Status(code: code ?? 503), retryAfter: pause)
            own = ["status", "retry_after"]
        default: throw Refusal(message: "mode is one of normal, fail, slow, vanish")
        }
        for word in query.words where !own.union(["path", "mode"]).contains(word.name) {
            throw Refusal(message: "\"\(word.name)\" says nothing about this mode")
        }
    }

    private static func path(_ query: Query) throws(Refusal) -> String? {
        guard let path = query.first("path") else { return nil }
        guard Site.paths.contains(path) else {
            throw Refusal(message: "path is one of \(Site.paths.joined(separator: ", ")); without one, all")
        }
        return path
    }

    private static func number(
        _ name: String, in query: Query, of range: ClosedRange<Int>
    ) throws(Refusal) -> Int? {
        guard let text = query.first(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Refusal(message: "\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
