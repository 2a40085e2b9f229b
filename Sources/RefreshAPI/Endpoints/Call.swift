import RefreshCore
import RefreshStore

/// A request that has found its route.
struct Call {
    let route: Route
    let target: RequestTarget
    let parameters: Parameters
    let ifNoneMatch: [UInt8]?
    let stream: StreamFormat?
    let lastEventID: [UInt8]?
    let body: [UInt8]
    let viewer: Viewer
    let now: Moment
    /// The upstream was asked for it.
    var hasFetched = false

    init(
        route: Route, target: RequestTarget, head: RequestHead, body: [UInt8], viewer: Viewer, now: Moment
    ) throws(Problem) {
        self.route = route
        self.target = target
        parameters = try Parameters(target.parameters, known: route.parameters)
        ifNoneMatch = head.ifNoneMatch
        stream = StreamFormat(accept: head.accept)
        lastEventID = head.lastEventID
        self.body = body
        self.viewer = viewer
        self.now = now
    }

    func segment(_ part: Route.Part) -> [UInt8]? { route.segment(part, in: target.segments) }
}

/// What an endpoint says to a call.
enum Reply {
    case answer(Answer)
    /// One that is the same for everybody and stays true for a while.
    case lasting(Answer, of: Dependence, for: Hold)
    /// A head, and the bytes of a document behind it.
    case document(Answer, StoredDocument)
    /// To be done by others; the client waits so long for what comes of it, or not at all.
    case errand(Errand, wait: Duration?)
    /// Nothing to tell yet: the call is to be made again when the feed has changed, or after so long.
    case wait(FeedID, Duration)
    case stream(any StreamSource)
    /// The upstream is to be asked first; then the call is made again, after so long at the latest.
    case fetchFirst(FeedID, wait: Duration)

    /// Whether more is to come than an answer that is there already.
    var takesTime: Bool {
        switch self {
        case .answer, .lasting, .document: false
        case .errand, .wait, .stream, .fetchFirst: true
        }
    }
}
