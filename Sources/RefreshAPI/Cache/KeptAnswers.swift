import RefreshCore
import RefreshStore

/// What the API's thread keeps between calls, so that it is made again only when it has changed.
final class KeptAnswers {
    var status = KeptPicture()
    var feeds = KeptPicture()
    var pages = KeptPages<HTTPResponse>(capacity: 1_024 * 1_024)
    /// Where the feeds' change logs stand in the state of the cache that this round sees.
    var heads: [FeedID: FeedHead] = [:]

    /// Sends a page off and keeps it for the next one who asks.
    func keep(_ answer: Answer, _ key: PageKey, of stamp: PageStamp, for hold: Hold) -> Reply {
        guard let response = HTTPResponse(toKeep: answer) else { return .answer(answer) }
        pages.keep(response, bytes: answer.body.count, key, of: stamp, for: hold)
        return .kept(response)
    }
}

/// An answer made from the whole board.
struct KeptPicture {
    /// A larger one is made each time, since keeping it would cost more memory than it saves work.
    private static let largest = 1_024 * 1_024

    private var response: HTTPResponse?
    private var version: UInt64 = 0
    private var hold: Hold?

    /// The answer where neither the board nor time has changed it.
    func answer(of version: UInt64, at now: Moment) -> HTTPResponse? {
        guard version == self.version, let hold, hold.covers(now) else { return nil }
        return response
    }

    /// Sends it off and keeps it for the next one who asks.
    mutating func keep(_ answer: Answer, of version: UInt64, for hold: Hold) -> Reply {
        guard let made = HTTPResponse(toKeep: answer) else { return .answer(answer) }
        response = answer.body.count <= KeptPicture.largest ? made : nil
        self.version = version
        self.hold = hold
        return .kept(made)
    }
}

extension HTTPResponse {
    /// With what goes with every answer, but without what goes with one request.
    fileprivate convenience init?(toKeep answer: Answer) {
        var answer = answer
        answer.addVersion()
        self.init(answer)
    }
}
