import RefreshCore

/// What the files of a configuration say, block by block, before anything is made of it.
struct Reading {
    var problems: ProblemList
    /// Whether the first file could be read at all.
    private(set) var isRead = false
    /// The first file's own blocks.
    private(set) var root = Section()
    private(set) var feeds: [NamedSetting] = []
    private(set) var fragments: [NamedSetting] = []
    private(set) var budgets: [NamedSetting] = []
    private(set) var plugins: [NamedSetting] = []
    /// Files that were included and could not be read, by the name of the feed that each most likely holds.
    private(set) var unread: [(feed: String, problem: ConfigProblem)] = []
    private var names: [String: SourcePlace] = [:]
    private var bytes = 0
    /// The files that were read.
    private(set) var sources = ConfigSources()

    private init(file: String) { problems = ProblemList(file: file) }

    static func load(bytes: [UInt8], file: String) -> Reading {
        var reading = Reading(file: file)
        _ = reading.readFirst(bytes, isReadableByOthers: false)
        return reading
    }

    /// Reads again what was read before.
    static func load(_ sources: ConfigSources) -> Reading {
        guard let first = sources.files.first else { return Reading(file: "") }
        var reading = Reading(file: first.path)
        guard reading.readFirst(first.bytes, isReadableByOthers: first.isReadableByOthers) != nil else {
            return reading
        }
        for file in sources.files.dropFirst() {
            let number = reading.problems.addFile(file.path)
            reading.readFurther(file.bytes, isReadableByOthers: file.isReadableByOthers, number)
        }
        return reading
    }

    static func load(path: String, mode: ConfigReader.Mode) -> Reading {
        var reading = Reading(file: path)
        switch ConfigFile.read(path) {
        case .failure(let problem): reading.problems.add(problem)
        case .success(let file):
            if let doubt = file.doubt { reading.note(doubt, of: path, mode, .whole) }
            guard let section = reading.readFirst(file.bytes, isReadableByOthers: file.isReadableByOthers)
            else { return reading }
            reading.include(section, mode)
        }
        return reading
    }

    private mutating func readFirst(_ bytes: [UInt8], isReadableByOthers: Bool) -> Section? {
        self.bytes = bytes.count
        sources.files = [
            .init(path: problems.file, bytes: bytes, isReadableByOthers: isReadableByOthers)
        ]
        var document = DocumentReader(file: 0, problems: problems)
        let tree = document.tree(of: bytes)
        problems = document.problems
        guard let tree else { return nil }
        isRead = true
        var reader = ValueReader(problems: problems, folder: Reading.folder(of: problems.file))
        reader.isReadableByOthers = isReadableByOthers
        let section = reader.root(tree)
        problems = reader.problems
        guard let section else {
            isRead = false
            return nil
        }
        root = section
        checkIncludes(section)
        take(section)
        return section
    }

    // MARK: - Further files

    private mutating func checkIncludes(_ section: Section) {
        guard let setting = section[RootTable.include.entry.name], case .texts(let patterns) = setting.value
        else { return }
        for pattern in patterns {
            guard let mistake = IncludedFiles.mistake(in: pattern) else { continue }
            let message = "\"\(SafeText.short(pattern))\" \(mistake)"
            problems.add(.badValue, at: setting.place, [RootTable.include.entry.name], message)
        }
    }

    private mutating func include(_ section: Section, _ mode: ConfigReader.Mode) {
        guard let setting = section[RootTable.include.entry.name], case .texts(let patterns) = setting.value
        else { return }
        var files = IncludedFiles(root: Reading.folder(of: problems.file))
        for pattern in patterns where IncludedFiles.mistake(in: pattern) == nil {
            guard !files.add(pattern), !NamePattern.isPattern(pattern) else { continue }
            let message = "there is no file \"\(SafeText.short(pattern))\""
            problems.add(.badValue, at: setting.place, [RootTable.include.entry.name], message)
        }
        for doubt in files.doubts { note(doubt.reason, of: doubt.path, mode, .whole) }
        for file in files.found { read(file, mode) }
    }

    private mutating func read(_ file: IncludedFiles.Found, _ mode: ConfigReader.Mode) {
        let number = problems.addFile(file.path)
        let earlier = problems.scopes.count
        switch file.content {
        case .failure(let problem): problems.add(problem, scope: .file(number))
        case .success(let content):
            bytes += content.bytes.count
            if let doubt = content.doubt {
                note(doubt, of: file.path, mode, .file(number))
                // What it says is not repeated in messages either.
                if mode != .check { break }
            }
            guard bytes <= ConfigReader.largestSum.bytes else {
                let most = ConfigReader.largestSum.bytes
                let words = "all files together have more than \(most) bytes, which is the most that is read"
                problems.add(ConfigFile.problem(file.path, words), scope: .file(number))
                break
            }
            sources.files.append(
                .init(
                    path: file.path, bytes: content.bytes, isReadableByOthers: content.isReadableByOthers))
            readFurther(content.bytes, isReadableByOthers: content.isReadableByOthers, number)
        }
        guard problems.scopes.count > earlier, let feed = Reading.feedName(of: file.path) else { return }
        if let problem = problems.firstError(of: number) { unread.append((feed, problem)) }
    }

    private mutating func readFurther(_ bytes: [UInt8], isReadableByOthers: Bool, _ number: Int) {
        var document = DocumentReader(file: number, problems: problems)
        let tree = document.tree(of: bytes)
        problems = document.problems
        guard let tree else { return }
        let folder = Reading.folder(of: problems.files[number])
        var reader = ValueReader(problems: problems, folder: folder)
        reader.isReadableByOthers = isReadableByOthers
        reader.allowedAtTop = RootTable.dropIn
        let section = reader.root(tree)
        problems = reader.problems
        if let section { take(section) }
    }

    private mutating func note(
        _ doubt: String, of path: String, _ mode: ConfigReader.Mode, _ scope: ProblemList.Scope
    ) {
        let problem = ConfigProblem(
            file: path, place: nil, code: .access, severity: mode == .check ? .warning : .error,
            message: "\(SafeText.escaped(path)): \(doubt)")
        problems.add(problem, scope: scope)
    }

    // MARK: - Named blocks

    private mutating func take(_ section: Section) {
        feeds += fresh(section, RootTable.feeds)
        fragments += fresh(section, RootTable.fragments)
        budgets += fresh(section, RootTable.budgets)
        plugins += fresh(section, RootTable.plugins)
    }

    /// Those whose names no earlier file has used.
    private mutating func fresh(_ section: Section, _ key: Key<[NamedSetting]>) -> [NamedSetting] {
        let kind = key.entry.name
        return (section[key] ?? []).filter { named in
            let place = named.setting.keyPlace
            guard let earlier = names.updateValue(place, forKey: "\(kind).\(named.name)") else { return true }
            names["\(kind).\(named.name)"] = earlier
            let file = SafeText.escaped(problems.files[earlier.file])
            let message = "\"\(named.name)\" stands in \(file) on line \(earlier.line) already"
            problems.add(.duplicateKey, at: place, [kind, named.name], message)
            return false
        }
    }

    /// With its slash; empty for a bare name.
    private static func folder(of file: String) -> String {
        guard let slash = file.utf8.lastIndex(of: 0x2F) else { return "" }
        return String(file[...slash])
    }

    /// `feeds.d/shop.yaml` most likely holds the feed `shop`.
    private static func feedName(of path: String) -> String? {
        let last = path.utf8.lastIndex(of: 0x2F).map { String(path[path.index(after: $0)...]) } ?? path
        let stem = last.utf8.lastIndex(of: 0x2E).map { String(last[..<$0]) } ?? last
        return FeedID.isLegal(stem) ? stem : nil
    }
}
