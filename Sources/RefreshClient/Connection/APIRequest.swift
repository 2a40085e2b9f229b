import RefreshCore

/// One request to the daemon, before it is sent.
package struct APIRequest: Sendable {
    package let method: String
    /// Path and query, percent-encoded.
    package let path: String
    package let query: String?
    package let body: [UInt8]
    /// How long the daemon may take for the whole answer.
    package let patience: Duration

    /// Reads are answered from the cache at once; this is for a daemon that hangs.
    package static let patience: Duration = .seconds(30)

    /// A read of `/v1/` and the segments, none of them encoded yet.
    ///
    /// - Parameters:
    ///   - patience: nil is as long as a person waits.
    ///   - longer: how long the daemon is asked to wait before it answers.
    package static func get(
        _ segments: [String], query: [(String, String)] = [], patience: Duration? = nil,
        longer: Duration = .zero
    ) -> APIRequest {
        let pairs = query.map { "\(encoded($0.0))=\(encoded($0.1))" }
        return APIRequest(
            method: "GET", path: path(segments), query: pairs.isEmpty ? nil : pairs.joined(separator: "&"),
            body: [], patience: (patience ?? APIRequest.patience) + longer)
    }

    /// The daemon's figures, the one answer that is no JSON.
    static let metrics = outside("metrics")

    /// A read of what every version of the API has.
    ///
    /// - Parameter name: `readyz`, or empty for the daemon itself.
    static func outside(_ name: String) -> APIRequest {
        APIRequest(method: "GET", path: "/\(name)", query: nil, body: [], patience: patience)
    }

    /// A wish without words.
    package static func post(_ segments: [String], patience: Duration = APIRequest.patience) -> APIRequest {
        .post(segments, body: Array("{}".utf8), patience: patience)
    }

    /// A wish, with its body.
    package static func post(_ segments: [String], body: [UInt8], patience: Duration) -> APIRequest {
        APIRequest(method: "POST", path: path(segments), query: nil, body: body, patience: patience)
    }

    private static func path(_ segments: [String]) -> String {
        "/v1/" + segments.map(segment).joined(separator: "/")
    }

    /// A segment of dots means another folder unless its dots are encoded (RFC 3986, 3.3).
    private static func segment(_ text: String) -> String {
        text == "." || text == ".." ? text.utf8.map { _ in "%2E" }.joined() : encoded(text)
    }

    /// Percent-encoded but for the characters that mean themselves everywhere (RFC 3986, 2.3).
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes.append(contentsOf: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
