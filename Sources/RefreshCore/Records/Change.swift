/// What a row of the change log says of an item (semantics K8).
package enum ChangeKind: Equatable, Sendable {
    case upsert
    case delete(DeleteReason)
}

/// Why an item left; the numbers are stored.
package enum DeleteReason: Int, Sendable, CaseIterable {
    /// The upstream said so.
    case upstream = 1
    /// A complete listing did not hold it.
    case missing = 2
    /// The cache's bounds.
    case retention = 3
    /// Another item took its place.
    case replaced = 4
    /// A person removed it.
    case manual = 5

    /// As the socket API spells it.
    package var name: String {
        switch self {
        case .upstream: "upstream"
        case .missing: "missing"
        case .retention: "retention"
        case .replaced: "replaced"
        case .manual: "manual"
        }
    }
}
