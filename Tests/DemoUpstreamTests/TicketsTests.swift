import RefreshCore
import Testing

@testable import DemoUpstream

@Suite("The demo tickets") struct TicketsTests {
    private static let start: Int64 = 1_767_225_600
    private let tickets = Tickets(seed: 1)
    private let tokens = TicketTokens(seed: 1)

    private func live(at second: Int64) -> [Ticket] {
        tickets.pages(of: TicketWindow(since: nil, until: second, page: 0)).flatMap(\.self)
    }

    private func changes(since: Int64, until: Int64) -> [[Ticket]] {
        tickets.pages(of: TicketWindow(since: since, until: until, page: 0))
    }

    private func ask(_ query: String, at second: Int64 = start) -> Heard {
        var upstream = Upstream(site: Site(seed: 1), since: Timestamp(seconds: second))
        return upstream.hear("GET", "/tickets?\(query)", at: Timestamp(seconds: second))
    }

    @Test("fill a few pages, each ticket once, in the order of their numbers")
    func fillPages() {
        for second in stride(from: Self.start, to: Self.start + 7_200, by: 331) {
            let pages = tickets.pages(of: TicketWindow(since: nil, until: second, page: 0))
            let numbers = pages.flatMap(\.self).map(\.number)
            #expect((2...6).contains(pages.count))
            #expect(pages.dropLast().allSatisfy { $0.count == Tickets.pageSize })
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("changed since a moment are those that make its list into the present one")
    func replays() {
        for span in [Int64(0), 1, 30, 599, 3_600] {
            for since in stride(from: Self.start, to: Self.start + 3_600, by: 293) {
                var held = Dictionary(uniqueKeysWithValues: live(at: since).map { ($0.id, $0) })
                for ticket in changes(since: since, until: since + span).flatMap(\.self) {
                    held[ticket.id] = ticket.status == .deleted ? nil : ticket
                    #expect(ticket.updated > since && ticket.updated <= since + span)
                }
                let now = live(at: since + span)
                #expect(held == Dictionary(uniqueKeysWithValues: now.map { ($0.id, $0) }))
            }
        }
    }

    @Test("take their steps in order and are deleted within the longest life")
    func takeSteps() throws {
        for number in Int64(39_000_000)..<39_000_050 {
            let opened = try #require(tickets.ticket(number, at: .max / 2)?.opened)
            #expect(tickets.ticket(number, at: opened - 1) == nil)
            let seen = stride(from: opened, through: opened + 5_400, by: 30).compactMap {
                tickets.ticket(number, at: $0)?.status
            }
            let order = seen.reduce(into: [Ticket.Status]()) { if $0.last != $1 { $0.append($1) } }
            #expect(order == Ticket.Status.allCases)
        }
    }

    @Test("change every ten seconds or so, and deletions come last, on pages of their own")
    func putDeletionsLast() {
        let lists = stride(from: Self.start, to: Self.start + 7_200, by: 20).map {
            changes(since: $0, until: $0 + 20)
        }
        #expect(lists.contains { $0 == [[]] })
        #expect(lists.contains { $0.count == 2 && $0[0].isEmpty })
        #expect((500...1_000).contains(lists.joined().joined().count))
        for list in lists {
            let first = list.flatMap(\.self).map(\.status)
            let deleted = first.drop { $0 != .deleted }
            #expect(deleted.allSatisfy { $0 == .deleted })
            #expect(list.allSatisfy { Set($0.map { $0.status == .deleted }).count <= 1 })
        }
    }

    @Test("show the same moment on all pages, whenever they are asked for, and after a restart")
    func pageOneMoment() throws {
        var heard = ask("")
        var bodies = [heard.body]
        var second = Self.start
        while let token = heard.string("next_page_token") {
            #expect(heard.string("next_sync_token") == nil)
            second += 400
            heard = ask("page_token=\(token)&sync_token=overruled", at: second)
            bodies.append(heard.body)
        }
        let ids = bodies.joined().split(separator: "\"id\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(bodies.count > 2)
        #expect(ids.map(String.init) == live(at: Self.start).map(\.id))
        let sync = try #require(heard.string("next_sync_token"))
        #expect(tokens.changes(since: sync, at: second)?.since == Self.start)
    }

    @Test("come empty and with a new token where nothing has changed")
    func comeEmpty() throws {
        let sync = tokens.sync(after: TicketWindow(since: nil, until: Self.start, page: 0))
        let heard = ask("sync_token=\(sync)")
        #expect(heard.status == 200)
        #expect(heard.body == #"{"tickets":[],"next_sync_token":"\#(sync)"}"#)
    }

    @Test("tell of a deleted one only that it is")
    func tellDeletions() {
        var text = JSONText()
        Ticket(number: 7, title: "Mug", assignee: "Ada", status: .deleted, opened: 0, updated: 1).write(
            to: &text)
        #expect(text.text == #"{"id":"T-7","status":"deleted"}"#)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let query: String
        let status: Int
        var testDescription: String { name }
    }

    private static func sync(_ second: Int64, seed: UInt64 = 1) -> String {
        TicketTokens(seed: seed).sync(after: TicketWindow(since: nil, until: second, page: 0))
    }

    private static func page(_ since: Int64?, _ until: Int64, _ page: Int) -> String {
        TicketTokens(seed: 1).nextPage(after: TicketWindow(since: since, until: until, page: page - 1))
    }

    @Test(
        "answer 410 to a token that is old, unknown, or from another world",
        arguments: [
            Case(name: "an hour old", query: "sync_token=\(sync(start - 3_600))", status: 200),
            Case(name: "a second older", query: "sync_token=\(sync(start - 3_601))", status: 410),
            Case(name: "from the future", query: "sync_token=\(sync(start + 1))", status: 410),
            Case(name: "of another seed", query: "sync_token=\(sync(start, seed: 2))", status: 410),
            Case(name: "noise", query: "sync_token=abc", status: 410),
            Case(name: "letters cut off", query: "sync_token=\(sync(start).dropLast(2))", status: 410),
            Case(name: "a page token as sync token", query: "sync_token=\(page(nil, start, 1))", status: 410),
            Case(name: "a sync token as page token", query: "page_token=\(sync(start))", status: 410),
            Case(name: "a page", query: "page_token=\(page(nil, start, 1))", status: 200),
            Case(
                name: "a page of an old list", query: "page_token=\(page(nil, start - 3_601, 1))", status: 410
            ),
            Case(
                name: "a page of old changes", query: "page_token=\(page(start - 3_601, start, 0))",
                status: 410),
            Case(name: "changes backwards", query: "page_token=\(page(start, start - 1, 0))", status: 410),
            Case(name: "beyond the pages", query: "page_token=\(page(nil, start, 99))", status: 410),
            Case(name: "before the pages", query: "page_token=\(page(nil, start, -1))", status: 410),
            Case(name: "an empty token is none", query: "sync_token=&page_token=", status: 200),
        ])
    func honourTokens(_ item: Case) {
        let heard = ask(item.query)
        #expect(heard.status == item.status)
        #expect((heard.string("code") == "token_gone") == (item.status == 410))
        #expect(heard.has("Content-Type: application/json"))
    }
}
