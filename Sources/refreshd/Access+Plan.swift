import RefreshAPI
import RefreshConfig
import RefreshCore
import RefreshFormats

extension Access {
    /// The rules of a plan; names that the system does not know let nobody in and are logged.
    init(_ plan: Plan, owner: UInt32, log: Log) {
        func principals(_ list: AccessList) -> Principals {
            Principals(list) {
                log(.warning, "the configuration names an unknown \($0); nobody is let in by it")
            }
        }
        let rules = plan.daemon.access
        // Of those whom the file does not name, the administrators' group drives and controls.
        var administrators = Principals()
        if let group = Principals.group("refreshd-admin") { administrators.groups = [group] }
        var feeds: [FeedID: OfFeed] = [:]
        for feed in plan.feeds where feed.details.readers != nil || feed.details.operators != nil {
            feeds[feed.id] = OfFeed(
                readers: feed.details.readers.map(principals),
                operators: feed.details.operators.map(principals))
        }
        self.init(
            owner: owner, read: rules.read.map(principals),
            operate: rules.operate.map(principals) ?? administrators,
            control: rules.control.map(principals) ?? administrators, feeds: feeds,
            quota: plan.daemon.quota)
    }
}

extension Checkers {
    /// Everything that can be checked.
    static let all = Checkers { text, namespaces in
        XPath.check(text, namespaces: namespaces).map { Failure(offset: $0.offset, message: $0.message) }
    }
}
