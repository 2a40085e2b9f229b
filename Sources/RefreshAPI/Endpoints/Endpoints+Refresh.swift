import RefreshCore

/// Asking for a refresh.
extension Endpoints {
    static let longestDeadline: Duration = .seconds(60)
    static let usualDeadline: Duration = .seconds(5)

    func refresh(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        var mode = RefreshMode.ifStale
        var acceptDrop = false
        var overrides = false
        var waits = false
        var deadline = Endpoints.usualDeadline
        try JSONBody(call.body).each { body, name, value throws(Problem) in
            switch name {
            case "mode": mode = try body.mode(value)
            case "wait": waits = try body.waits(value)
            case "deadline_ms": deadline = try body.deadline(value)
            case "accept_drop": acceptDrop = try body.flag(value, name)
            case "override_gate": overrides = try body.flag(value, name)
            default:
                throw JSONBody.unknown(
                    name, known: ["mode", "wait", "deadline_ms", "accept_drop", "override_gate"])
            }
        }
        var wish = RefreshWish(mode)
        wish.acceptsDrop = acceptDrop
        // Whoever passes a pause that an upstream has asked for answers for it.
        if overrides, call.viewer.right(on: feed.feed) != .control {
            throw Problem(.forbidden, "\"override_gate\" needs the right to control, at the control socket")
        }
        wish.overridesGate = overrides
        return .errand(.refresh(feed.feed, wish), wait: waits ? deadline : nil)
    }
}
