import RefreshCore

/// Every adapter there is, by the name that the configuration uses.
package enum AdapterTable {
    /// The adapter of `feed`, ready to read.
    package static func adapter(for feed: Feed) -> any Adapter {
        switch feed.adapter {
        case .json: JSONAdapter(feed: feed)
        case .feed: SyndicationAdapter()
        }
    }
}
