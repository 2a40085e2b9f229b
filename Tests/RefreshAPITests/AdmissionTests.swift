import Testing

@testable import RefreshAPI

@Suite("How many connections there may be") struct AdmissionTests {
    /// How many of `wanted` connections of a user are let in.
    private func enter(_ user: UInt32, _ wanted: Int, _ admission: inout Admission) -> Int {
        var count = 0
        for _ in 0..<wanted where admission.enter(user) { count += 1 }
        return count
    }

    @Test("one user gets so many, and one more when one has left")
    func ofOneUser() {
        var admission = Admission()
        let first = enter(1_000, Admission().ofOneUser + 5, &admission)
        let other = enter(1_001, 1, &admission)
        admission.leave(1_000)
        let second = enter(1_000, 5, &admission)
        #expect([first, other, second] == [Admission().ofOneUser, 1, 1])
    }

    @Test("root gets in when all places are taken")
    func keptForRoot() {
        var admission = Admission()
        for user in UInt32(1)...8 { _ = enter(user, Admission().ofOneUser, &admission) }
        #expect(admission.count == Admission().inAll)
        let other = enter(9, 1, &admission)
        let root = enter(0, 50, &admission)
        #expect([other, root] == [0, Admission.keptForRoot])
    }

    @Test(
        "a process of few descriptors gives clients so few that some are left for its own work",
        arguments: [(64, 16), (32, 4), (8, 4), (1_024, 760), (8_192, 1_024), (.max, 1_024)])
    func fitting(_ descriptors: Int, _ places: Int) {
        #expect(Admission().fitting(descriptors: descriptors).inAll == places)
    }

    @Test("a leave without an enter counts nothing")
    func strayLeave() {
        var admission = Admission()
        admission.leave(5)
        #expect(admission.count == 0)
    }
}
