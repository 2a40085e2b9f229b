import RefreshCore

/// What goes back to the client.
struct Answer: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        let name: String
        let value: String
    }

    let status: UInt32
    private(set) var fields: [Field]
    let body: [UInt8]
    /// Whether the connection ends with this answer.
    var closes = false

    init(status: UInt32, type: String? = nil, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = (type.map { [Field(name: "Content-Type", value: $0)] } ?? []) + fields
        self.body = body
    }

    /// An answer of JSON.
    init(_ status: UInt32 = 200, json: JSONText) {
        self.init(status: status, type: "application/json", body: json.bytes)
    }

    mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Says which version of the API speaks; goes with everything.
    mutating func addVersion() { add("Refreshd-Api", Endpoints.apiVersion) }

    /// The answer to a client that holds the same already: the fields without the body.
    func notModified() -> Answer {
        Answer(status: 304, fields: fields.filter { $0.name != "Content-Type" })
    }
}
