import RefreshCore

/// What may be the name and the value of a header field (RFC 9110, 5.1 and 5.5).
enum FieldRules {
    static let controls = "holds control characters, which no header value may (RFC 9110, 5.5)"

    /// Fields that say how a message is framed, or that the daemon sends by its own knowledge.
    static let ours: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "range", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    static func isSame(_ left: String, _ right: String) -> Bool {
        ASCII.equalIgnoringCase(left.utf8, right.utf8)
    }

    /// Whether a field of this name is there to hold a secret.
    static func isSecret(_ name: String) -> Bool {
        ["authorization", "cookie", "proxy-authorization", "x-api-key"].contains(name.lowercased())
    }

    /// Whether a member of a login's body is one that nobody is to see.
    static func isSecretMember(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["pass", "secret", "token", "key", "pwd", "pin", "otp"].contains { name.contains($0) }
    }

    static func isOurs(_ name: String) -> Bool { ours.contains(name.lowercased()) }

    /// CR and LF would end the field, and start one that nobody wrote.
    static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
