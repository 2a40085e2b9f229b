/// A client's place in a feed's list, opaque to it: a position, valid although the item there moved or vanished
/// (semantics P1).
package struct ItemCursor: Hashable, Sendable {
    package enum Failure: Error, Equatable {
        /// Not a cursor that this daemon has made, or a damaged one.
        case malformed
        /// A cursor of another feed, view or order.
        case foreign
    }

    /// How the list is walked.
    package enum Order: UInt8, Sendable, CaseIterable {
        /// The feed's own order (semantics P2), the same from its end, and by key.
        case sort = 0, reverse, key

        /// As the socket API spells it.
        package var name: String {
            switch self {
            case .sort: "sort"
            case .reverse: "reverse"
            case .key: "key"
            }
        }
    }

    /// The last item that was shown.
    package enum Place: Hashable, Sendable {
        /// Its stored order value and the place of its first sight, which no two items share.
        case order(sort: [UInt8], createdSeq: Seq)
        case key(RecordKey)
    }

    package let order: Order
    package let place: Place
    /// The newest place of the feed's log when the cursor was given out.
    package let issued: Seq

    package init(order: Order, place: Place, issued: Seq) {
        self.order = order
        self.place = place
        self.issued = issued
    }

    private static let version: UInt8 = 2
    private static let headLength = 1 + 4 + 4 + 4 + 1 + 8
    private static let longest = 8_192

    /// - Parameters:
    ///   - view: what the list shows; a cursor holds good for it alone.
    ///   - spec: stands for what the feed is sorted by.
    package func text(feed: FeedID, view: ItemView = .plain, spec: UInt32 = 0) -> String {
        var bytes = [ItemCursor.version]
        bytes.append(bigEndian: FNV.hash32(feed.name.utf8))
        bytes.append(bigEndian: view.hash)
        bytes.append(bigEndian: spec)
        bytes.append(order.rawValue)
        bytes.append(bigEndian: UInt64(bitPattern: issued))
        switch place {
        case .order(let sort, let createdSeq):
            bytes.append(bigEndian: UInt64(bitPattern: createdSeq))
            bytes.append(contentsOf: sort)
        case .key(let key): bytes.append(contentsOf: key.bytes)
        }
        bytes.append(bigEndian: FNV.hash32(bytes))
        return Base64URL.encode(bytes)
    }

    /// Reads a cursor that a client sent for a list of this feed, view and order.
    package init(
        text: String, feed: FeedID, view: ItemView = .plain, order wanted: Order = .sort, spec: UInt32 = 0
    ) throws(Failure) {
        guard text.utf8.count <= ItemCursor.longest, let bytes = Base64URL.decode(text.utf8),
            bytes.count >= ItemCursor.headLength + 4, bytes[0] == ItemCursor.version,
            FNV.hash32(bytes.dropLast(4)) == UInt32(bigEndian: bytes.suffix(4)),
            let order = Order(rawValue: bytes[13])
        else { throw .malformed }
        guard UInt32(bigEndian: bytes[1..<5]) == FNV.hash32(feed.name.utf8),
            UInt32(bigEndian: bytes[5..<9]) == view.hash, UInt32(bigEndian: bytes[9..<13]) == spec,
            order == wanted
        else { throw .foreign }
        let place = bytes[ItemCursor.headLength..<(bytes.count - 4)]
        self.order = order
        issued = Seq(bitPattern: UInt64(bigEndian: bytes[14..<22]))
        if order == .key {
            guard place.count <= RecordKey.longest else { throw .malformed }
            self.place = .key(RecordKey(Array(place)))
        } else {
            guard place.count > 8, OrderValue(stored: place.dropFirst(8)) != nil else { throw .malformed }
            self.place = .order(
                sort: Array(place.dropFirst(8)),
                createdSeq: Seq(bitPattern: UInt64(bigEndian: place.prefix(8))))
        }
    }
}
