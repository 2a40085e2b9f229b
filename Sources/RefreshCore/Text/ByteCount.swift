/// A size in bytes.
package struct ByteCount: Hashable, Comparable, Sendable {
    package let bytes: Int

    package init(_ bytes: Int) { self.bytes = bytes }

    package static func kibibytes(_ count: Int) -> ByteCount { ByteCount(count * 1_024) }
    package static func mebibytes(_ count: Int) -> ByteCount { ByteCount(count * 1_048_576) }
    package static func gibibytes(_ count: Int) -> ByteCount { ByteCount(count * 1_073_741_824) }

    package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
