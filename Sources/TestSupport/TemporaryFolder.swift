import CLinux
import Glibc

/// A new folder with a short path (Unix sockets must fit into 107 bytes), removed with its content at the end.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter parent: `/dev/shm` spares a test the disk where it opens hundreds of databases.
    package init(under parent: String = "/tmp") {
        var template = Array("\(parent)/rf-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> Bool in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        precondition(made, "no temporary folder can be made under \(parent)")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = unsafe nftw(path, removeEntry, 16, CInt(FTW_DEPTH | FTW_PHYS)) }

    /// The path of `name` in this folder.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes `text` to `name` and returns its path.
    @discardableResult package func write(_ text: String, to name: String) -> String {
        write(Array(text.utf8), to: name)
    }

    /// Writes `bytes` to `name` and returns its path.
    @discardableResult package func write(_ bytes: [UInt8], to name: String) -> String {
        let file = path(name)
        let handle = unsafe fopen(file, "w")
        precondition(unsafe handle != nil, "\(file) cannot be written")
        let written = unsafe fwrite(bytes, 1, bytes.count, handle)
        precondition(written == bytes.count, "\(file) was cut short")
        _ = unsafe handle.map { unsafe fclose($0) }
        return file
    }
}

private func removeEntry(
    path: UnsafePointer<CChar>?, status: UnsafePointer<stat>?, flag: CInt, place: UnsafeMutablePointer<FTW>?
) -> CInt {
    guard let path = unsafe path else { return 0 }
    return unsafe remove(path)
}
