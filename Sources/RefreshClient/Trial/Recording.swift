import RefreshCore
import RefreshFormats
import RefreshTransfer

/// What tells recorded requests apart: method, URL, and of one with a body that too.
struct RequestMark: Hashable {
    let method: String
    let url: String
    /// 16 hexadecimal digits; empty without a body.
    let body: String

    init(_ request: TransferRequest, mask: SecretMask) {
        method = request.method
        url = mask.masked(request.url.description)
        body = request.body.map { String(FNV.hash64($0), radix: 16) } ?? ""
    }

    init(method: String, url: String, body: String) {
        self.method = method
        self.url = url
        self.body = body
    }
}

/// The answers of an upstream in a folder: a file of JSON for each, `0001.json` and so on, by their order.
struct Recording: Sendable {
    private let answers: [(mark: RequestMark, answer: TransferAnswer)]
    /// When it was made: what the pass goes by when it is played again.
    let at: Timestamp
    /// The fields of the parent's item.
    let parent: [String: ScalarValue]?

    static let version = 1
    static let parentFile = "parent.json"

    static func isAnswer(_ name: String) -> Bool {
        name.hasSuffix(".json") && name.utf8.count == 9 && name.utf8.prefix(4).allSatisfy(ASCII.isDigit)
    }

    init(reading folder: String) throws(ClientFailure) {
        let names = try LocalFile.names(in: folder)
        var answers: [(mark: RequestMark, answer: TransferAnswer)] = []
        var time: Timestamp?
        for name in names where Recording.isAnswer(name) {
            let path = "\(folder)/\(name)"
            let bytes = try LocalFile.read(path, limit: .mebibytes(256))
            guard let read = RecordedAnswer(parsing: bytes) else {
                throw .file(path: path, detail: "this is no recorded answer")
            }
            time = time ?? read.at
            answers.append((read.mark, read.answer))
        }
        guard let time else { throw .file(path: folder, detail: "no recorded answers are here") }
        self.answers = answers
        at = time
        guard names.contains(Recording.parentFile) else {
            parent = nil
            return
        }
        parent = Recording.parent(try LocalFile.read("\(folder)/\(Recording.parentFile)"))
    }

    private static func parent(_ bytes: [UInt8]) -> [String: ScalarValue]? {
        guard let document = try? JSONDocument(parsing: PaddedBytes(bytes)),
            let fields = document.member("parent", of: document.root)
        else { return nil }
        var values: [String: ScalarValue] = [:]
        for (name, value) in document.members(of: fields) {
            if let name = document.text(name) { values[name] = document.scalar(of: value) }
        }
        return values
    }

    /// The first answer to such a request that was not used yet; the last one again where all were.
    func answer(to request: TransferRequest, used: inout Set<Int>) -> TransferAnswer? {
        let mark = RequestMark(request, mask: SecretMask())
        let places = answers.indices.filter { answers[$0].mark == mark }
        guard let place = places.first(where: { !used.contains($0) }) ?? places.last else { return nil }
        used.insert(place)
        return answers[place].answer
    }
}

/// One file of a recording.
struct RecordedAnswer {
    let at: Timestamp
    let mark: RequestMark
    let answer: TransferAnswer

    /// Nil where the bytes are something else.
    init?(parsing bytes: [UInt8]) {
        guard let whole = AnswerValue(parsing: PaddedBytes(bytes)),
            whole["recording"]?.int == Recording.version,
            let at = whole["at"]?.time, let request = whole["request"], let answer = whole["answer"],
            let method = request["method"]?.string, let url = request["url"]?.string,
            let status = answer["status"]?.int, let effective = answer["url"]?.string,
            let address = try? WebURL(parsing: effective)
        else { return nil }
        var headers = HTTPHeaders()
        for field in answer["headers"]?.elements ?? [] {
            let pair = field.elements
            guard pair.count == 2 else { return nil }
            headers.append(pair[0].words, pair[1].words)
        }
        let body: [UInt8]
        if let text = answer["body"]?.string {
            body = Array(text.utf8)
        } else if let coded = answer["body_base64url"]?.string, let bytes = Base64URL.decode(coded.utf8) {
            body = bytes
        } else {
            return nil
        }
        self.at = at
        mark = RequestMark(method: method, url: url, body: request["body_hash"]?.string ?? "")
        self.answer = TransferAnswer(
            status: status, headers: headers, body: PaddedBytes(body), effectiveURL: address,
            permanentTarget: answer["permanent_url"]?.string.flatMap { try? WebURL(parsing: $0) },
            wireBytes: answer["wire_bytes"]?.int ?? body.count,
            duration: answer["duration_ms"]?.milliseconds ?? .zero)
    }
}
