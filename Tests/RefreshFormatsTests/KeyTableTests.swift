import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("The table of keys") struct KeyTableTests {
    @Test(
        "finds every row by its key, and the latest of several, however large it grows",
        arguments: [0, 5_000])
    func finds(reserved: Int) {
        var table = KeyTable(reserving: reserved)
        var latest: [Int: Int] = [:]
        var random = Randomness(seed: 5)
        var keys: [Int] = []
        for row in 0..<20_000 {
            keys.append(Int.random(in: 0..<12_000, using: &random))
            let earlier = table.put(row, hash: keys[row].hashValue) { keys[$0] == keys[row] }
            #expect(earlier == latest[keys[row]])
            latest[keys[row]] = row
        }
    }

    @Test("tells rows apart whose hashes are equal")
    func tellsApart() {
        var table = KeyTable()
        for row in 0..<200 {
            #expect(table.put(row, hash: 7) { $0 == row } == nil)
        }
        #expect(table.put(200, hash: 7) { $0 == 137 } == 137)
        #expect(table.put(201, hash: 7) { $0 == 137 } == nil)
        #expect(table.put(202, hash: 7) { $0 == 200 } == 200)
    }
}
