import RefreshCore

extension RefreshRequest {
    /// What the daemon lets a waiter wait where nothing is said (semantics R20).
    private static let defaultDeadline: Duration = .seconds(60)

    /// The wish as the daemon reads it.
    package var apiRequest: APIRequest {
        var text = JSONText()
        text.object { text in
            text.name("mode")
            text.string(mode.rawValue)
            text.name("wait")
            text.string(wait ? "all" : "none")
            if wait {
                text.name("deadline_ms")
                text.number((deadline ?? RefreshRequest.defaultDeadline).inMilliseconds)
            }
            if acceptDrop {
                text.name("accept_drop")
                text.bool(true)
            }
        }
        // The daemon answers at the deadline; the rest is for the way.
        let patience = (wait ? deadline ?? RefreshRequest.defaultDeadline : .zero) + .seconds(30)
        return .post(["feeds", feed, "refresh"], body: text.bytes, patience: patience)
    }
}
