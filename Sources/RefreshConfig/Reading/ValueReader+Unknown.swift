import RefreshCore

/// Keys that are not known.
extension ValueReader {
    mutating func unknown(
        _ name: String, _ place: SourcePlace, in block: Block, _ path: [String], _ section: inout Section
    ) {
        let shown = SafeText.short(name)
        guard mayGuess() else {
            problems.add(.unknownKey, at: place, path, "unknown key \"\(shown)\"")
            return
        }
        section.hasStrangers = true
        let suggestion = ClosestMatch.suggestion(for: name, among: block.names)
        let isSlip = suggestion.map { $0.hasPrefix(name) || name.hasPrefix($0) } ?? false
        let homes = isSlip ? [] : homes(of: name)
        if !homes.isEmpty {
            let places = Shape.list(homes.map(ConfigProblem.dotted))
            let message = "unknown key \"\(shown)\"; it belongs in \(places)"
            problems.add(.misplacedKey, at: place, path, message)
            return
        }
        if name == MergeKeys.name {
            problems.add(.wrongType, at: place, path, "\"<<\" takes an alias of a mapping, or a list of them")
            return
        }
        var message = "unknown key \"\(shown)\""
        if let suggestion {
            message += "; did you mean \"\(suggestion)\"?"
            // One slip is one mistake: the key that was meant is not missing as well.
            section.refuse(suggestion)
        } else if block.entries.count <= 6 {
            message += "; known are \(block.names.joined(separator: ", "))"
        }
        problems.add(.unknownKey, at: place, path, message)
    }

    /// The paths of the nearest blocks that have this key, where those are few.
    private func homes(of name: String) -> [[String]] {
        for scope in scopes.reversed() {
            // `defaults` and fragments hold what a feed holds, and a feed is more likely meant.
            let others = [RootTable.defaults.entry.name, RootTable.fragments.entry.name]
            let homes = scope.block.homes(of: name).filter { !others.contains($0.first ?? "") }
            guard let nearest = homes.map(\.count).min() else { continue }
            var candidates: [[String]] = []
            for home in homes where home.count == nearest && !candidates.contains(home) {
                candidates.append(home)
            }
            guard candidates.count <= 2 else { return [] }
            return candidates.map { home in
                let whole = scope.path + home
                return whole.isEmpty ? ["the top of the file"] : whole
            }
        }
        return []
    }
}
