import RefreshCore

/// Every adapter there is, by the name that the configuration uses.
package enum AdapterTable {
    /// The adapter of `feed`, ready to ask.
    package static func adapter(for feed: Feed, userAgent: String) -> any Adapter {
        switch feed.adapter {
        case .json: JSONAdapter(feed: feed, userAgent: userAgent)
        case .feed: SyndicationAdapter(feed: feed, userAgent: userAgent)
        case .csv, .xml, .html, .http, .plugin: AbsentAdapter(feed: feed, userAgent: userAgent)
        }
    }
}
