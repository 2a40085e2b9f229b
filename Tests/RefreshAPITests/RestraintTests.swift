import Testing

@testable import RefreshAPI

@Suite("A loop that is called for nothing") struct RestraintTests {
    @Test("pauses after a while, and not any more when something comes of it")
    func pauses() {
        var restraint = Restraint()
        let waits = (0..<Restraint.patience + 5).map { _ in restraint.wait(0, hasWorked: false) }
        #expect(waits.prefix(Restraint.patience - 1).allSatisfy { $0 == 0 })
        #expect(waits.suffix(6).allSatisfy { $0 == Restraint.pause })
        let after = [restraint.wait(0, hasWorked: true), restraint.wait(0, hasWorked: false)]
        #expect(after == [0, 0])
    }

    @Test("waits as long as it is told to otherwise", arguments: [-1, 1, 500])
    func told(_ wanted: Int) {
        var restraint = Restraint()
        for _ in 0..<2 * Restraint.patience { _ = restraint.wait(0, hasWorked: false) }
        let wait = restraint.wait(wanted, hasWorked: false)
        #expect(wait == wanted)
    }
}
