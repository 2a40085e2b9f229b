import RefreshConfig
import RefreshCore
import RefreshEngine
import RefreshStore

/// What does not change while the daemon runs.
struct ServerFacts: Sendable {
    let version: String
    /// New with each start.
    let instance: String
    let started: Moment
    /// Where the databases lie.
    let storeFolder: String
}

/// The heads that one round has read already.
final class HeadTable {
    private var heads: [FeedID: FeedHead] = [:]

    subscript(feed: FeedID) -> FeedHead? {
        get { heads[feed] }
        set { heads[feed] = newValue }
    }

    func clear() {
        if !heads.isEmpty { heads.removeAll(keepingCapacity: true) }
    }
}

/// Answers calls out of the board and the cache; everything here returns at once.
struct Endpoints {
    let facts: ServerFacts
    let board: StatusBoard
    let reader: StoreReader
    let counters: Counters
    let history: HistoryBoard
    /// Where the feeds' change logs stand in the state of the cache that this round sees.
    let heads = HeadTable()
    /// What streams have told lately.
    let pieces = StreamPieces()
    let times = WrittenTimes()

    /// A page of items or changes ends early when it has grown so far.
    static let largestPage = 8 * 1_024 * 1_024
    static let apiVersion = "1.0"

    func reply(to call: Call, hasWaited: Bool = false) throws(Problem) -> Reply {
        switch call.route.endpoint {
        case .root: .answer(root())
        case .health: .answer(health())
        case .readiness: .answer(readiness())
        case .metrics: .answer(metrics(call))
        case .openapi:
            .answer(Answer(status: 200, type: OpenAPIDocument.mediaType, body: OpenAPIDocument.bytes))
        case .status: status(call)
        case .feeds: feeds(call)
        case .feed: .answer(Endpoints.feed(try feed(call), at: call.now.wall))
        case .history: .answer(try history(call))
        case .items: try items(call, hasWaited: hasWaited)
        case .more: try more(call)
        case .item: try item(call, hasWaited: hasWaited)
        case .document: try document(call)
        case .changes: try changes(call, hasWaited: hasWaited)
        case .events: events(call)
        case .refresh: try refresh(call)
        case .pause: try pause(call, true)
        case .resume: try pause(call, false)
        case .purge: try clear(call, .purge)
        case .reset: try clear(call, .reset)
        case .reload: try plain(.reload, call, wait: Endpoints.reloadDeadline)
        case .checkConfiguration: try plain(.checkConfiguration, call, wait: Endpoints.reloadDeadline)
        case .backup: try plain(.backup, call, wait: Endpoints.backupDeadline)
        case .logLevel: try logLevel(call)
        case .configuration: try configuration(call)
        case .configurationSchema:
            .answer(
                Answer(
                    status: 200, type: "application/schema+json", body: Array(ConfigSchema.json.utf8)))
        }
    }

    /// The feed that the path names.
    func feed(_ call: Call) throws(Problem) -> FeedStatus {
        let name = String(decoding: call.segment(.feed) ?? [], as: UTF8.self)
        // A feed that one may not see is not there.
        guard let id = FeedID(name), let status = board.status(of: id),
            let right = call.viewer.right(on: id)
        else { throw Problem(.feedNotFound, "there is no feed \"\(name)\"") }
        if right < call.route.right {
            throw Problem(.forbidden, "this needs the right to \(call.route.right.name)")
        }
        return status
    }

    /// What `viewer` may see of the board, and whether it is what everybody sees.
    func picture(for viewer: Viewer) -> StatusBoard.Picture {
        let picture = board.picture()
        if viewer.seesAll { return picture }
        return StatusBoard.Picture(
            version: picture.version, feeds: picture.feeds.filter { viewer.sees($0.feed) },
            alarms: picture.alarms)
    }

    /// Runs a read of the cache; what goes wrong with it is a problem of ours, not of the client.
    func read<Value>(_ body: () throws(StoreFailure) -> Value) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(.cacheFailed, error.detail) }
    }

    /// Where the change log of a feed stands; nothing was stored of one that the engine has just met.
    func head(of feed: FeedStatus) throws(Problem) -> FeedHead {
        if let head = heads[feed.feed] { return head }
        let head = try read { () throws(StoreFailure) in try reader.head(of: feed.feed) }
        guard let head else {
            throw Problem(
                .neverFetched, "feed \"\(feed.feed)\" is not in the cache yet", retryAfter: .seconds(1))
        }
        heads[feed.feed] = head
        return head
    }

    /// Whether what an answer was made of is still as it was.
    func stands(_ dependence: Dependence) -> Bool {
        switch dependence {
        case .board(let version): return version == board.version
        case .feed(let feed, let stamp):
            guard let status = board.status(of: feed), let head = try? head(of: status) else { return false }
            return FeedStamp(status, epoch: head.epoch, seq: head.seq) == stamp
        }
    }

    /// Lets go of the state of the cache that the calls since the last one have seen.
    func endRound() {
        reader.endRound()
        heads.clear()
    }
}
