/// The problems of a configuration, as they are found.
///
/// What stands once in a file is told once, however many feeds share it; beyond `most` they are only counted.
struct ProblemList {
    /// More than anybody reads.
    static let most = 1_000

    /// What a problem makes unusable.
    enum Scope: Equatable, Sendable {
        case whole
        case feed(String)
        /// A fragment, a budget or a plugin, by its path.
        case part(String)
        /// A file that is included.
        case file(Int)
    }

    private struct Seen: Hashable {
        let place: SourcePlace?
        let message: String
    }

    /// The names of the files that places speak of.
    private(set) var files: [String]
    private var found: [(problem: ConfigProblem, place: SourcePlace?)] = []
    private var seen: Set<Seen> = []
    private(set) var scopes: [Scope] = []
    /// The first error of each feed.
    private(set) var firstErrors: [String: ConfigProblem] = [:]
    private var firstErrorsOfFiles: [Int: ConfigProblem] = [:]
    private var uncounted = 0
    private(set) var hasErrors = false

    init(file: String) { files = [file] }

    /// The first file.
    var file: String { files[0] }

    /// A further file; its number is for places in it.
    mutating func addFile(_ name: String) -> Int {
        files.append(name)
        return files.count - 1
    }

    mutating func add(_ code: ConfigProblem.Code, at place: SourcePlace?, _ path: [String], _ message: String)
    {
        add(code, .error, at: place, path, message)
    }

    /// Of the file, or of a place in it that no key leads to.
    mutating func add(_ code: ConfigProblem.Code, at place: SourcePlace?, _ message: String) {
        add(code, .error, at: place, [], message)
    }

    mutating func warn(
        _ code: ConfigProblem.Code, at place: SourcePlace?, _ path: [String], _ message: String
    ) {
        add(code, .warning, at: place, path, message)
    }

    /// Of the file, or of a place in it that no key leads to.
    mutating func warn(_ code: ConfigProblem.Code, at place: SourcePlace?, _ message: String) {
        add(code, .warning, at: place, [], message)
    }

    /// Of the file as a whole, or of one that is included.
    mutating func add(_ problem: ConfigProblem, scope: Scope = .whole) {
        record(problem, at: nil, scope)
    }

    mutating func add(
        _ code: ConfigProblem.Code, _ severity: ConfigProblem.Severity, at place: SourcePlace?,
        _ path: [String], scope: Scope? = nil, _ message: String
    ) {
        guard seen.insert(Seen(place: place, message: message)).inserted else {
            // Told already, and still in the way of this feed too.
            if severity == .error { noteScope(scope ?? ProblemList.scope(of: path, at: place), nil) }
            return
        }
        let problem = ConfigProblem(
            file: files[place?.file ?? 0], place: place, path: path, code: code, severity: severity,
            message: message)
        record(problem, at: place, scope ?? ProblemList.scope(of: path, at: place))
    }

    /// An error that is told elsewhere and makes a feed unusable.
    mutating func spoil(_ feed: String, because reason: String) {
        guard firstErrors[feed] == nil else { return }
        firstErrors[feed] = ConfigProblem(
            file: file, place: nil, path: ["feeds", feed], code: .conflict, message: reason)
    }

    /// The first error of an included file that no feed in it is to blame for.
    func firstError(of file: Int) -> ConfigProblem? { firstErrorsOfFiles[file] }

    private mutating func record(_ problem: ConfigProblem, at place: SourcePlace?, _ scope: Scope) {
        if problem.severity == .error { noteScope(scope, problem) }
        guard found.count < ProblemList.most else {
            uncounted += 1
            return
        }
        found.append((problem, place))
    }

    private mutating func noteScope(_ scope: Scope, _ problem: ConfigProblem?) {
        hasErrors = true
        if case .file(let number) = scope, firstErrorsOfFiles[number] == nil {
            firstErrorsOfFiles[number] = problem ?? found.last?.problem
        }
        if case .feed(let name) = scope {
            if firstErrors[name] == nil { firstErrors[name] = problem ?? found.last?.problem }
        } else if !scopes.contains(scope) {
            scopes.append(scope)
        }
    }

    private static func scope(of path: [String], at place: SourcePlace?) -> Scope {
        if path.count >= 2 {
            if path[0] == "feeds" { return .feed(path[1]) }
            if ["fragments", "budgets", "plugins"].contains(path[0]) {
                return .part("\(path[0]).\(path[1])")
            }
        }
        guard let file = place?.file, file > 0 else { return .whole }
        return .file(file)
    }

    /// By place; what was found first comes first where two share one.
    var sorted: [ConfigProblem] {
        let none = SourcePlace(line: 0, column: 0)
        var sorted = found.enumerated().sorted { left, right in
            let (one, other) = (left.element.place ?? none, right.element.place ?? none)
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element.problem)
        if uncounted > 0 {
            let message = "there are \(uncounted) more problems, which are not listed"
            sorted.append(
                ConfigProblem(
                    file: file, place: nil, code: .limit, severity: hasErrors ? .error : .warning,
                    message: message))
        }
        return sorted
    }
}
