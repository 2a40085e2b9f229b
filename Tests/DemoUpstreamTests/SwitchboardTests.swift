import Testing

@testable import DemoUpstream

@Suite("The demo switchboard") struct SwitchboardTests {
    private typealias Mode = Switchboard.Mode

    struct Case: Sendable, CustomTestStringConvertible {
        let query: String
        let path: String?
        let mode: Switchboard.Mode
        var testDescription: String { query }

        init(_ query: String, _ path: String?, _ mode: Switchboard.Mode) {
            self.query = query
            self.path = path
            self.mode = mode
        }
    }

    @Test(
        "takes orders",
        arguments: [
            Case("mode=normal", nil, .normal),
            Case("mode=vanish&path=%2Ftickets", "/tickets", .vanish),
            Case("path=/archive&mode=slow", "/archive", .slow(milliseconds: 3_000)),
            Case("mode=slow&ms=1", nil, .slow(milliseconds: 1)),
            Case("mode=fail", nil, .fail(Status(code: 503), retryAfter: nil)),
            Case(
                "path=/news.atom&mode=fail&status=429&retry_after=10", "/news.atom",
                .fail(Status(code: 429), retryAfter: 10)),
        ])
    func takes(_ item: Case) throws {
        let order = try SwitchOrder(Query(item.query.utf8))
        #expect(order.path == item.path)
        #expect(order.mode == item.mode)
    }

    @Test(
        "refuses an order that it does not understand whole",
        arguments: [
            ("", "mode is one of normal, fail, slow, vanish"),
            ("mode=off", "mode is one of normal, fail, slow, vanish"),
            ("mode=slow&ms=0", "ms is a number from 1 to 600000"),
            ("mode=slow&ms=3s", "ms is a number from 1 to 600000"),
            ("mode=fail&status=200", "status is a number from 400 to 599"),
            ("mode=fail&retry_after=-1", "retry_after is a number from 0 to 86400"),
            ("mode=slow&status=503", #""status" says nothing about this mode"#),
            ("mode=vanish&Path=/tickets", #""Path" says nothing about this mode"#),
            (
                "mode=vanish&path=/",
                "path is one of /shop/products.json, /news.atom, /tickets, /archive; without one, all"
            ),
        ])
    func refuses(query: String, message: String) {
        #expect(throws: SwitchOrder.Refusal(message: message)) { _ = try SwitchOrder(Query(query.utf8)) }
    }

    @Test(
        "obeys the last word",
        arguments: [
            ([], "normal normal"),
            (["mode=vanish"], "vanish vanish"),
            (["path=/tickets&mode=vanish"], "vanish normal"),
            (["path=/tickets&mode=vanish", "path=/tickets&mode=normal"], "normal normal"),
            (["mode=vanish", "path=/tickets&mode=normal"], "normal vanish"),
            (["path=/tickets&mode=vanish", "mode=normal"], "normal normal"),
            (["path=/tickets&mode=fail", "mode=slow"], "slow slow"),
        ])
    func obeys(orders: [String], modes: String) throws {
        var board = Switchboard()
        for order in orders { board.obey(try SwitchOrder(Query(order.utf8))) }
        let words = ["/tickets", "/archive"].map { path in
            switch board.mode(of: path) {
            case .normal: "normal"
            case .fail: "fail"
            case .slow: "slow"
            case .vanish: "vanish"
            }
        }
        #expect(words.joined(separator: " ") == modes)
    }

    @Test("shows its switches in the words that set them")
    func shows() throws {
        var board = Switchboard()
        for order in [
            "mode=slow&ms=5", "path=/tickets&mode=normal", "path=/archive&mode=fail&retry_after=9",
        ] {
            board.obey(try SwitchOrder(Query(order.utf8)))
        }
        #expect(
            String(decoding: board.document.body, as: UTF8.self)
                == #"{"all":{"mode":"slow","ms":5},"paths":{"/tickets":{"mode":"normal"},"#
                + #""/archive":{"mode":"fail","status":503,"retry_after":9}}}"#)
    }
}
