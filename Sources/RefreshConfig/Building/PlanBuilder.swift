import RefreshCore

/// Makes the plan of what the files say, and checks what no single value shows.
struct PlanBuilder {
    var problems: ProblemList
    let checkers: Checkers
    /// Feeds whose effective values are asked for.
    var wanted: Set<String> = []
    var explanations: [Explanation] = []
    /// What else the feed at hand says of its requests; see `SentTwice` and `FilledIn`.
    var sent: [SentValue] = []
    var filled: [FilledValue] = []

    private var guesses = 100

    let reading: Reading
    private let daemon: Section
    private var defaults = Section()
    private var fragments: [String: Section] = [:]
    private(set) var pluginNames: [String] = []
    private(set) var budgetNames: [String] = []
    private(set) var feedNames: Set<String> = []
    private var shared: [Shared<FeedDetails>] = [.standard]
    /// The latest feed of each adapter.
    var examples: [String: Feed] = [:]

    init(_ reading: Reading, checkers: Checkers) {
        problems = reading.problems
        self.reading = reading
        self.checkers = checkers
        daemon = reading.root[block: RootTable.daemon]
        let name = RootTable.defaults.entry.name
        defaults = withURLInRequest(reading.root[block: RootTable.defaults], [name]).said(by: .defaults)
    }

    /// Of use only where there are no problems, or none but those of feeds that stay away.
    mutating func plan() -> Plan {
        if reading.feeds.isEmpty, !problems.hasErrors {
            let place = reading.root[RootTable.feeds.entry.name]?.keyPlace ?? SourcePlace(line: 1, column: 1)
            problems.warn(.doubtful, at: place, "there are no feeds, so there is nothing to do")
        }
        let plugins = reading.plugins.map { plugin($0) }
        pluginNames = reading.plugins.map(\.name)
        let budgets = reading.budgets.map { budget($0) }
        budgetNames = reading.budgets.map(\.name)
        for fragment in reading.fragments { prepare(fragment) }
        feedNames = Set(reading.feeds.map(\.name))
        let built = reading.feeds.compactMap { feed(in: $0) }
        checkParents(of: built)
        noteWhatDoesNothing()
        let good = built.filter { problems.firstErrors[$0.id.name] == nil }
        return Plan(
            daemon: settings(daemon), feeds: good, budgets: budgets, plugins: plugins, broken: broken())
    }

    private func broken() -> [BrokenFeed] {
        var reasons = problems.firstErrors
        for (feed, problem) in reading.unread where reasons[feed] == nil && !feedNames.contains(feed) {
            reasons[feed] = problem
        }
        return reasons.sorted { $0.key < $1.key }.compactMap { name, problem in
            FeedID(name).map { BrokenFeed(id: $0, reason: problem.reason) }
        }
    }

    // MARK: - Layers

    private mutating func prepare(_ fragment: NamedSetting) {
        guard case .block(let section) = fragment.setting.value else { return }
        let layer = withURLInRequest(section, [RootTable.fragments.entry.name, fragment.name])
        fragments[fragment.name] = layer.said(by: .fragment(fragment.name))
    }

    private mutating func feed(in named: NamedSetting) -> Feed? {
        guard case .block(let own) = named.setting.value, let id = FeedID(named.name) else { return nil }
        let path = [RootTable.feeds.entry.name, named.name]
        var section = withURLInRequest(own, path)
        for name in section[FeedTable.use] ?? [] { section = section.over(fragment(name, of: section, path)) }
        section = section.over(defaults)
        sent = []
        filled = []
        guard let context = context(id, own, section, named.setting.keyPlace) else { return nil }
        let feed = feed(context)
        if wanted.contains(named.name) {
            var explanation = Explanation(context, plugins: pluginNames, files: problems.files)
            if let feed { explanation.settle(by: feed) }
            explanations.append(explanation)
        }
        return feed
    }

    private mutating func fragment(_ name: String, of section: Section, _ path: [String]) -> Section {
        let part = "\(RootTable.fragments.entry.name).\(name)"
        if problems.scopes.contains(.part(part)), let feed = path.last {
            problems.spoil(feed, because: "the fragment \"\(name)\" is wrong")
        }
        if let fragment = fragments[name] { return fragment }
        let place = section[FeedTable.use.entry.name]?.place
        let known = reading.fragments.map(\.name)
        let message = unknown("fragment", name, known)
        problems.add(.badValue, at: place, path + [FeedTable.use.entry.name], message)
        return Section()
    }

    /// Guesses for the first few only: each looks at every name that there is.
    mutating func unknown(_ noun: String, _ name: String, _ known: some Sequence<String>) -> String {
        var message = "there is no \(noun) \"\(SafeText.short(name))\""
        guesses -= 1
        if guesses >= 0, let suggestion = ClosestMatch.suggestion(for: name, among: known) {
            message += "; did you mean \"\(suggestion)\"?"
        }
        return message
    }

    /// The feed as its layers say it together; nil where its adapter is not known.
    private mutating func context(
        _ id: FeedID, _ own: Section, _ section: Section, _ place: SourcePlace
    ) -> FeedContext? {
        let path = [RootTable.feeds.entry.name, id.name]
        guard let word = section[FeedTable.adapter] else {
            missing(FeedTable.adapter.entry, in: section, at: place, path)
            return nil
        }
        guard let adapter = Feed.Adapter(word, plugins: pluginNames) else {
            let known = FeedTable.builtInAdapters + pluginNames
            var message = "must be \(Shape.list(known)), not \"\(SafeText.short(word))\""
            if let suggestion = ClosestMatch.suggestion(for: word, among: known) {
                message += "; did you mean \"\(suggestion)\"?"
            }
            let name = FeedTable.adapter.entry.name
            problems.add(.badValue, at: section[name]?.place ?? place, path + [name], message)
            return nil
        }
        return FeedContext(id: id, adapter: adapter, own: own, section: section, place: place)
    }

    /// `url` at the top of a feed is short for `request.url`; both at once is one too many.
    private mutating func withURLInRequest(_ section: Section, _ path: [String]) -> Section {
        let short = FeedTable.url.entry.name
        guard let url = section[short] else { return section }
        let request = section[block: FeedTable.request]
        if let other = request[short] {
            let (first, second) = url.keyPlace < other.keyPlace ? (url, other) : (other, url)
            let message = "the URL is given twice, here and on line \(first.keyPlace.line); remove one"
            problems.add(.conflict, at: second.keyPlace, path, message)
            return section
        }
        var whole = request
        whole[short] = url
        var result = section
        let place = section[FeedTable.request.entry.name]?.keyPlace ?? url.keyPlace
        result[FeedTable.request.entry.name] = Setting(value: .block(whole), keyPlace: place, place: place)
        result[short] = nil
        return result
    }

    // MARK: - Shared blocks

    /// One copy for all feeds that leave the same alone. Feeds that differ each have their own anyway, so that it is
    /// enough to look at the latest.
    mutating func shared(_ details: FeedDetails) -> Shared<FeedDetails> {
        if let index = shared.firstIndex(where: { $0.value == details }) { return shared[index] }
        let made = Shared(details)
        if shared.count >= 16 { shared.remove(at: 1) }
        shared.append(made)
        return made
    }

    var allowsPrivate: Bool { daemon[DaemonTable.allowPrivate] }
}

extension Feed.Adapter {
    /// The adapter of that name.
    init?(_ name: String, plugins: [String]) {
        if let builtIn = Feed.Adapter.builtIn.first(where: { $0.name == name }) {
            self = builtIn
        } else if plugins.contains(name) {
            self = .plugin(name)
        } else {
            return nil
        }
    }
}
