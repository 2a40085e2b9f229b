import RefreshCore

/// Chains of parents, each walked once however long they are.
extension PlanBuilder {
    /// A chain of parents has to end, and none of its feeds may be broken.
    mutating func checkParents(of feeds: [Feed]) {
        let parents = Dictionary(
            feeds.compactMap { feed in feed.details.parent.map { (feed.id.name, $0.feed.name) } }
        ) { first, _ in first }
        guard !parents.isEmpty else { return }
        var settled: Set<String> = []
        for named in reading.feeds where parents[named.name] != nil && !settled.contains(named.name) {
            settle(named.name, parents, &settled)
        }
    }

    /// Walks up from a feed to one that is settled or has no parent, and settles all on the way.
    private mutating func settle(
        _ name: String, _ parents: [String: String], _ settled: inout Set<String>
    ) {
        var chain: [String] = []
        var places: [String: Int] = [:]
        var next: String? = name
        while let current = next, !settled.contains(current) {
            if let start = places[current] {
                circle(Array(chain[start...]))
                break
            }
            places[current] = chain.count
            chain.append(current)
            next = parents[current]
        }
        for child in chain.reversed() {
            settled.insert(child)
            guard let parent = parents[child], problems.firstErrors[parent] != nil else { continue }
            problems.spoil(child, because: "its parent \"\(parent)\" is wrong")
        }
    }

    private mutating func circle(_ members: [String]) {
        guard let first = members.first, !members.contains(where: { problems.firstErrors[$0] != nil }),
            let named = reading.feeds.first(where: { $0.name == first })
        else { return }
        let shown = members.count <= 8 ? members : Array(members.prefix(7)) + ["…"]
        let way = (shown + [first]).joined(separator: " → ")
        var place = named.setting.place
        if case .block(let section) = named.setting.value,
            let parent = section[FeedTable.parent.entry.name]
        {
            place = parent.place
        }
        let path = [RootTable.feeds.entry.name, first, "parent", "feed"]
        problems.add(.conflict, at: place, path, "parents go in a circle: \(way)")
        for member in members { problems.spoil(member, because: "its parents go in a circle") }
    }
}
