/// The problems of one file, as they are found.
struct ProblemList {
    let file: String
    private var found: [ConfigProblem] = []

    init(file: String) { self.file = file }

    mutating func add(_ code: ConfigProblem.Code, at place: SourcePlace?, _ path: [String], _ message: String)
    {
        add(ConfigProblem(file: file, place: place, path: path, code: code, message: message))
    }

    /// Of the file, or of a place in it that no key leads to.
    mutating func add(_ code: ConfigProblem.Code, at place: SourcePlace?, _ message: String) {
        add(code, at: place, [], message)
    }

    mutating func warn(_ code: ConfigProblem.Code, at place: SourcePlace?, _ message: String) {
        add(ConfigProblem(file: file, place: place, code: code, severity: .warning, message: message))
    }

    mutating func add(_ problem: ConfigProblem) { found.append(problem) }

    var hasErrors: Bool { found.contains { $0.severity == .error } }

    /// By place; what was found first comes first where two share one.
    var sorted: [ConfigProblem] {
        found.enumerated().sorted { left, right in
            (left.element.line, left.element.column, left.offset)
                < (right.element.line, right.element.column, right.offset)
        }.map(\.element)
    }
}
