/// A query into a JSON document (RFC 9535).
package struct JSONPath: Hashable, Sendable {
    /// What is picked of one object or array (2.3).
    package enum Selector: Hashable, Sendable {
        /// The member of this name, in UTF-8 without escapes.
        case name([UInt8])
        /// The element at this index; negative ones count from the end.
        case index(Int)
        /// Every member or element.
        case wildcard
        case slice(Slice)
        /// Every member or element for which the filter holds.
        case filter(JSONFilter)
    }

    /// Elements at regular distances (2.3.4); nil is the default.
    package struct Slice: Hashable, Sendable {
        package let start: Int?
        package let end: Int?
        package let step: Int?

        package init(start: Int? = nil, end: Int? = nil, step: Int? = nil) {
            self.start = start
            self.end = end
            self.step = step
        }
    }

    /// One step from every node selected so far (2.5).
    package struct Segment: Hashable, Sendable {
        /// Whether it selects from all descendants as well, the node itself among them.
        package let isDescendant: Bool
        /// At least one; what they select comes in their order, twice where two select the same.
        package let selectors: [Selector]

        package init(isDescendant: Bool = false, _ selectors: [Selector]) {
            self.isDescendant = isDescendant
            self.selectors = selectors
        }

        package static func name(_ name: [UInt8]) -> Segment { Segment([.name(name)]) }
        package static func index(_ index: Int) -> Segment { Segment([.index(index)]) }
        package static let wildcard = Segment([.wildcard])
    }

    /// A step to one child at most.
    package enum Step: Hashable, Sendable {
        case name([UInt8])
        case index(Int)
    }

    package let segments: [Segment]
    /// The whole path where it is a singular query (2.3.5.1), which selects one node at most; nil of others.
    package let steps: [Step]?

    package init(_ segments: [Segment]) {
        self.segments = segments
        steps = JSONPath.steps(segments)
    }

    /// `$`: the document itself.
    package static let root = JSONPath([])

    /// Whether it can select one node at most.
    package var isSingular: Bool { steps != nil }

    package static func == (left: JSONPath, right: JSONPath) -> Bool { left.segments == right.segments }
    package func hash(into hasher: inout Hasher) { hasher.combine(segments) }

    private static func steps(_ segments: [Segment]) -> [Step]? {
        var steps: [Step] = []
        for segment in segments {
            guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
            switch segment.selectors[0] {
            case .name(let name): steps.append(.name(name))
            case .index(let index): steps.append(.index(index))
            case .wildcard, .slice, .filter: return nil
            }
        }
        return steps
    }
}
