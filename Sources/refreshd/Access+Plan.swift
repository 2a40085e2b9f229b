import RefreshAPI
import RefreshCore

extension Access {
    /// Those who may operate and control where the configuration names nobody.
    private static let administrators = "refreshd-admin"

    /// The rules of a configuration. Names that this host does not know let nobody in, and are told once each.
    init(_ plan: Plan, owner: UInt32, log: Log) {
        func principals(_ list: AccessList, _ whose: String) -> Principals {
            Principals(list) { log(.warning, "\(whose): there is no \($0) on this host; it lets nobody in") }
        }
        let rules = plan.daemon.access
        let usual = Principals(groups: Set([Principals.group(Access.administrators)].compactMap { $0 }))
        var feeds: [FeedID: OfFeed] = [:]
        for feed in plan.feeds where feed.details.readers != nil || feed.details.operators != nil {
            feeds[feed.id] = OfFeed(
                readers: feed.details.readers.map { principals($0, "feed \(feed.id), readers") },
                operators: feed.details.operators.map { principals($0, "feed \(feed.id), operators") })
        }
        self.init(
            owner: owner, read: rules.read.map { principals($0, "daemon.access.read") },
            operate: rules.operate.map { principals($0, "daemon.access.operate") } ?? usual,
            control: rules.control.map { principals($0, "daemon.access.control") } ?? usual, feeds: feeds)
    }
}
