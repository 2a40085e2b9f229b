/// The files of a configuration as they were when it was taken over, whatever lies on the disk by now.
package struct ConfigSources: Sendable {
    struct File: Sendable {
        let path: String
        let bytes: [UInt8]
        let isReadableByOthers: Bool
    }

    /// In the order in which they were read, the first one first.
    var files: [File] = []

    package init() {}

    /// The first file's path.
    package var path: String? { files.first?.path }
}
