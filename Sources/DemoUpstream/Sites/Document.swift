import RefreshCore

/// What stands at one path at one moment, with what a cache needs to ask for it again.
package struct Document: Sendable, Equatable {
    package let type: String
    package let body: [UInt8]
    /// When the content last changed, where the site knows it.
    package let changed: Timestamp?
    /// Header fields beside those that every document has.
    package let fields: [HTTPHeaders.Field]
    /// `ok`, or that of a refusal of which this is the text.
    package let status: Status

    package init(
        type: String, body: [UInt8], changed: Timestamp? = nil, fields: [HTTPHeaders.Field] = [],
        status: Status = .ok
    ) {
        self.type = type
        self.body = body
        self.changed = changed
        self.fields = fields
        self.status = status
    }

    /// A refusal that needs no explanation.
    init(refusing status: Status, fields: [HTTPHeaders.Field] = []) {
        self.init(
            type: "text/plain; charset=utf-8", body: Array("\(status.reason)\n".utf8), fields: fields,
            status: status)
    }

    /// A refusal for a program, with words for whoever reads its log.
    init(refusing status: Status, code: String, _ message: String, fields: [HTTPHeaders.Field] = []) {
        self.init(fields: fields, status: status) { text in
            text.name("error")
            text.object { text in
                text.name("code")
                text.string(code)
                text.name("message")
                text.string(message)
            }
        }
    }

    /// A JSON object with the members that `write` writes.
    init(fields: [HTTPHeaders.Field] = [], status: Status = .ok, _ write: (inout JSONText) -> Void) {
        var text = JSONText(reserving: 4_096)
        text.object(write)
        self.init(type: "application/json", body: text.bytes, fields: fields, status: status)
    }

    /// A strong entity tag: equal bytes have equal tags (RFC 9110, 8.8.3).
    package var entityTag: String {
        let digits = String(FNV.hash64(body), radix: 16)
        return "\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\""
    }
}
