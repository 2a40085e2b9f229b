import RefreshCore
import Testing

@Suite("Budgets of requests") struct BudgetTests {
    private let now = Samples.start.boot

    @Test("let a burst through, then the rate")
    func rate() {
        var meter = BudgetMeter(rate: Rate(count: 60, per: .seconds(60)), burst: 3, reserve: 0, at: now)
        for _ in 0..<3 {
            #expect(meter.wait(urgent: false, at: now) == nil)
            meter.started(at: now)
        }
        #expect(meter.wait(urgent: false, at: now).map { $0 > .zero && $0 < .milliseconds(1_001) } == true)
        #expect(meter.wait(urgent: false, at: now + .milliseconds(1_001)) == nil)
    }

    @Test("keep a tenth for wishes")
    func reserve() {
        var meter = BudgetMeter(rate: Rate(count: 10, per: .seconds(100)), reserve: 0.1, at: now)
        for _ in 0..<9 {
            #expect(meter.wait(urgent: false, at: now) == nil)
            meter.started(at: now)
        }
        #expect(meter.wait(urgent: false, at: now) != nil)
        #expect(meter.wait(urgent: true, at: now) == nil)
    }

    @Test("of one request nothing is kept, or none would ever start")
    func reserveOfOne() {
        let meter = BudgetMeter(rate: Rate(count: 1, per: .seconds(60)), reserve: 0.9, at: now)
        #expect(meter.wait(urgent: false, at: now) == nil)
    }

    @Test("count what runs at once, and say that somebody has to end")
    func concurrent() {
        var meter = BudgetMeter(rate: nil, concurrent: 2, reserve: 0, at: now)
        meter.started(at: now)
        meter.started(at: now)
        #expect(meter.wait(urgent: true, at: now) == .zero)
        meter.ended()
        #expect(meter.wait(urgent: true, at: now) == nil)
    }

    @Test("believe the upstream more than their own count")
    func headers() {
        var meter = BudgetMeter(rate: Rate(count: 5_000, per: .seconds(3_600)), reserve: 0.1, at: now)
        meter.read(RateReading(remaining: 600, limit: 5_000, reset: .seconds(900)), at: now)
        #expect(meter.wait(urgent: false, at: now) == nil)
        meter.read(RateReading(remaining: 500, limit: 5_000, reset: .seconds(900)), at: now)
        #expect(meter.wait(urgent: false, at: now) == .seconds(900))
        #expect(meter.wait(urgent: true, at: now) == nil)
        meter.read(RateReading(remaining: 0, limit: 5_000, reset: .seconds(900)), at: now)
        #expect(meter.wait(urgent: true, at: now) == .seconds(900))
        #expect(meter.wait(urgent: true, at: now + .seconds(900)) == nil)
    }

    // airbytehq/airbyte-python-cdk#1151, meltano/sdk#3672: a reset in seconds read as epoch, or the reverse.
    @Test(
        "read what an answer says is left, and the reset by name, else by size",
        arguments: [
            ([("RateLimit-Remaining", "0"), ("RateLimit-Reset", "30")], 0, 30),
            ([("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", "1767225660")], 7, 60),
            ([("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", "1767225660000")], 7, 60),
            ([("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", "45")], 7, 45),
            ([("X-Rate-Limit-Remaining", "1"), ("X-Rate-Limit-Reset", "1767225605.5")], 1, 5),
            ([("RateLimit", "limit=100, remaining=50, reset=20")], 50, 20),
            ([("RateLimit", #""default";r=3;t=12"#)], 3, 12),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000")], 0, 1_000),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1600000000")], 0, 0),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "9999999999")], 0, 604_800),
            ([("RateLimit-Remaining", "5")], 5, nil), ([("RateLimit-Reset", "5")], nil, nil),
            ([("RateLimit-Remaining", "many")], nil, nil), ([], nil, nil),
        ] as [([(String, String)], Int?, Int?)])
    func readings(fields: [(String, String)], remaining: Int?, reset: Int?) {
        let reading = RateReading(HTTPHeaders(fields), now: Samples.start.wall)
        #expect(reading?.remaining == remaining)
        #expect(reading?.reset.map { Int($0.components.seconds) } == reset)
        #expect(reading?.pause == (remaining == 0 ? reading?.reset : nil))
    }

    @Test("read the names and forms of the file, or nothing where it says off")
    func named() {
        let headers = HTTPHeaders([
            ("X-Left", "2"), ("X-Until", "1767225660000"), ("RateLimit-Remaining", "9"),
        ])
        let form = RateHeaders.named(remaining: "x-left", reset: "x-until", form: .epochMilliseconds)
        let reading = RateReading(headers, as: form, now: Samples.start.wall)
        #expect(reading == RateReading(remaining: 2, reset: .seconds(60)))
        #expect(RateReading(headers, as: .off, now: Samples.start.wall) == nil)
    }
}
