import Glibc

struct NoFolder: Error { let path: String }

/// The names of the YAML files of a folder, in order.
func fileNames(in folder: String) throws -> [String] {
    guard let handle = unsafe opendir(folder) else { throw NoFolder(path: folder) }
    defer { _ = unsafe closedir(handle) }
    var names: [String] = []
    while let entry = unsafe readdir(handle) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name.hasSuffix(".yaml") { names.append(name) }
    }
    return names.sorted()
}
