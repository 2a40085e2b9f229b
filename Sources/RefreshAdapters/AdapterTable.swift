import RefreshCore
import RefreshTransfer

/// Every adapter there is, by the name that the configuration uses.
package enum AdapterTable {
    /// The adapter of `feed`, ready to read.
    package static func adapter(for feed: Feed) -> any Adapter {
        if !feed.records.pipe.isEmpty { return AbsentAdapter(what: "no program is run by \"pipe\"") }
        return switch feed.adapter {
        case .feed: SyndicationAdapter()
        case .http: DocumentAdapter(feed: feed)
        case .plugin(let name): AbsentAdapter(what: "there is no adapter \"\(name)\"")
        case .json, .csv, .xml, .html:
            switch feed.records.format ?? own(feed.adapter) {
            case .json, .jsonl: JSONAdapter(feed: feed)
            case .csv: CSVAdapter(feed: feed)
            case .xml: MarkupAdapter(feed: feed, language: .xml)
            case .html: MarkupAdapter(feed: feed, language: .html)
            }
        }
    }

    private static func own(_ adapter: Feed.Adapter) -> RecordsPlan.Format {
        switch adapter {
        case .csv: .csv
        case .xml: .xml
        case .html: .html
        case .json, .feed, .http, .plugin: .json
        }
    }
}

/// Stands for what is configured and cannot be read here: its passes fail and say so.
struct AbsentAdapter: Adapter {
    let accept = "*/*"
    let reading = "absent"
    let what: String

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        throw RefreshFailure(.config, code: "no-adapter", detail: "\(what) in this version")
    }
}
