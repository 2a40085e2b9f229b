import RefreshConfig
import Testing

@Suite("Checking a configuration") struct ConfigCheckTests {
    private static let good = "feeds:\n  a:\n    adapter: feed\n    url: https://h.example/\n"

    private func check(_ text: String, denyWarnings: Bool = false) -> ConfigCheck {
        let result = ConfigReader.read(bytes: Array(text.utf8), file: "f.yaml")
        return ConfigCheck(file: "f.yaml", result, denyWarnings: denyWarnings)
    }

    @Test("a right file says how many feeds it has") func right() {
        let check = check(ConfigCheckTests.good)
        #expect(check.verdict.rawValue == 0)
        #expect(check.output(.text) == "f.yaml: 1 feed\n")
        #expect(check.output(.json) == #"{"file":"f.yaml","valid":true,"feeds":1,"problems":[]}"# + "\n")
    }

    @Test("errors are listed, and the status is EX_CONFIG") func wrong() {
        let check = check(ConfigCheckTests.good + "    evry: 1m\n    jitter: 5\n")
        #expect(check.verdict.rawValue == 78)
        #expect(
            check.output(.text) == """
                f.yaml:5:5: feeds.a: unknown key "evry"; did you mean "every"?
                f.yaml:6:13: feeds.a.jitter: 5 has no unit; write a share such as 10%
                f.yaml: 2 errors

                """)
        #expect(
            check.output(.json).contains(
                #"{"file":"f.yaml","line":6,"column":13,"path":"feeds.a.jitter","code":"bad_value","severity":"error","message":"5 has no unit; write a share such as 10%"}"#
            ))
    }

    @Test("warnings count only when they are to") func warnings() {
        #expect(check("version: 1\n").verdict == .right)
        #expect(check("version: 1\n", denyWarnings: true).verdict == .warned)
        #expect(check("version: 1\n").output(.text).hasSuffix("f.yaml: 0 feeds, 1 warning\n"))
        #expect(check("version: 1\nx: 1\n", denyWarnings: true).verdict == .wrong)
    }

    @Test("a file that cannot be read is an error like any other") func missing() {
        let check = ConfigCheck(path: "/nowhere/f.yaml")
        #expect(check.verdict == .wrong)
        #expect(check.output(.json).contains(#""line":null,"column":null"#))
    }
}
