/// A value that its copies share: for blocks of a plan that are large and mostly alike.
///
/// Ten thousand feeds then hold ten thousand references to one set of defaults. What reads it is inlined everywhere:
/// otherwise another module would copy the whole block, or build a key path at run time, to look at one member.
@dynamicMemberLookup
package struct Shared<Value: Sendable & Equatable>: Sendable, Equatable {
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let value: Value
        @usableFromInline init(_ value: Value) { self.value = value }
    }

    @usableFromInline let storage: Storage

    @inlinable package init(_ value: Value) { storage = Storage(value) }

    @inlinable package var value: Value { storage.value }

    @inlinable package subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member {
        storage.value[keyPath: path]
    }

    /// Whether both are one copy, and not only equal.
    @inlinable package func isSame(as other: Shared) -> Bool { storage === other.storage }

    @inlinable package static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @inlinable package func hash(into hasher: inout Hasher) { storage.value.hash(into: &hasher) }
}
