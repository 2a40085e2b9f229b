import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

/// Faults that users of neighbouring programs reported in public, as far as they are about fetching.
@Suite("Reported faults of fetching", .timeLimit(.minutes(1))) struct ReportTests {
    private let service: TransferService

    init() throws { service = try TransferService() }

    // MARK: - Validators

    // FreshRSS/FreshRSS#6056: dates were written anew, so that servers which compare texts never said 304.
    @Test(
        "a Last-Modified goes back as it came", arguments: ["Mon, 01 Jan 2024 00:00:00 +0000", "2024-01-01"])
    func echoesDate(_ date: String) async throws {
        let upstream = try ScriptedUpstream { .document([], lastModified: date, to: $0) }
        let first = try await service.perform(upstream.request())
        let stored = Validators(replacingWith: first.headers)
        #expect(try await service.perform(upstream.request(validators: stored)).status == 304)
        #expect(upstream.requests.last?.header("if-modified-since") == date)
    }

    // nextcloud/news#2118: the first request carried a date of the year 1800.
    @Test("a first request carries no validator")
    func noValidator() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer() }
        _ = try await service.perform(upstream.request())
        let sent = try #require(upstream.requests.first)
        #expect(sent.header("if-modified-since") == nil && sent.header("if-none-match") == nil)
    }

    // feedbin/feedbin#726: with the same body the new tag was not kept.
    @Test("the tag of the last 200 is the one that goes out")
    func latestTag() async throws {
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(headers: [("ETag", request.order == 1 ? "\"a\"" : "\"b\"")], text: "same")
        }
        var stored = Validators()
        for _ in 0..<3 {
            stored = Validators(
                replacingWith: try await service.perform(upstream.request(validators: stored)).headers)
        }
        #expect(upstream.requests.map { $0.header("if-none-match") } == [nil, "\"a\"", "\"b\""])
    }

    // newsboat/newsboat#2732: a 304 was asked for again and then taken for a broken document.
    @Test("304 is an answer, asked for once")
    func notModified() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(status: 304, headers: [("ETag", "\"a\"")]) }
        let answer = try await service.perform(upstream.request(validators: Validators(etag: "\"a\"")))
        #expect(answer.status == 304 && answer.body.count == 0 && upstream.requests.count == 1)
    }

    // MARK: - Time

    // owncloud-archive/news#763, kurtmckee/feedparser#76: accepts and never answers; or a byte now and then.
    // airbytehq/airbyte-python-cdk#1148: no time limit at all. 100 ms stand for 15 s.
    @Test(
        "a server that hardly answers is given up",
        arguments: [
            UpstreamAnswer.silence(),
            UpstreamAnswer(text: String(repeating: "x", count: 1_000)).sent(
                .slow(size: 1, milliseconds: 100)),
            .raw(
                [.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8))]
                    + Array(
                        repeating: [.pause(milliseconds: 100), .send(Array("x".utf8))], count: 1_000
                    ).flatMap { $0 }),
        ] as [UpstreamAnswer])
    func slow(_ answer: UpstreamAnswer) async throws {
        let upstream = try ScriptedUpstream { _ in answer }
        let limits = limits {
            $0.stall = .milliseconds(400)
            $0.stallRate = 100
        }
        #expect(
            await service.failure(of: try upstream.request(limits: limits)) == .stalled(at: upstream.url()))
        await upstream.departures(1)
    }

    // huginn/huginn#3525, influxdata/telegraf#13935, meltano/sdk#2643: one stuck fetch held up all others.
    @Test("a stuck fetch delays no other one")
    func isolated() async throws {
        let stuck = try ScriptedUpstream { _ in .silence() }
        let deaf = try DeafListener()
        let deafURL = try WebURL(parsing: "http://127.0.0.1:\(deaf.port)/")
        let quick = try ScriptedUpstream { _ in UpstreamAnswer(text: "quick") }
        let requests = [
            try stuck.request(), TransferRequest(url: deafURL, allowPrivate: true, userAgent: "t"),
        ]
        let tasks = requests.map { request in Task { await service.failure(of: request) } }
        await stuck.received(1)
        for _ in 0..<20 { #expect(try await service.perform(quick.request()).text == "quick") }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
    }

    // MARK: - Size and coding

    // Athou/commafeed#1580, miniflux/v2#2374: large feeds were refused, with no way to allow them.
    @Test("the bound of a body is the feed's own, and counts what is unpacked", arguments: [false, true])
    func bounds(_ packs: Bool) async throws {
        let body = [UInt8](repeating: 0x20, count: 20_000_000)
        let answer = UpstreamAnswer(
            headers: packs ? [("Content-Encoding", "gzip")] : [], body: packs ? gzip(body) : body)
        let upstream = try ScriptedUpstream { _ in answer }
        let narrow = limits { $0.decoded = .mebibytes(16) }
        let failure = await service.failure(of: try upstream.request(limits: narrow))
        #expect(failure == .tooLargeDecoded(limit: .mebibytes(16)))
        #expect(failure?.failure.code == "body-too-large")
        #expect(try await service.perform(upstream.request()).body.count == body.count)
    }

    // FreshRSS/FreshRSS#3543, rbren/rss-parser#280, airbytehq/airbyte-python-cdk#1124, vectordotdev/vector#13888.
    @Test(
        "a body that is gzip is unpacked, whatever is said of it",
        arguments: [
            [("Content-Type", "application/rss+xml")], [("Content-Type", "application/octet-stream")],
            [("Content-Encoding", "gzip")], [("Content-Encoding", "X-GZIP")],
            [("Content-Encoding", "identity")], [("Content-Encoding", "identity, gzip")],
        ])
    func sniffs(_ headers: [(String, String)]) async throws {
        let members = gzip("<rss>") + gzip("") + gzip("</rss>") + [0, 0, 0, 0]
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(headers: headers, body: members) }
        let answer = try await service.perform(upstream.request())
        #expect(answer.text == "<rss></rss>")
        #expect(answer.wireBytes == members.count)
        #expect(upstream.requests.first?.header("accept-encoding") == "gzip")
    }

    // vectordotdev/vector#13888, T-U2: 1 MiB that becomes 1 GiB.
    @Test("a bomb is stopped while it unpacks, in many members too")
    func bomb() async throws {
        let piece = gzip([UInt8](repeating: 0, count: 16_777_216))
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                headers: [("Content-Encoding", "gzip")],
                body: Array(repeatElement(piece, count: 64).joined()))
        }
        #expect(
            await service.failure(of: try upstream.request()) == .tooLargeDecoded(limit: .mebibytes(64)))
    }

    // T-U2: layers of codings, and codings that nobody asked for.
    @Test(
        "other codings and layers are refused",
        arguments: ["gzip, gzip", "br", "deflate", "gzip, br", "zstd"])
    func codings(_ coding: String) async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Encoding", coding)], body: gzip(gzip("{}")))
        }
        #expect(await service.failure(of: try upstream.request()) == .unsupportedCoding(coding))
    }

    // MARK: - Redirects

    // fossar/selfoss#1178, Athou/commafeed#978, #935: 308 was not followed, or not remembered.
    @Test("308 is followed and remembered as 301 is", arguments: [[308], [308, 308], [301, 308, 301]])
    func permanent(_ statuses: [Int]) async throws {
        let upstream = try ScriptedUpstream { request in
            let step = Int(request.path.dropFirst()) ?? 0
            return step < statuses.count
                ? .redirect(to: "/\(step + 1)", status: statuses[step]) : UpstreamAnswer(text: "{}")
        }
        let answer = try await service.perform(upstream.request("/0"))
        #expect(answer.permanentTarget == answer.effectiveURL)
        #expect(answer.effectiveURL.path == "/\(statuses.count)")
        #expect(answer.hops.map(\.status) == statuses)
    }

    // open-telemetry/opentelemetry.io#5520, policy RD2: what is temporary must not be adopted.
    @Test("a temporary hop ends the run of permanent ones")
    func temporary() async throws {
        let upstream = try ScriptedUpstream { request in
            switch request.path {
            case "/": .redirect(to: "/moved", status: 301)
            case "/moved": .redirect(to: "/today", status: 302)
            case "/today": .redirect(to: "/end", status: 308)
            default: UpstreamAnswer(text: "{}")
            }
        }
        let answer = try await service.perform(upstream.request())
        #expect(answer.permanentTarget?.path == "/moved" && answer.effectiveURL.path == "/end")
    }

    // MusicPlayerDaemon/MPD#2487, T-U4, T-U5: redirects to other protocols and to inner addresses.
    @Test(
        "a redirect leads to http and https alone",
        arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "dict://127.0.0.1/"])
    func protocols(_ target: String) async throws {
        let upstream = try ScriptedUpstream { _ in .redirect(to: target) }
        guard case .redirectRefused? = await service.failure(of: try upstream.request()) else {
            Issue.record("\(target) was followed")
            return
        }
    }

    // dlt-hub/dlt#1514: parameters were doubled on the link to the next page.
    @Test("a link that has a parameter is not given it again")
    func params() throws {
        let link = try WebURL(parsing: "https://a.example/?page=2&a=1&b%20c=2")
        let added = link.adding(params: [("a", "9"), ("b c", "9"), ("d", "&=")], onlyAbsent: true)
        #expect(added.query == "page=2&a=1&b%20c=2&d=%26%3D")
    }

    // T-U8: a cursor from upstream with a line end in it.
    @Test("a value that would end the request line is encoded")
    func cursor() async throws {
        let upstream = try ScriptedUpstream { UpstreamAnswer(text: $0.target) }
        let request = try upstream.request()
        let url = request.url.adding(params: [("since", "1 HTTP/1.1\r\nX: y&z=1#é")])
        let answer = try await service.perform(
            TransferRequest(url: url, allowPrivate: true, userAgent: "t"))
        #expect(answer.text == "/?since=1%20HTTP%2F1.1%0D%0AX%3A%20y%26z%3D1%23%C3%A9")
        #expect(upstream.requests.first?.header("x") == nil)
    }
}
