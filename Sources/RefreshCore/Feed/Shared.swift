/// A value that its copies share: for blocks of a plan that are large and mostly alike.
///
/// Ten thousand feeds then hold ten thousand references to one set of defaults.
@dynamicMemberLookup
package struct Shared<Value: Sendable & Equatable>: Sendable, Equatable {
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    package var value: Value { storage.value }

    package subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member {
        storage.value[keyPath: path]
    }

    /// Whether both are one copy, and not only equal.
    package func isSame(as other: Shared) -> Bool { storage === other.storage }

    package static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }
}
