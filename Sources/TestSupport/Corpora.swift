import Glibc

/// Test data that others wrote, read in place where it lies beside the repository.
package enum Corpora {
    /// The folder of the corpora, or nil where it is absent; tests then skip with `absent`.
    package static let folder: String? = {
        var parts = #filePath.utf8.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self)
        }
        parts.removeLast(3)
        let path = "/" + (parts.dropLast() + ["shared", "corpora"]).joined(separator: "/")
        return unsafe access(path, R_OK) == 0 ? path : nil
    }()

    package static let absent = "the corpora are not beside this checkout"

    /// The path of a file of the corpora, such as `samples/index.jsonl`; nil where it is absent.
    package static func path(_ name: String) -> String? {
        guard let folder else { return nil }
        let path = "\(folder)/\(name)"
        return unsafe access(path, R_OK) == 0 ? path : nil
    }
}
