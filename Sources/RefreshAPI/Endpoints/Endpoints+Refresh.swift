import RefreshCore

/// Asking for a refresh.
extension Endpoints {
    static let longestDeadline: Duration = .seconds(60)
    static let usualDeadline: Duration = .seconds(5)

    func refresh(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        var mode = RefreshMode.ifStale
        var acceptDrop = false
        var waits = false
        var deadline = Endpoints.usualDeadline
        try JSONBody(call.body).each { body, name, value throws(Problem) in
            switch name {
            case "mode": mode = try body.mode(value)
            case "wait": waits = try body.waits(value)
            case "deadline_ms": deadline = try body.deadline(value)
            case "accept_drop": acceptDrop = try body.flag(value, name)
            default:
                throw Problem(
                    .badBody, "unknown member \"\(name)\"; known are mode, wait, deadline_ms, accept_drop",
                    pointer: JSONBody.pointer(name))
            }
        }
        var wish = RefreshWish(mode)
        wish.acceptsDrop = acceptDrop
        return .errand(.refresh(feed.feed, wish), wait: waits ? deadline : nil)
    }
}
