import RefreshCore

/// A request that has found its route.
struct Call {
    let route: Route
    let target: RequestTarget
    let parameters: Parameters
    let ifNoneMatch: [UInt8]?
    let body: [UInt8]
    let now: Moment

    init(route: Route, target: RequestTarget, ifNoneMatch: [UInt8]?, body: [UInt8], now: Moment)
        throws(Problem)
    {
        self.route = route
        self.target = target
        parameters = try Parameters(target.parameters, known: route.parameters)
        self.ifNoneMatch = ifNoneMatch
        self.body = body
        self.now = now
    }

    func segment(_ part: Route.Part) -> [UInt8]? { route.segment(part, in: target.segments) }
}

/// What an endpoint says to a call.
enum Reply {
    case answer(Answer)
    /// One that is the same for everybody and stays true for a while.
    case lasting(Answer, of: Dependence, for: Hold)
    case refresh(RefreshWish)
}

/// A refresh that somebody asked for.
struct RefreshWish: Equatable {
    let feed: FeedID
    let mode: RefreshMode
    let acceptDrop: Bool
    /// How long the client waits for the outcome; nil: not at all.
    let wait: Duration?
}
