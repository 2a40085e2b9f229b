import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Requests") struct RequestTests {
    private func builder(_ change: (inout RequestPlan) -> Void) throws -> RequestBuilder {
        var plan = RequestPlan(url: try WebURL(parsing: "https://a.example/list?k=v"))
        change(&plan)
        return RequestBuilder(plan, userAgent: "tests/1", accept: "*/*")
    }

    private func values(_ change: (inout RequestValues) -> Void = { _ in }) -> RequestValues {
        var values = RequestValues(now: PassRig.now)
        change(&values)
        return values
    }

    private static func template(_ parts: Template.Part...) -> Template { Template(parts) }

    @Test("append parameters to the URL's own, encoded, and none twice")
    func params() throws {
        let builder = try builder {
            $0.params = [
                Param(name: "k", value: Template("other")), Param(name: "c[]", value: Template("ä&=+ b")),
                Param(name: "since", value: Template([.placeholder(.since)])),
            ]
        }
        #expect(
            try builder.request(values()).url.requestTarget == "/list?k=v&c%5B%5D=%C3%A4%26%3D%2B%20b")
        let later = try builder.request(values { $0.since = ScalarValue("2026-01-01T00:00:00+02:00") })
        #expect(later.url.query?.hasSuffix("&since=2026-01-01T00%3A00%3A00%2B02%3A00") == true)
    }

    // redmine: an operator before the value.
    @Test("leave a parameter out of which a part is not set")
    func partlySet() throws {
        let builder = try builder {
            $0.params = [Param(name: "u", value: Template([.literal(">="), .placeholder(.since)]))]
        }
        #expect(try builder.request(values()).url.requestTarget == "/list?k=v")
        let set = try builder.request(values { $0.since = ScalarValue(7) })
        #expect(set.url.requestTarget == "/list?k=v&u=%3E%3D7")
    }

    @Test("put what is sent into a parameter's place where it has one already")
    func sendings() throws {
        let builder = try builder { $0.params = [Param(name: "n", value: Template("1"))] }
        let request = try builder.request(
            values(),
            sending: [
                .init(.param("n"), ScalarValue(50)), .init(.param("k"), ScalarValue("w")),
                .init(.header("X-Page"), ScalarValue("3")),
            ])
        #expect(request.url.requestTarget == "/list?k=w&n=50")
        #expect(request.headers.first("x-page") == "3")
    }

    @Test("fill placeholders of the URL in, each encoded for its place")
    func urlTemplate() throws {
        let builder = try builder {
            $0.urlTemplate = Self.template(
                .literal("https://a.example/stores/"), .placeholder(.parent("id")),
                .literal("/orders?a=1&c="),
                .placeholder(.cursor), .literal("&d="), .placeholder(.page), .literal("&e=2"))
        }
        let request = try builder.request(
            values {
                $0.parent = ["id": ScalarValue("x/y?z")]
                $0.page = 3
            })
        #expect(request.url.requestTarget == "/stores/x%2Fy%3Fz/orders?a=1&d=3&e=2")
    }

    @Test(
        "refuse a path without its value, or with one that climbs",
        arguments: [nil, "", "..", "."] as [String?])
    func pathValues(value: String?) throws {
        let builder = try builder {
            $0.urlTemplate = Self.template(
                .literal("https://a.example/a/"), .placeholder(.parent("id")), .literal("/b"))
        }
        #expect(throws: RefreshFailure.self) {
            try builder.request(self.values { $0.parent["id"] = value.map { ScalarValue($0) } })
        }
    }

    @Test("keep the type of a body's value that is one placeholder, and leave out what is not set")
    func jsonBody() throws {
        let builder = try builder {
            $0.method = "POST"
            $0.body = .json(
                .object([
                    .init(name: "from", value: .text(Template([.placeholder(.since)]))),
                    .init(name: "note", value: .text(Template([.literal("p"), .placeholder(.page)]))),
                    .init(name: "gone", value: .text(Template([.placeholder(.until)]))),
                    .init(
                        name: "list", value: .array([.raw("1.10"), .text(Template([.placeholder(.cursor)]))])),
                ]))
        }
        let request = try builder.request(
            values {
                $0.since = ScalarValue(1_700_000_000_000)
                $0.page = 2
            })
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == #"{"from":1700000000000,"note":"p2","list":[1.10]}"#)
    }

    @Test("encode forms, and make what is not set empty in a text")
    func otherBodies() throws {
        let form = try builder {
            $0.body = .form([
                Param(name: "a b", value: Template("c&d")),
                Param(name: "x", value: Template([.placeholder(.since)])),
            ])
        }
        let request = try form.request(values())
        #expect(String(decoding: request.body ?? [], as: UTF8.self) == "a%20b=c%26d")
        #expect(request.headers.first("content-type") == "application/x-www-form-urlencoded")
        let text = try builder {
            $0.body = .text(Template([.literal("<q>"), .placeholder(.since), .literal("</q>")]))
        }
        #expect(String(decoding: try text.request(values()).body ?? [], as: UTF8.self) == "<q></q>")
    }

    @Test(
        "refuse a value that would end a header's line", arguments: ["a\r\nX: y", "a\n", "\u{0}", "\u{7F}"])
    func injection(value: String) throws {
        let builder = try builder {
            $0.headers = [HeaderPlan(name: "X-Cursor", value: .template(Template([.placeholder(.cursor)])))]
        }
        let failure = #expect(throws: RefreshFailure.self) {
            try builder.request(self.values { $0.cursor = ScalarValue(value) })
        }
        #expect(failure?.code == "request-refused")
        #expect(throws: RefreshFailure.self) {
            try builder.request(self.values(), sending: [.init(.header("X"), ScalarValue(value))])
        }
    }

    @Test("say of a secret that cannot be read where it is, and not what it is")
    func secrets() throws {
        let builder = try builder {
            $0.headers = [HeaderPlan(name: "X-Key", value: .secret(.literal("s3cret")))]
        }
        #expect(try builder.request(values()).headers.first("x-key") == "s3cret")
        let file = try self.builder { $0.headers = [HeaderPlan(name: "X", value: .secret(.file("/a/key")))] }
        let failure = #expect(throws: RefreshFailure.self) { try file.request(self.values()) }
        #expect(failure?.class == .config)
        #expect(failure?.detail.contains("/a/key") == true)
    }
}
