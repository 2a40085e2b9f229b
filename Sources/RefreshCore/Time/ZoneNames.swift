/// The names of zones that dates in feeds use, with fixed offsets: a date must mean the same on every host.
enum ZoneNames {
    /// Seconds ahead of UTC of what stands behind a time: nothing, an offset, a name, or `GMT` with an offset.
    static func readOffset(_ reader: inout DateReader) -> Int? {
        reader.skip()
        let name = reader.word()
        guard var offset = offset(of: name) else { return nil }
        if reader.next == 0x2B || reader.next == 0x2D {
            guard let numeric = reader.numericOffset() else { return nil }
            offset = numeric
        }
        reader.skip()
        // A comment often names the zone again: `-0400 (EDT)`.
        return reader.isAtEnd || reader.next == 0x28 ? offset : nil
    }

    /// Seconds ahead of UTC of a zone's name in lower case; 0 for one that is not known.
    static func offset(of name: ArraySlice<UInt8>) -> Int? {
        // A clock of twelve hours is no form of these dates; read as a zone it would be hours off.
        guard !name.elementsEqual("am".utf8), !name.elementsEqual("pm".utf8) else { return nil }
        return known(name) ?? 0
    }

    /// Seconds ahead of UTC of a zone's name in lower case; nil for one that is not known.
    static func known(_ name: ArraySlice<UInt8>) -> Int? {
        hours[String(decoding: name, as: UTF8.self)].map { Int($0 * 3_600) }
    }

    private static let hours: [String: Double] = [
        "ut": 0, "utc": 0, "gmt": 0, "z": 0,
        // RFC 822, 5.1.
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
        // Further ones of North America.
        "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3, "akst": -9, "akdt": -8, "hst": -10,
        // Europe.
        "wet": 0, "west": 1, "bst": 1, "cet": 1, "met": 1, "mez": 1, "cest": 2, "mest": 2, "mesz": 2,
        "eet": 2, "eest": 3, "msk": 3, "trt": 3,
        // Asia and the Pacific.
        "gst": 4, "pkt": 5, "wib": 7, "ict": 7, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9,
        "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
        // Africa and South America.
        "wat": 1, "cat": 2, "sast": 2, "eat": 3, "brt": -3, "art": -3, "clt": -4,
    ]
}
