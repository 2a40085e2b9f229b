/// A number that is new whenever the change log of a feed may have gone back (semantics K3).
package struct Epoch: Hashable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// The place of a row in its feed's change log; 0 stands before the first.
package typealias Seq = Int64

/// What a client holds to ask for the changes since: opaque to it, `epoch` and `seq` to us (semantics K2).
package struct SyncKey: Hashable, Sendable {
    package enum Failure: Error, Equatable {
        /// Not a key that this daemon has made, or a damaged one.
        case malformed
        /// A key of another feed or of another view of it.
        case foreign
    }

    package let epoch: Epoch
    package let seq: Seq

    package init(epoch: Epoch, seq: Seq) {
        self.epoch = epoch
        self.seq = seq
    }

    private static let version: UInt8 = 1

    /// The key's text for `feed`, seen through `view` (a hash of what the view shows; 0 is the plain one).
    package func text(feed: FeedID, view: UInt32 = 0) -> String {
        var bytes = [SyncKey.version]
        bytes.append(bigEndian: FNV.hash32(feed.name.utf8))
        bytes.append(bigEndian: view)
        bytes.append(bigEndian: epoch.number)
        bytes.append(bigEndian: UInt64(bitPattern: seq))
        bytes.append(bigEndian: FNV.hash32(bytes))
        return Base64URL.encode(bytes)
    }

    /// Reads a key that a client sent for `feed` and `view`.
    package init(text: String, feed: FeedID, view: UInt32 = 0) throws(Failure) {
        guard let bytes = Base64URL.decode(text.utf8), bytes.count == 29, bytes[0] == SyncKey.version,
            FNV.hash32(bytes[0..<25]) == UInt32(bigEndian: bytes[25..<29])
        else { throw .malformed }
        guard UInt32(bigEndian: bytes[1..<5]) == FNV.hash32(feed.name.utf8),
            UInt32(bigEndian: bytes[5..<9]) == view
        else { throw .foreign }
        epoch = Epoch(UInt64(bigEndian: bytes[9..<17]))
        seq = Seq(bitPattern: UInt64(bigEndian: bytes[17..<25]))
        guard seq >= 0 else { throw .malformed }
    }
}

/// Why a sync key, well-formed, cannot be answered any more (semantics K4, K5).
package enum Resync: String, Error, Sendable, CaseIterable {
    /// The log was begun anew.
    case epoch
    /// Deletions since then are forgotten.
    case horizon
    /// The log ends before it.
    case future
}
