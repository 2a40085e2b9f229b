import Glibc
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("The API's description") struct DocumentTests {
    /// The copy of it that lies in the tree, for those who read it there and for whoever compares two versions.
    static let path: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/docs/openapi.json"
    }()

    @Test("docs/openapi.json is what the daemon serves")
    func golden() async throws {
        if unsafe getenv("WRITE_OPENAPI") != nil {
            let file = unsafe fopen(DocumentTests.path, "w")
            let bytes = OpenAPIDocument.bytes
            #expect(unsafe file.map { unsafe fwrite(bytes, 1, bytes.count, $0) } == bytes.count)
            _ = unsafe file.map { unsafe fclose($0) }
        }
        let isSame = readFile(DocumentTests.path) == OpenAPIDocument.bytes
        #expect(isSame, "the API has changed: look at what `make openapi` does to docs/openapi.json")
        try await Rig.with { rig in
            let answer = await rig.http.get("/openapi.json")
            #expect(answer?.body == OpenAPIDocument.bytes)
        }
    }

    @Test("every route is described with the parameters that it knows", arguments: RouteTable.routes)
    func parameters(_ route: Route) {
        let description = route.endpoint.description
        #expect(description.parameters.map(\.name) == route.parameters)
        #expect((description.body != nil) == (route.method == .post))
        #expect(!description.summary.isEmpty && !description.summary.hasSuffix("."))
        #expect(!description.answers.isEmpty)
    }

    @Test("every endpoint has one route, and every description is reached by it")
    func endpoints() {
        #expect(RouteTable.routes.map(\.endpoint) == Route.Endpoint.allCases)
        #expect(Set(RouteTable.routes.map { "\($0.method) \($0.template)" }).count == RouteTable.routes.count)
    }

    @Test(
        "every code stands with some route, with all of them, or with none, and with no more than one of these"
    )
    func codes() {
        let ofSome = Set(RouteTable.routes.flatMap(\.endpoint.description.problems))
        let ofAll = Set(RouteDescription.problemsOfAll)
        let ofNone = Set(RouteDescription.problemsOfNone)
        #expect(ofSome.union(ofAll).union(ofNone) == Set(Problem.Code.allCases))
        #expect(ofSome.isDisjoint(with: ofAll) && ofAll.isDisjoint(with: ofNone))
        #expect(ofSome.isDisjoint(with: ofNone))
    }
}
