/// How many connections there may be, in all and of one user.
///
/// libmicrohttpd counts by address, and on a Unix socket all clients have the same.
package struct Admission: Sendable {
    /// Places that only root gets, so that an administrator can look at a flooded daemon.
    static let keptForRoot = 8

    let inAll: Int
    let ofOneUser: Int
    private var users: [UInt32: Int] = [:]
    private(set) var count = 0

    package init(inAll: Int = 1_024, ofOneUser: Int = 128) {
        self.inAll = inAll
        self.ofOneUser = ofOneUser
    }

    /// The same, with so few places that a process of so many descriptors has some left for the databases and for
    /// fetches, whoever connects.
    func fitting(descriptors: Int) -> Admission {
        let reserve = min(Admission.mostReserved, descriptors / 8 * 5) + Admission.keptForRoot
        return Admission(inAll: min(inAll, max(4, descriptors - reserve)), ofOneUser: ofOneUser)
    }

    /// Descriptors that clients never get.
    private static let mostReserved = 256

    /// Counts a connection of `user`; false where it is one too many and was not counted.
    mutating func enter(_ user: UInt32) -> Bool {
        let reserve = user == 0 ? Admission.keptForRoot : 0
        guard count < inAll + reserve, users[user, default: 0] < ofOneUser + reserve
        else { return false }
        users[user, default: 0] += 1
        count += 1
        return true
    }

    mutating func leave(_ user: UInt32) {
        guard let held = users[user], held > 0 else { return }
        users[user] = held == 1 ? nil : held - 1
        count -= 1
    }
}
