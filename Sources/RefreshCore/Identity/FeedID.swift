/// The name of a feed as configured: `[a-z0-9][a-z0-9._-]{0,63}`.
package struct FeedID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let name: String

    /// Nil where `name` is not a legal feed name.
    package init?(_ name: String) {
        guard FeedID.isLegal(name) else { return nil }
        self.name = name
    }

    /// Stands where no feed is meant; none can have its name.
    package static let nobody = FeedID(unchecked: "/")

    private init(unchecked name: String) { self.name = name }

    /// Whether a feed may have this name.
    package static func isLegal(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, bytes.count <= 64, isLetterOrDigit(first) else { return false }
        return bytes.dropFirst().allSatisfy { isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    // Legal names are ASCII, so text order is byte order.
    package static func < (left: FeedID, right: FeedID) -> Bool { left.name < right.name }

    package var description: String { name }
}
