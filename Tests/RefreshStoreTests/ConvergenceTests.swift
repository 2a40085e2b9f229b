import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// How often the random tests run: 500 lives, or what `SOAK` says.
let soakRuns: Int = unsafe getenv("SOAK").flatMap { unsafe Int(String(cString: $0)) } ?? 500

@Suite("Convergence of clients") struct ConvergenceTests {
    private static let parts = 4

    @Test("no client diverges, whatever crashes, purges and restores it meets", arguments: 0..<parts)
    func converges(_ part: Int) throws {
        var pulls = 0
        let runs = max(1, soakRuns / ConvergenceTests.parts)
        for run in 0..<runs {
            let seed = UInt64(run * ConvergenceTests.parts + part)
            let life = try Simulation(seed: seed)
            #expect(try !life.diverges(), "seed \(seed)")
            pulls += life.pulls
        }
        print("convergence, part \(part): \(runs) runs, \(pulls) pulls")
    }

    @Test(
        "the same lives show every rule that is broken", arguments: Simulation.Mutation.allCases.dropFirst())
    func noticesBrokenRules(_ mutation: Simulation.Mutation) throws {
        for run in 0..<300 where try Simulation(seed: UInt64(run), mutation: mutation).diverges() {
            print("\(mutation): life \(run) diverged")
            return
        }
        Issue.record("\(mutation) was not noticed in 300 lives")
    }
}
