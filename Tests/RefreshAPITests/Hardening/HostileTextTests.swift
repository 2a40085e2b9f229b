import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Text that means harm", .timeLimit(.minutes(1))) struct HostileTextTests {
    private static let injections = [
        "'", "\"", "`", "';", "' OR '1'='1", "' OR 1=1 --", "\" OR \"\"=\"", "') OR ('a'='a", "1 OR 1=1",
        "'; DROP TABLE items; --", "'; DELETE FROM items WHERE 1=1; --", "a'/**/UNION/**/SELECT/**/1,2,3--",
        "' UNION SELECT sql FROM sqlite_master --", "'; ATTACH DATABASE '/tmp/x' AS x; --",
        "'; PRAGMA writable_schema=ON; --", "x' AND randomblob(1000000000) --", "%' --", "_%", "\\'", "\\",
        "a\0b", "a\0' OR 1=1 --", "char(0x27)", "?1", ":key", "@key", "$key", "1e309", "NaN", "-1",
        "9223372036854775808", "0x7fffffffffffffff", "load_extension('x')", "{\"$ne\":null}", "*",
        "../../etc/passwd",
        "..%2F..%2Fetc", "\u{202E}gnp", "ﬀ", "e\u{301}", "𝒳", "\u{7F}", "<script>alert(1)</script>",
        "${jndi:ldap://x}",
        "{{7*7}}", "`id`", "$(id)", "|id", "\r\nSet-Cookie: x=1",
    ]

    private static let places = [
        "/v1/feeds/{}", "/v1/feeds/{}/items", "/v1/feeds/shop/items/{}", "/v1/feeds/shop/items?key={}",
        "/v1/feeds/shop/items?cursor={}", "/v1/feeds/shop/items?limit={}", "/v1/feeds/shop/changes?since={}",
        "/v1/feeds/shop/changes?wait={}", "/v1/feeds/shop/items?{}=1", "/{}", "/v1/feeds/{}/history",
    ]

    /// With every byte but letters and digits in percent-encoding.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%\(digits.count == 1 ? "0" : "")\(digits)"
        }.joined()
    }

    @Test("in keys, cursors, sync keys and names it is a name that nothing has (T-L4)")
    func injections() async throws {
        try await Rig.with { rig in
            let before = await rig.http.get("/v1/feeds/shop/items")
            let path = rig.path
            let targets = HostileTextTests.places.flatMap { place in
                HostileTextTests.injections.map { text in
                    place.replacing("{}", by: HostileTextTests.encoded(text))
                }
            }
            let wrong = await offPool { () -> [String] in
                guard let client = RawClient(path) else { return ["no connection"] }
                return targets.filter { target in
                    guard let answer = client.get(target) else { return true }
                    // A list of chosen keys leaves out those that are not there.
                    let isEmpty = answer.status == 200 && target.contains("?key=")
                    let text = String(decoding: answer.body, as: UTF8.self)
                    return isEmpty ? !text.hasPrefix(#"{"items":[],"#) : ![400, 404].contains(answer.status)
                }
            }
            #expect(wrong == [])
            print("\(targets.count) injections")
            let after = await rig.http.get("/v1/feeds/shop/items")
            #expect(before?.body == after?.body && before?.status == 200)
            let changes = try Body(await rig.http.get("/v1/feeds/shop/changes"))
            #expect(changes.count("changes") == 3)
        }
    }

    private static let title = "\u{1B}]0;owned\u{7}\n<0>forged\r\u{0}\u{8}\u{1B}[2J\u{7F}\"\\"

    @Test("in a title and in a name that a client made up it comes back escaped (T-L5)")
    func controls() async throws {
        try await Rig.with { rig in
            try rig.unfetched("evil", title: HostileTextTests.title)
            let made = "/v1/feeds/" + HostileTextTests.encoded(HostileTextTests.title)
            for target in ["/v1/feeds/evil", "/v1/feeds", made, made + "/items"] {
                let answer = try #require(await rig.http.get(target))
                let isClean = answer.body.allSatisfy { $0 >= 0x20 }
                #expect(isClean, "\(target)")
                for field in answer.headers.fields {
                    #expect(field.value.utf8.allSatisfy { $0 >= 0x20 }, "\(target)")
                }
            }
            let body = try Body(await rig.http.get("/v1/feeds/evil"))
            #expect(body["title"] == HostileTextTests.title)
        }
    }

    @Test("in a stream it stays within its event")
    func streams() async throws {
        try await Rig.with { rig in
            let body = "\"\\u001b]0;x\\u0007\\n\\ndata: forged\\n\\n\""
            try await rig.commit("evil", [("a\n\nevent: bye\n\n", body)])
            let path = rig.path
            let events = await offPool { StreamClient(path, "/v1/feeds/evil/changes")?.events(2) ?? [] }
            #expect(events.map(\.name) == ["state", "change"])
        }
    }

    @Test("in the log it is one record a line, as the daemon's log writes it")
    func log() async throws {
        let lines = Lines()
        try await Rig.with(log: Log(level: .debug) { _, line in lines.add(line) }) { rig in
            let made = HostileTextTests.encoded(HostileTextTests.title)
            _ = await rig.http.get("/v1/feeds/\(made)?\(made)")
            _ = await rig.http.post("/v1/feeds/\(made)/refresh", json: "{}")
            _ = await rig.http.post("/v1/feeds/shop/refresh", json: #"{"\#u{1B}[2J":1}"#)
        }
        for line in lines.all { #expect(SafeText.escaped(line).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }) }
    }
}

extension String {
    /// With the first `part` replaced.
    fileprivate func replacing(_ part: String, by other: String) -> String {
        guard let range = utf8.firstRange(of: part.utf8) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
