import RefreshCore

/// The API's description for programs (OpenAPI 3.1), made of the route table.
enum OpenAPIDocument {
    private typealias Members = [(name: String, value: DocumentNode)]

    static let mediaType = "application/json"

    /// Made when somebody asks for the first time.
    static let bytes = document(RouteTable.routes).indented

    static func document(_ routes: [Route]) -> DocumentNode {
        .object([
            ("openapi", .text("3.1.0")),
            (
                "info",
                .object([
                    ("title", .text("refreshd")), ("version", .text(Endpoints.apiVersion)),
                    ("description", .text(about)),
                    (
                        "license",
                        .object([("name", .text("Apache-2.0")), ("identifier", .text("Apache-2.0"))])
                    ),
                ])
            ),
            ("servers", .array([.object([("url", .text("http://localhost"))])])),
            ("paths", .object(paths(routes))),
            ("components", .object([("schemas", .object(schemas))])),
            ("x-problems", .object(problems)),
        ])
    }

    private static let about =
        "HTTP/1.1 on a Unix socket. Answers may gain members: ignore those that you do not know. Unknown query "
        + "parameters and unknown members of bodies are refused. HEAD answers what GET answers, without the body. "
        + "x-problems has every code there is; those without a route come where no route takes a request."

    private static func paths(_ routes: [Route]) -> Members {
        var paths: [(name: String, operations: Members)] = []
        for route in routes {
            let operation = (name: route.method.lowercased, value: operation(route))
            if let place = paths.firstIndex(where: { $0.name == route.template }) {
                paths[place].operations.append(operation)
            } else {
                paths.append((route.template, [operation]))
            }
        }
        return paths.map { ($0.name, .object($0.operations)) }
    }

    private static func operation(_ route: Route) -> DocumentNode {
        let description = route.endpoint.description
        var members: Members = [
            ("operationId", .text(route.endpoint.operation)), ("summary", .text(description.summary)),
            ("x-right", .text(route.right.name)),
        ]
        let parameters = pathParameters(route) + description.parameters.map(parameter)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let body = description.body {
            let content = DocumentNode.object([("application/json", .object([("schema", body.node)]))])
            members.append(("requestBody", .object([("content", content)])))
        }
        members.append(("responses", .object(responses(description))))
        return .object(members)
    }

    // MARK: - Parameters

    private static func pathParameters(_ route: Route) -> [DocumentNode] {
        route.path.compactMap { part in
            switch part {
            case .literal: nil
            case .feed: pathParameter("feed", SchemaName.feedName, "The feed's name.")
            case .key:
                pathParameter(
                    "key", .matching("^.+$"),
                    "The item's key as one segment; of several parts: their JSON array.")
            }
        }
    }

    private static func pathParameter(_ name: String, _ schema: Schema, _ about: String) -> DocumentNode {
        .object([
            ("name", .text(name)), ("in", .text("path")), ("required", .flag(true)),
            ("description", .text(about)), ("schema", schema.node),
        ])
    }

    private static func parameter(_ parameter: RouteDescription.Parameter) -> DocumentNode {
        let schema = parameter.isRepeated ? Schema.list(parameter.schema, atMost: 100) : parameter.schema
        return .object([
            ("name", .text(parameter.name)), ("in", .text("query")), ("required", .flag(false)),
            ("description", .text(parameter.about)), ("schema", schema.node),
        ])
    }

    // MARK: - Answers

    private static func responses(_ description: RouteDescription) -> Members {
        let problems = description.problems + RouteDescription.problemsOfAll
        let statuses = Set(description.answers.map(\.status) + problems.map(\.status)).sorted()
        return statuses.map { status in
            let answers = description.answers.filter { $0.status == status }
            let codes = problems.filter { $0.status == status }
            return ("\(status)", response(answers, codes))
        }
    }

    private static func response(_ answers: [RouteDescription.Answers], _ codes: [Problem.Code])
        -> DocumentNode
    {
        let names = codes.map(\.rawValue).sorted()
        let about =
            answers.map(\.about) + (names.isEmpty ? [] : ["A problem: \(names.joined(separator: ", "))."])
        var members: Members = [("description", .text(about.joined(separator: " ")))]
        var contents: Members = answers.flatMap(\.contents).compactMap { content in
            guard let type = content.type else { return nil }
            let schema = content.schema ?? .text
            return (type, .object([("schema", schema.node)]))
        }
        if !names.isEmpty {
            contents.append(
                ("application/problem+json", .object([("schema", Schema.named(.problem).node)])))
        }
        if !contents.isEmpty { members.append(("content", .object(contents))) }
        if codes.contains(where: { [429, 503].contains($0.status) }) {
            members.append(("headers", .object([retryAfter])))
        }
        if !names.isEmpty { members.append(("x-codes", .texts(names))) }
        return .object(members)
    }

    // MARK: - What is common

    private static var retryAfter: (name: String, value: DocumentNode) {
        let about = DocumentNode.text("Seconds after which to try again.")
        return ("Retry-After", .object([("description", about), ("schema", Schema.count.node)]))
    }

    private static var schemas: Members { SchemaName.allCases.map { ($0.rawValue, $0.schema.node) } }

    private static var problems: Members {
        Problem.Code.allCases.map { code in
            (
                code.rawValue,
                .object([("status", .number(Int64(code.status))), ("title", .text(code.title))])
            )
        }
    }
}

extension Route {
    /// The path as the document spells it.
    var template: String {
        "/"
            + path.map { part in
                switch part {
                case .literal(let name): name
                case .feed: "{feed}"
                case .key: "{key}"
                }
            }.joined(separator: "/")
    }
}

extension Route.Method {
    /// As the document spells it.
    fileprivate var lowercased: String {
        switch self {
        case .get: "get"
        case .post: "post"
        }
    }
}
