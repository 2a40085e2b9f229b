import Glibc
import TestSupport
import Testing

@testable import Fuzzing

/// What `make fuzz` looks at for long, looked at once: the seeds, and every input that once broke something. Those lie
/// in `Inputs`, in a folder for each target, under a name that says what was wrong.
@Suite("Inputs for the fuzzer") struct InputTests {
    private static let folder = String(#filePath.dropLast("InputTests.swift".count)) + "Inputs"

    @Test("break no promise", arguments: FuzzTarget.all.map(\.name))
    func breakNothing(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for (number, seed) in target.seeds.enumerated() {
            #expect(target.broken(seed) == nil, "seed \(number)")
        }
        for input in InputTests.names(in: "\(InputTests.folder)/\(name)") {
            let bytes = try #require(readFile("\(InputTests.folder)/\(name)/\(input)"))
            #expect(target.broken(bytes) == nil, "\(name)/\(input)")
        }
    }

    @Test("belong to targets with names of their own")
    func belong() {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        let stray = InputTests.names(in: InputTests.folder).filter { !names.contains($0) }
        #expect(stray == [], "no target reads these")
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.first != "." { names.append(name) }
        }
        return names.sorted()
    }
}
