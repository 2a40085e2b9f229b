import RefreshCore
import RefreshStore

/// What a client wants to see, out of a query.
extension Endpoints {
    /// The most members that a projection may name.
    static let mostFields = 64

    func view(_ call: Call) throws(Problem) -> ItemView {
        var view = ItemView()
        if let text = try call.parameters.value("fields") {
            view.fields = try Endpoints.fields(String(decoding: text, as: UTF8.self))
        }
        switch try call.parameters.value("evictions").map({ String(decoding: $0, as: UTF8.self) }) {
        case nil, "1": break
        case "0": view.evictions = false
        default: throw Problem(.invalidParameter, "\"evictions\" must be 0 or 1")
        }
        if let include = try call.parameters.value("include") {
            guard include.elementsEqual("gone".utf8) else {
                throw Problem(.invalidParameter, "\"include\" knows gone")
            }
            view.include = ["gone"]
        }
        return view
    }

    static func fields(_ text: String) throws(Problem) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= mostFields, names.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(
                .invalidParameter,
                "\"fields\" must be names of members of data, joined by commas, \(mostFields) at most")
        }
        return names
    }

    func order(_ call: Call) throws(Problem) -> ItemCursor.Order {
        guard let text = try call.parameters.value("order") else { return .sort }
        let name = String(decoding: text, as: UTF8.self)
        guard let order = ItemCursor.Order.allCases.first(where: { $0.name == name }) else {
            throw Problem(.invalidParameter, "\"order\" must be sort, reverse or key")
        }
        return order
    }

    static func place(
        _ text: [UInt8], _ feed: FeedID, _ view: ItemView, _ order: ItemCursor.Order
    ) throws(Problem) -> ItemCursor.Place {
        do {
            return try ItemCursor(
                text: String(decoding: text, as: UTF8.self), feed: feed, view: view, order: order
            ).place
        } catch {
            throw Problem(
                .badCursor,
                error == .foreign
                    ? "the cursor belongs to another feed, order or view"
                    : "the cursor is damaged or was never given out")
        }
    }
}

/// What a read may cost: the cache alone, or a request to the upstream first.
enum ReadPolicy: String, CaseIterable {
    case cacheFirst = "cache_first"
    case networkFirst = "network_first"
    case cacheOnly = "cache_only"
}
