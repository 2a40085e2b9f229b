import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// Random upstreams against a client that only ever hears of changes.
@Suite("Convergence") struct ModelTests {
    /// A client: what it holds, by key, and how far it has read.
    private struct Client {
        var items: [String: String] = [:]
        var revs: [String: Int64] = [:]
        var key: Seq = 0

        /// Reads at most `limit` changes and, unless it crashes before that, saves its key with them.
        mutating func pull(_ bench: Bench, limit: Int) throws {
            let reader = try bench.reader()
            guard let head = try reader.head(of: bench.feed) else { return }
            if key < head.floor {
                self = Client()
                try reader.items(of: bench.feed, after: nil) { row in
                    take(row)
                    return true
                }
                key = head.seq
                return
            }
            var last = key
            var count = 0
            try reader.changes(of: bench.feed, since: key, limit: limit) { row in
                #expect(row.seq > last)
                last = row.seq
                count += 1
                take(row)
                return true
            }
            key = count == limit ? last : head.seq
        }

        private mutating func take(_ row: ItemRow) {
            let name = row.key.text
            if row.deleted == nil {
                #expect(row.rev >= revs[name] ?? 0)
                items[name] = unsafe String(decoding: row.body, as: UTF8.self)
                revs[name] = row.rev
            } else {
                // A purge forgets the count: what comes again after it begins at 1.
                (items[name], revs[name]) = (nil, nil)
            }
        }
    }

    @Test("clients of any age hold what the cache holds, after a thousand random steps", arguments: 1...4)
    func converges(_ seed: UInt64) throws {
        var random = Randomness(seed: seed)
        let bench = try Bench(seed: seed)
        var upstream: [String: (body: Int, order: Int64)] = [:]
        var clients = [Client(), Client(), Client()]
        for step in 1...1_000 {
            let name = "k\(Int.random(in: 0..<30, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                upstream[name] = (step, Int64.random(in: 0..<50, using: &random))
            case 5..<7: upstream[name] = nil
            case 7: bench.now = bench.now + .seconds(86_400 * Int.random(in: 1...20, using: &random))
            case 8:
                let index = Int.random(in: 0..<clients.count, using: &random)
                try clients[index].pull(bench, limit: Int.random(in: 1...7, using: &random))
            default:
                let records = upstream.sorted { $0.key < $1.key }.map {
                    Sample($0.key, "\($0.value.body)", order: $0.value.order)
                }
                let keep = Int.random(in: 8...40, using: &random)
                try bench.pass(records, keep: keep, acceptDrop: true)
                try check(bench, upstream, keep: keep)
            }
        }
        try bench.pass(upstream.map { Sample($0.key, "\($0.value.body)", order: $0.value.order) }, keep: 40)
        let truth = upstream.mapValues { "\($0.body)" }
        for var client in clients + [Client()] {
            let head = try bench.head()?.seq ?? 0
            while client.key < head { try client.pull(bench, limit: 3) }
            #expect(client.items == truth)
        }
    }

    /// The cache holds the upstream's records, or as many of them as may be kept, none worse than one left out.
    private func check(_ bench: Bench, _ upstream: [String: (body: Int, order: Int64)], keep: Int) throws {
        var orders: [Int64] = []
        var bytes = 0
        try bench.reader().items(of: bench.feed, after: nil) { row in
            let record = upstream[row.key.text]
            let body = unsafe String(decoding: row.body, as: UTF8.self)
            #expect(record.map { "\($0.body)" } == body)
            orders.append(record?.order ?? -1)
            bytes += unsafe row.body.count
            return true
        }
        #expect(orders == Array(upstream.values.map(\.order).sorted(by: >).prefix(keep)))
        #expect(try bench.head().map { [$0.items, $0.bytes] } == [orders.count, bytes])
    }
}
