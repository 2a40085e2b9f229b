import RefreshCore
import RefreshTransfer

/// Writes the answers of an upstream to a folder, without secrets.
final class Recorder: Sendable {
    private let folder: String
    private let at: Timestamp
    private let count = Locked(0)

    /// Fields whose values prove who asks, or are given to prove it later.
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
    ]

    init(_ folder: String, at time: Timestamp) throws(ClientFailure) {
        try LocalFile.makeFolder(folder)
        if try LocalFile.names(in: folder).contains(where: Recording.isAnswer) {
            throw .file(
                path: folder, detail: "a recording is here already; remove it, or name another folder")
        }
        self.folder = folder
        at = time
    }

    func write(_ request: TransferRequest, _ answer: TransferAnswer, mask: SecretMask) throws(ClientFailure) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let digits = String(number)
        let name = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        let text = Recorder.text(request, answer, at: at, mask: mask)
        try LocalFile.replace("\(folder)/\(name).json", with: text + [0x0A])
    }

    func write(parent fields: [String: ScalarValue], mask: SecretMask) throws(ClientFailure) {
        var text = JSONText()
        text.object { text in
            text.name("recording")
            text.number(Recording.version)
            text.name("parent")
            text.object { text in
                for field in fields.sorted(by: { $0.key < $1.key }) {
                    text.name(field.key.utf8)
                    text.raw(field.value.json)
                }
            }
        }
        let path = "\(folder)/\(Recording.parentFile)"
        try LocalFile.replace(path, with: Array("\(mask.masked(text.text))\n".utf8))
    }

    private static func text(
        _ request: TransferRequest, _ answer: TransferAnswer, at time: Timestamp, mask: SecretMask
    ) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.name("recording")
            text.number(Recording.version)
            text.name("at")
            text.string(time.rfc3339)
            text.name("request")
            text.object { write(request, mask, to: &$0) }
            text.name("answer")
            text.object { write(answer, mask, to: &$0) }
        }
        return text.bytes
    }

    private static func write(_ request: TransferRequest, _ mask: SecretMask, to text: inout JSONText) {
        let mark = RequestMark(request, mask: mask)
        text.name("method")
        text.string(mark.method)
        text.name("url")
        text.string(mark.url)
        text.name("headers")
        write(request.headers, mask, to: &text)
        guard let body = request.body else { return }
        text.name("body_hash")
        text.string(mark.body)
        text.name("body")
        text.string(mask.masked(String(decoding: body, as: UTF8.self)))
    }

    private static func write(_ answer: TransferAnswer, _ mask: SecretMask, to text: inout JSONText) {
        text.name("status")
        text.number(answer.status)
        text.name("url")
        text.string(mask.masked(answer.effectiveURL.description))
        if let permanent = answer.permanentTarget {
            text.name("permanent_url")
            text.string(mask.masked(permanent.description))
        }
        text.name("headers")
        write(answer.headers, mask, to: &text)
        text.name("wire_bytes")
        text.number(answer.wireBytes)
        text.name("duration_ms")
        text.number(answer.duration.inMilliseconds)
        if let body = String(validating: answer.body.content, as: UTF8.self) {
            text.name("body")
            text.string(mask.masked(body))
        } else {
            text.name("body_base64url")
            text.string(Base64URL.encode(Array(answer.body.content)))
        }
    }

    private static func write(_ headers: HTTPHeaders, _ mask: SecretMask, to text: inout JSONText) {
        text.array { text in
            for field in headers.fields {
                text.array { text in
                    text.string(field.name)
                    let isSecret = secretFields.contains(field.name.lowercased())
                    text.string(isSecret ? SecretMask.cover : mask.masked(field.value))
                }
            }
        }
    }
}
