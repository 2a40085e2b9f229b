import RefreshCore

/// The adapters as the table tells them apart: every plugin is one.
enum AdapterKind: String, CaseIterable, Sendable {
    case json, feed, csv, xml, html, http, plugin

    static let all = Set(allCases)
    /// Those whose answers are rows that the file describes.
    static let rows: Set<AdapterKind> = [.json, .csv, .xml, .html]
    /// Those that read a list.
    static let lists: Set<AdapterKind> = [.json, .csv, .xml, .html, .feed, .plugin]

    init(_ adapter: Feed.Adapter) {
        self =
            switch adapter {
            case .json: .json
            case .feed: .feed
            case .csv: .csv
            case .xml: .xml
            case .html: .html
            case .http: .http
            case .plugin: .plugin
            }
    }
}
