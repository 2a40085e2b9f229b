import CLinux
import Glibc
import RefreshCore

extension Principals {
    /// The numbers behind the names of a list; what the system does not know lets nobody in and is handed to `unknown`.
    package init(_ list: AccessList, unknown: (String) -> Void) {
        self.init()
        for name in list.users {
            if let number = UInt32(name) ?? Principals.user(name) {
                users.insert(number)
            } else {
                unknown("user \"\(name)\"")
            }
        }
        for name in list.groups {
            if let number = UInt32(name) ?? Principals.group(name) {
                groups.insert(number)
            } else {
                unknown("group \"\(name)\"")
            }
        }
    }

    /// Entries of the user database are short, those of a group with many members are not.
    private static let room = 256 * 1_024

    /// The number of a user; nil where there is none of that name.
    package static func user(_ name: String) -> UInt32? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: room)
        let code = unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
        return unsafe code == 0 && found != nil ? UInt32(entry.pw_uid) : nil
    }

    /// The number of a group; nil where there is none of that name.
    package static func group(_ name: String) -> UInt32? {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: room)
        let code = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        return unsafe code == 0 && found != nil ? UInt32(entry.gr_gid) : nil
    }
}

/// Whether users have the same numbers here as outside: where they do not, the kernel shows every foreign user and
/// group as the same one, and no rule that names them can be kept.
package enum UserMap {
    package static func isIdentity(_ map: String) -> Bool {
        let lines = map.split(separator: "\n").map { $0.split(separator: " ") }
        return lines == [["0", "0", "4294967295"]]
    }
}
