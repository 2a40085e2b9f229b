import RefreshCore
import Testing

@Suite("A disk that takes nothing") struct StorageWatchTests {
    private let full = RefreshFailure(.internal, code: "storage-full", detail: "no space is left")

    private func at(_ seconds: Double) -> BootTime { Samples.start.boot + .seconds(seconds) }

    @Test("holds everything back until a write works, and tries at growing pauses") func holds() {
        var watch = StorageWatch()
        #expect(watch.failure == nil && watch.wakeAt == nil)
        let isTold = watch.failed(full, at: at(0))
        #expect(isTold && watch.failure == full)
        var now = 0.0
        for pause in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            #expect(watch.wakeAt == at(now + pause))
            let isEarly = watch.probe(at: at(now + pause - 0.5))
            now += pause
            let isDue = watch.probe(at: at(now))
            // One at a time.
            let isSecond = watch.probe(at: at(now + 100))
            #expect(!isEarly && isDue && !isSecond && watch.wakeAt == nil)
            let isOver = watch.probed(false, at: at(now))
            #expect(!isOver)
        }
        let isDue = watch.probe(at: at(now + 60))
        let isOver = watch.probed(true, at: at(now + 60))
        #expect(isDue && isOver && watch.failure == nil)
    }

    @Test("is told once a minute, however many refreshes fail") func told() {
        var watch = StorageWatch()
        var told: [Int] = []
        for second in 0..<150 where watch.failed(full, at: at(Double(second))) { told.append(second) }
        #expect(told == [0, 60, 120])
    }

    @Test("lets go after five minutes, since a refresh may be what makes room, and then holds for longer")
    func letsGo() {
        var watch = StorageWatch()
        _ = watch.failed(full, at: at(0))
        _ = watch.probe(at: at(299))
        let isEarly = watch.probed(false, at: at(299))
        _ = watch.probe(at: at(359))
        let isOver = watch.probed(false, at: at(359))
        #expect(!isEarly && isOver && watch.failure == nil)
        _ = watch.failed(full, at: at(360))
        #expect(watch.wakeAt == at(362))
        _ = watch.probe(at: at(362))
        let isWell = watch.probed(true, at: at(362))
        #expect(isWell)
        // What was well for longer begins anew.
        _ = watch.failed(full, at: at(1_000))
        #expect(watch.wakeAt == at(1_001))
    }
}
