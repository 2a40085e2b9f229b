import Testing

@testable import RefreshTransfer

@Suite("Stalls") struct StallWatchTests {
    private static let start = SuspendingClock.now

    /// Asks once a second, `bytes` received before each question, in a window of 4 s at 100 bytes a second.
    private static func stalls(after bytes: [Int]) -> Int? {
        var watch = StallWatch(window: .seconds(4), rate: 100, at: start)
        for (second, count) in bytes.enumerated() {
            watch.received(count)
            if watch.isStalled(at: start.advanced(by: .seconds(second + 1))) { return second + 1 }
        }
        return nil
    }

    @Test("are called after a window of too few bytes and not before")
    func calls() {
        #expect(Self.stalls(after: [0, 0, 0, 0]) == 4)
        #expect(Self.stalls(after: [0, 0, 0]) == nil)
        #expect(Self.stalls(after: [99, 100, 100, 100]) == 4)
        #expect(Self.stalls(after: [1_000, 0, 0, 0, 0]) == 5)
    }

    @Test("are not what a slow or bursty answer is")
    func slow() {
        #expect(Self.stalls(after: Array(repeating: 100, count: 60)) == nil)
        #expect(Self.stalls(after: [400, 0, 0, 0, 400, 0, 0, 0, 400, 0, 0, 0]) == nil)
    }

    @Test("are not made by a thread that came late")
    func late() {
        var watch = StallWatch(window: .seconds(4), rate: 100, at: Self.start)
        let isStalled = watch.isStalled(at: Self.start.advanced(by: .seconds(3_600)))
        #expect(!isStalled)
        #expect(watch.next == Self.start.advanced(by: .seconds(3_601)))
    }

    @Test("need at least one byte a window, whatever the rate")
    func least() {
        var watch = StallWatch(window: .milliseconds(4), rate: 0, at: Self.start)
        var stalled = false
        for step in 1...4 { stalled = watch.isStalled(at: Self.start.advanced(by: .milliseconds(step))) }
        #expect(stalled)
    }
}
