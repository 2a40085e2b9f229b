import RefreshCore
import Testing

@Suite("Inherited sockets") struct InheritedSocketsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: [String: String]
        var api: Int32?
        var control: Int32?
    }

    @Test(
        "are found by name",
        arguments: [
            Case(testDescription: "none", environment: [:]),
            Case(
                testDescription: "both, in either order",
                environment: ["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "control:api"], api: 4,
                control: 3),
            Case(
                testDescription: "one without a name",
                environment: ["LISTEN_PID": "42", "LISTEN_FDS": "1"], api: 3),
            Case(
                testDescription: "for another process",
                environment: ["LISTEN_PID": "41", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "api"]),
            Case(
                testDescription: "the control socket alone",
                environment: ["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "control"], control: 3),
        ])
    func found(_ item: Case) throws {
        let sockets = try InheritedSockets(environment: item.environment, process: 42)
        #expect(sockets.api == item.api && sockets.control == item.control)
        #expect(sockets.isEmpty == (item.api == nil && item.control == nil))
    }

    @Test(
        "that cannot be told apart are refused",
        arguments: [
            ("2", "api:api", "two sockets named \"api\""), ("1", "web", "named \"web\""),
            ("3", "api:control", "named \"unknown\""), ("-1", "api", "LISTEN_FDS is \"-1\""),
            ("x\n", "api", #"LISTEN_FDS is "x\n""#), ("2", "api", "named \"unknown\""),
        ])
    func refused(count: String, names: String, words: String) {
        let environment = ["LISTEN_PID": "42", "LISTEN_FDS": count, "LISTEN_FDNAMES": names]
        let failure = #expect(throws: InheritedSockets.Failure.self) {
            try InheritedSockets(environment: environment, process: 42)
        }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }
}
