import RefreshCore

/// Reads `plugins.yaml` and what it includes: bytes to trees, trees to typed values by the table, values to a plan.
package enum ConfigReader {
    /// The largest file that is read.
    package static let largest = ByteCount.mebibytes(8)
    /// All files together.
    package static let largestSum = ByteCount.mebibytes(32)

    package enum Mode: Sendable {
        /// Any error refuses the whole; files that others may write are warned of.
        case check
        /// Any error refuses the whole, and so does a file that others may write.
        case reload
        /// As `reload`, but a feed whose own part is wrong only stays away from the others.
        case start
    }

    /// What holds for one feed.
    package struct Explained: Sendable {
        /// Nil where there is no such feed, or nothing can be said of it.
        package let explanation: Explanation?
        package let result: ConfigResult
        /// The names of all feeds.
        package let feeds: [String]
    }

    /// Reads the file at `path`. Waits for the disk, so not for the pool's threads.
    package static func read(
        path: String, mode: Mode = .check, checkers: Checkers = .none
    ) -> ConfigResult {
        let reading = Reading.load(path: path, mode: mode)
        return result(of: reading, mode, checkers)
    }

    /// Reads a text; `file` is its name in messages, and relative paths start at its folder. Includes are not followed.
    package static func read(
        bytes: [UInt8], file: String, mode: Mode = .check, checkers: Checkers = .none
    ) -> ConfigResult {
        result(of: Reading.load(bytes: bytes, file: file), mode, checkers)
    }

    /// The effective values of one feed of the file at `path`.
    package static func explain(
        path: String, feed: String, checkers: Checkers = .none
    ) -> Explained {
        explanation(of: feed, in: Reading.load(path: path, mode: .check), checkers)
    }

    /// The effective values of one feed of a text.
    package static func explain(
        bytes: [UInt8], file: String, feed: String, checkers: Checkers = .none
    ) -> Explained {
        explanation(of: feed, in: Reading.load(bytes: bytes, file: file), checkers)
    }

    /// The effective values of a configuration that was read before, as its files said then.
    ///
    /// - Parameters:
    ///   - feed: the only feed that is told of; nil: all of them, by name.
    ///   - name: only feeds whose names come after it.
    ///   - limit: so many feeds at most.
    package static func overview(
        of sources: ConfigSources, feed: String? = nil, after name: String? = nil, limit: Int = .max,
        checkers: Checkers = .none
    ) -> ConfigOverview {
        let reading = Reading.load(sources)
        let names = feed.map { [$0] } ?? reading.feeds.map(\.name).sorted().filter { $0 > name ?? "" }
        var builder = PlanBuilder(reading, checkers: checkers)
        builder.wanted = Set(names.prefix(limit))
        _ = builder.plan()
        return ConfigOverview(builder, hasMore: names.count > limit)
    }

    // MARK: - To a plan

    private static func result(
        of reading: Reading, _ mode: Mode, _ checkers: Checkers
    ) -> ConfigResult {
        guard reading.isRead else { return ConfigResult(plan: nil, problems: reading.problems.sorted) }
        var builder = PlanBuilder(reading, checkers: checkers)
        let plan = builder.plan()
        return finished(plan, builder, mode)
    }

    private static func explanation(
        of feed: String, in reading: Reading, _ checkers: Checkers
    ) -> Explained {
        guard reading.isRead else {
            let result = ConfigResult(plan: nil, problems: reading.problems.sorted)
            return Explained(explanation: nil, result: result, feeds: [])
        }
        var builder = PlanBuilder(reading, checkers: checkers)
        builder.wanted = [feed]
        let plan = builder.plan()
        return Explained(
            explanation: builder.explanations.first, result: finished(plan, builder, .check),
            feeds: reading.feeds.map(\.name))
    }

    private static func finished(_ plan: Plan, _ builder: PlanBuilder, _ mode: Mode) -> ConfigResult {
        let problems = builder.problems
        let stops = mode == .start ? problems.scopes.contains(.whole) : problems.hasErrors
        return ConfigResult(
            plan: stops ? nil : plan, problems: problems.sorted, sources: builder.reading.sources)
    }
}
