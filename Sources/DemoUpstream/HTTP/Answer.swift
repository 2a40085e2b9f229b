import RefreshCore

/// One answer, from the document asked for to the bytes on the wire.
struct Answer: Equatable {
    let status: Status
    private let document: Document
    /// Whether the document is what was asked for, and not a word about a failure.
    private let hasValidators: Bool
    private let sendsBody: Bool
    private let keepsAlive: Bool

    /// The answer to `request` where `document` stands at its path.
    init(to request: RequestHead, _ document: Document) {
        hasValidators = document.status == .ok && request.onlyReads
        let isHeld = hasValidators && Precondition.holds(request.headers, document)
        status = isHeld ? .notModified : document.status
        self.document = document
        sendsBody = request.method != "HEAD" && !isHeld
        keepsAlive = request.keepsAlive
    }

    /// The answer to bytes that are no request.
    init(refusing status: Status) {
        self.status = status
        document = Document(refusing: status)
        hasValidators = false
        sendsBody = true
        keepsAlive = false
    }

    /// What is sent at `now`.
    func bytes(at now: Timestamp) -> [UInt8] {
        var head = "HTTP/1.1 \(status.code) \(status.reason)\r\nDate: \(now.httpDate)\r\n"
        if hasValidators {
            head += "ETag: \(document.entityTag)\r\n"
            if let changed = document.changed { head += "Last-Modified: \(changed.httpDate)\r\n" }
        }
        // With 304 too: who reads on from link to link needs them there as well.
        for field in document.fields { head += "\(field.name): \(field.value)\r\n" }
        if status != .notModified {
            head += "Content-Type: \(document.type)\r\nContent-Length: \(document.body.count)\r\n"
        }
        head += keepsAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n"
        return Array(head.utf8) + (sendsBody ? document.body : [])
    }
}
