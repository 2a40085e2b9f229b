/// A query into a JSON document (RFC 9535), of the segments that name single children or all of them.
package struct JSONPath: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        /// The member of this name, in UTF-8 without escapes.
        case name([UInt8])
        /// The element at this index; negative ones count from the end.
        case index(Int)
        /// Every member or element.
        case wildcard
    }

    package let segments: [Segment]

    package init(_ segments: [Segment]) { self.segments = segments }

    /// `$`: the document itself.
    package static let root = JSONPath([])

    /// Whether it can select one node at most (RFC 9535, 2.3.5.1: singular query).
    package var isSingular: Bool { !segments.contains(.wildcard) }
}
