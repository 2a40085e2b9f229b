import RefreshCore
import Testing

@Suite("Timestamps") struct TimestampTests {
    @Test("end where their range ends, instead of trapping")
    func clamp() {
        let last = Timestamp(microseconds: .max)
        let first = Timestamp(microseconds: .min)
        #expect(last + .seconds(1) == last)
        #expect(first + .seconds(-1) == first)
        #expect(Timestamp(seconds: .max) == last)
        #expect(Timestamp(milliseconds: .min) == first)
        #expect(last - first == .microseconds(Int64.max))
        #expect(first - last == .microseconds(Int64.min))
        #expect(Duration.seconds(Int64.max).inMicroseconds == .max)
        #expect(Duration.seconds(Int64.min).inMicroseconds == .min)
    }

    @Test(
        "round milliseconds towards the past",
        arguments: [(1_999, 1), (0, 0), (-1, -1), (-1_000, -1), (-1_001, -2)])
    func milliseconds(microseconds: Int64, milliseconds: Int64) {
        #expect(Timestamp(microseconds: microseconds).milliseconds == milliseconds)
    }

    @Test(
        "differ by what was added",
        arguments: [Duration.zero, .seconds(-5), .microseconds(7), .seconds(86_400)])
    func difference(duration: Duration) {
        let time = Timestamp(seconds: 1_000)
        #expect((time + duration) - time == duration)
    }
}
