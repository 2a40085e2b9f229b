import Glibc
import TestSupport

/// Files of the checkout that no program has in it.
enum Repository {
    static let root = #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }

    static func text(_ path: String) -> String? {
        readFile("\(root)/\(path)").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Where a program of the host lies; nil where it is not installed.
    static func tool(_ name: String) -> String? {
        ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"].map { "\($0)/\(name)" }
            .first { unsafe access($0, X_OK) == 0 }
    }

    /// What a program of the host says, and how it ends.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
        let folder = TemporaryFolder()
        let process = try ChildProcess(program, arguments, in: folder, environment: environment)
        let ending = await process.wait(atMost: .seconds(60))
        // What it wrote lies in the folder, which goes with its last owner.
        return withExtendedLifetime(folder) { (ending, process.output, process.errors) }
    }
}
