import RefreshCore
import Testing

@Suite("What is counted") struct CountersTests {
    @Test(
        "a status counts for its class, and anything else for none",
        arguments: [
            (nil, "none"), (100, "1xx"), (204, "2xx"), (304, "3xx"), (404, "4xx"), (503, "5xx"), (0, "none"),
            (600, "none"), (-1, "none"),
        ] as [(Int?, String)])
    func classes(_ status: Int?, _ name: String) {
        #expect(Counters.Class(status: status).name == name)
    }

    @Test("every count is its own, and a feed that is forgotten has none")
    func counts() throws {
        let counters = Counters()
        let (shop, news) = (try #require(FeedID("shop")), try #require(FeedID("news")))
        counters.refreshed(shop, .unchanged)
        counters.refreshed(shop, .tooSoon(retryIn: .seconds(1)))
        counters.refreshed(news, .refreshed(RefreshCounts()))
        counters.answered(status: 200)
        counters.clientCame()
        counters.clientCame()
        counters.clientLeft()
        counters.upstream(status: 200, bytes: -1)
        let picture = counters.picture
        #expect(picture.refreshes[shop]?[.unchanged] == 1)
        #expect(picture.refreshes[shop]?[.refreshed] == 0)
        #expect(picture.refreshes[news]?[.refreshed] == 1)
        #expect(picture.apiRequests[.success] == 1 && picture.upstreamRequests[.success] == 1)
        #expect(picture.apiClients == 1 && picture.upstreamBytes == 0)
        counters.forget(shop)
        #expect(counters.picture.refreshes[shop] == nil)
    }
}
