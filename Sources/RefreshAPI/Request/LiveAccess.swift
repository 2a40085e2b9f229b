import RefreshCore

/// The rules that hold now; a reload puts others in their place.
package final class LiveAccess: Sendable {
    private let rules: Locked<Access>
    /// Beats with every change.
    let pulse = Pulse()

    package init(_ access: Access) { rules = Locked(access) }

    var current: Access { rules.withLock { $0 } }

    package func replace(by access: Access) {
        let isNew = rules.withLock { rules in
            defer { rules = access }
            return rules != access
        }
        if isNew { pulse.beat() }
    }
}
