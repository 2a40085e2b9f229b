/// Hides secrets in whatever is printed: by their values, wherever and however they stand there.
///
/// Each is looked for as it is, percent-encoded, escaped in JSON, and in Base64 at every alignment, so also within the
/// user and password of a basic login. Values of less than 4 bytes are left: to hide them would hide every text.
package struct SecretMask: Sendable {
    /// What stands in the place of a secret.
    package static let cover = "***"

    private static let shortest = 4

    /// The spellings that begin with a byte, longest first.
    private let spellings: [UInt8: [[UInt8]]]

    /// Hides nothing.
    package init() { spellings = [:] }

    package init(_ values: some Sequence<String>) {
        var all: Set<[UInt8]> = []
        for value in values where value.utf8.count >= SecretMask.shortest {
            all.formUnion(SecretMask.spellings(of: value))
        }
        spellings = Dictionary(grouping: all) { $0[0] }.mapValues { $0.sorted { $0.count > $1.count } }
    }

    package var isEmpty: Bool { spellings.isEmpty }

    /// `text` with every secret covered; where two overlap, both are.
    package func masked(_ text: String) -> String {
        guard !isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            var end = place + length(at: place, in: bytes)
            guard end > place else {
                result.append(bytes[place])
                place += 1
                continue
            }
            // Another may begin within this one and reach beyond it.
            var next = place + 1
            while next < end {
                end = max(end, next + length(at: next, in: bytes))
                next += 1
            }
            result += SecretMask.cover.utf8
            place = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The length of the longest spelling that stands at `place`; 0 where none does.
    private func length(at place: Int, in bytes: [UInt8]) -> Int {
        spellings[bytes[place]]?.first { bytes[place...].starts(with: $0) }?.count ?? 0
    }

    // MARK: - Spellings

    private static func spellings(of value: String) -> [[UInt8]] {
        let bytes = Array(value.utf8)
        var json = JSONText()
        json.string(value)
        var all = [bytes, Array(json.bytes.dropFirst().dropLast())]
        let encoding = PercentEncoding(isLenient: true)
        // As it stands in a value of ours, in a form, and where only what must be is encoded.
        var encoded = [PercentText.encoded(value), PercentText.formEncoded(value)]
        if let query = try? encoding.query(bytes[...]) { encoded.append(query) }
        for text in encoded { all += [Array(text.utf8), lowercasedEscapes(text)] }
        for offset in 0..<3 {
            let standard = base64(bytes, offset: offset)
            all += [standard, standard.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }]
        }
        return all.filter { $0.count >= shortest }
    }

    private static func lowercasedEscapes(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for place in bytes.indices where bytes[place] == 0x25 {
            for digit in bytes.indices.clamped(to: (place + 1)..<(place + 3)) {
                bytes[digit] = ASCII.lowercased(bytes[digit])
            }
        }
        return bytes
    }

    /// The letters that `bytes` alone decide, where `offset` bytes stand before them in a group of three.
    private static func base64(_ bytes: [UInt8], offset: Int) -> [UInt8] {
        let letters = Base64.encode([UInt8](repeating: 0, count: offset) + bytes).utf8
        // A byte before the value reaches into its first letter, one behind it into its last.
        let shared = offset == 0 ? 0 : offset + 1
        let whole = (offset + bytes.count) * 8 / 6
        return Array(letters.prefix(whole).dropFirst(shared))
    }
}

extension SecretMask {
    /// The same failure, told without secrets.
    package func masked(_ failure: RefreshFailure) -> RefreshFailure {
        var told = RefreshFailure(
            failure.class, code: failure.code, detail: masked(failure.detail), status: failure.status,
            retryAfter: failure.retryAfter)
        told.isSettled = failure.isSettled
        return told
    }
}
