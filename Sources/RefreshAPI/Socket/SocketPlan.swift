/// Where programs connect.
package enum SocketPlan: Sendable, Equatable {
    /// A socket to be made at `path` with the permission bits `mode`; of the group with the number `group`, where one
    /// is given.
    case make(path: String, mode: UInt32, group: UInt32? = nil)
    /// A listening Unix socket that somebody else made, as systemd does; it stays when we go.
    case inherited(descriptor: Int32)
}
