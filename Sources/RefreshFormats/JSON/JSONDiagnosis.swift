/// Finds out why simdjson's first stage refused a text: it says what, not where.
struct JSONDiagnosis {
    private let bytes: ArraySlice<UInt8>

    static func failure(of bytes: ArraySlice<UInt8>) -> FormatFailure {
        let diagnosis = JSONDiagnosis(bytes: bytes)
        let encoding = UTF8Check.firstFault(in: bytes)
        let quoting = diagnosis.stringFault()
        if let encoding, encoding <= quoting?.offset ?? .max {
            return .jsonInvalid(offset: encoding, what: "the bytes are not UTF-8")
        }
        if let quoting { return .jsonInvalid(offset: quoting.offset, what: quoting.what) }
        return .jsonInvalid(offset: bytes.startIndex, what: "the text is not readable")
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The first control character in a string, or the string that never ends.
    private func stringFault() -> (offset: Int, what: String)? {
        var opened: Int?
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            if byte == JSONByte.backslash {
                at += 1
            } else if byte == JSONByte.quote {
                opened = opened == nil ? at : nil
            } else if byte < 0x20, opened != nil {
                return (at, "a control character stands in a string without an escape")
            }
            at += 1
        }
        return opened.map { ($0, "a string has no end") }
    }
}
