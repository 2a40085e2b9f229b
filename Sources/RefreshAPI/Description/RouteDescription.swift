/// What a program has to know of a route to use it.
struct RouteDescription: Sendable {
    /// One parameter of the query.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let about: String
        /// Whether it may stand several times.
        let isRepeated: Bool

        init(_ name: String, _ schema: Schema, _ about: String, isRepeated: Bool = false) {
            self.name = name
            self.schema = schema
            self.about = about
            self.isRepeated = isRepeated
        }
    }

    /// What the answers with one status hold.
    struct Content: Sendable {
        /// The media type; nil: no body.
        let type: String?
        /// Nil where it is not JSON.
        let schema: Schema?

        static func json(_ schema: Schema) -> Content { Content(type: "application/json", schema: schema) }
        static func json(_ members: [Schema.Member]) -> Content { .json(.object(members)) }
        static func bytes(_ type: String) -> Content { Content(type: type, schema: nil) }
        static let nothing = Content(type: nil, schema: nil)
    }

    /// One status that is no problem.
    struct Answers: Sendable {
        let status: UInt32
        let about: String
        let contents: [Content]

        init(_ status: UInt32, _ about: String, _ contents: Content...) {
            self.status = status
            self.about = about
            self.contents = contents
        }
    }

    let summary: String
    let parameters: [Parameter]
    /// What a POST has to send; nil: nothing.
    let body: Schema?
    let answers: [Answers]
    /// The problems that it can have beside those that every route has.
    let problems: [Problem.Code]

    init(
        _ summary: String, parameters: [Parameter] = [], body: Schema? = nil, answers: [Answers],
        problems: [Problem.Code] = []
    ) {
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.problems = problems
    }

    /// Problems of any request, whatever it asks for.
    static let problemsOfAll: [Problem.Code] = [
        .badTarget, .ambiguousLength, .unknownParameter, .forbidden, .foreignOrigin, .bodyTooLarge,
        .uriTooLong, .headTooLarge, .tooManyConnections, .stopping,
    ]

    /// Problems of requests that no route takes.
    static let problemsOfNone: [Problem.Code] = [.notFound, .unsupportedVersion, .methodNotAllowed]
}
