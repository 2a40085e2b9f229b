import RefreshCore
import RefreshEngine

/// What the daemon tells of itself to whoever draws curves.
extension Endpoints {
    /// Feeds that the client may not see are left out. Feeds come from the board, never from a request, so no client
    /// can make a series.
    func metrics(_ call: Call) -> Answer {
        let feeds = picture(for: call.viewer).feeds
        var answer = Answer(
            status: 200, type: MetricsText.mediaType,
            body: Endpoints.metrics(feeds, counters.picture, facts.version))
        answer.add("Cache-Control", "no-store")
        return answer
    }

    static func metrics(_ feeds: [FeedStatus], _ counts: Counters.Picture, _ version: String) -> [UInt8] {
        var text = MetricsText(reserving: 4_096 + feeds.count * 512)
        text.begin("refreshd_build_info", .gauge, "Which version runs; always 1.")
        text.sample("refreshd_build_info", [(.version, version)], "1")
        text.single(
            "refreshd_config_last_reload_successful", .gauge,
            "Whether the configuration could be read when it was read last.",
            counts.isConfigurationGood ? 1 : 0)
        Endpoints.write(feeds, to: &text)
        Endpoints.write(counts.refreshes, of: feeds, to: &text)
        Endpoints.write(
            counts.upstreamRequests, "refreshd_upstream_requests_total",
            "Requests to upstreams that have ended.",
            to: &text)
        text.single(
            "refreshd_upstream_bytes_total", .counter,
            "Bytes of upstreams' bodies, as they came over the wire.",
            counts.upstreamBytes)
        Endpoints.write(
            counts.apiRequests, "refreshd_api_requests_total", "Requests that were answered at the sockets.",
            to: &text)
        text.single("refreshd_api_clients", .gauge, "Connections at the sockets.", counts.apiClients)
        Endpoints.write(counts, to: &text)
        return text.bytes
    }

    // MARK: - Pieces

    private static func write(_ feeds: [FeedStatus], to text: inout MetricsText) {
        text.begin(
            "refreshd_feed_last_success_timestamp_seconds", .gauge,
            "When a feed was fetched with success last; none for one that never was.")
        for feed in feeds {
            guard let time = feed.progress.lastSuccess else { continue }
            text.sample(
                "refreshd_feed_last_success_timestamp_seconds", [(.feed, feed.feed.name)],
                MetricsText.seconds(microseconds: time.microseconds))
        }
        text.begin("refreshd_feed_state", .gauge, "The state that a feed is in; always 1.")
        for feed in feeds {
            text.sample(
                "refreshd_feed_state", [(.feed, feed.feed.name), (.state, feed.state.rawValue)], "1")
        }
        text.begin("refreshd_feed_items", .gauge, "Items that are cached of a feed.")
        for feed in feeds {
            text.sample("refreshd_feed_items", [(.feed, feed.feed.name)], "\(feed.store.items)")
        }
        text.begin("refreshd_feed_bytes", .gauge, "Bytes of the bodies of a feed's cached items.")
        for feed in feeds {
            text.sample("refreshd_feed_bytes", [(.feed, feed.feed.name)], "\(feed.store.bytes)")
        }
    }

    private static func write(
        _ refreshes: [FeedID: Counters.ByResult], of feeds: [FeedStatus], to text: inout MetricsText
    ) {
        text.begin("refreshd_refreshes_total", .counter, "Refreshes that have asked an upstream.")
        for feed in feeds {
            guard let counts = refreshes[feed.feed] else { continue }
            for result in Counters.Result.allCases {
                text.sample(
                    "refreshd_refreshes_total", [(.feed, feed.feed.name), (.result, result.name)],
                    "\(counts[result])")
            }
        }
    }

    private static func write(
        _ counts: Counters.ByClass, _ name: StaticString, _ help: StaticString, to text: inout MetricsText
    ) {
        text.begin(name, .counter, help)
        for kind in Counters.Class.allCases {
            text.sample("\(name)", [(.class, kind.name)], "\(counts[kind])")
        }
    }

    private static func write(_ counts: Counters.Picture, to text: inout MetricsText) {
        text.begin("refreshd_outbox_ops", .gauge, "Operations in the outbox.")
        for (state, count) in counts.outbox.sorted(by: { $0.key < $1.key }) {
            text.sample("refreshd_outbox_ops", [(.state, state)], "\(count)")
        }
        text.begin("refreshd_store_commit_seconds", .summary, "How long transactions of the store took.")
        text.sample(
            "refreshd_store_commit_seconds_sum", [],
            MetricsText.seconds(microseconds: counts.commits.sum.inMicroseconds))
        text.sample("refreshd_store_commit_seconds_count", [], "\(counts.commits.count)")
    }
}

extension MetricsText {
    /// Seconds with six digits behind the point; negative times come out as 0.
    static func seconds(microseconds: Int64) -> String {
        let (whole, rest) = max(0, microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        if rest == 0 { return "\(whole)" }
        let digits = String(rest)
        return "\(whole).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }
}
