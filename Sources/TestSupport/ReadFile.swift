import Glibc

/// The bytes of a file, or nil where it cannot be read.
package func readFile(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { _ = unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let read = unsafe fread(&chunk, 1, chunk.count, file)
        if read == 0 { return unsafe ferror(file) == 0 ? bytes : nil }
        bytes.append(contentsOf: chunk[0..<read])
    }
}
