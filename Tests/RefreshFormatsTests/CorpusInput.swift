import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

extension JSONDocument {
    /// The input of a corpus case, as text or in base64; nil where it has neither.
    var corpusInput: [UInt8]? {
        if let text = member("input") { return string(of: text) }
        guard let base64 = text(member("input_base64")) else { return nil }
        return Base64URL.decode(
            base64.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            })
    }

    var corpusName: String { text(member("name")) ?? "?" }
}
