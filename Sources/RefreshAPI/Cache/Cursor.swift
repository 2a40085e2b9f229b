import RefreshCore
import RefreshStore

/// A client's place in a list, opaque to it (semantics P1).
struct Cursor: Equatable {
    enum Failure: Error { case malformed, foreign }

    let place: ItemPosition
    /// The feed's newest seq when the cursor was given out.
    let issued: Seq

    init(place: ItemPosition, issued: Seq) {
        self.place = place
        self.issued = issued
    }

    private static let version: UInt8 = 1
    /// Beside the place.
    private static let length = 1 + 4 + 8 + 4

    func text(feed: FeedID) -> String {
        var bytes = [Cursor.version]
        bytes.append(bigEndian: FNV.hash32(feed.name.utf8))
        bytes.append(contentsOf: place.encode())
        bytes.append(bigEndian: UInt64(bitPattern: issued))
        bytes.append(bigEndian: FNV.hash32(bytes))
        return Base64URL.encode(bytes)
    }

    init(text: [UInt8], feed: FeedID) throws(Failure) {
        guard let bytes = Base64URL.decode(text), bytes.count > Cursor.length,
            bytes.count <= Cursor.length + ItemPosition.longest, bytes[0] == Cursor.version,
            FNV.hash32(bytes.dropLast(4)) == UInt32(bigEndian: bytes.suffix(4)),
            let place = ItemPosition(bytes[5..<(bytes.count - 12)])
        else { throw .malformed }
        guard UInt32(bigEndian: bytes[1..<5]) == FNV.hash32(feed.name.utf8) else { throw .foreign }
        self.place = place
        issued = Seq(bitPattern: UInt64(bigEndian: bytes.suffix(12).prefix(8)))
    }
}
