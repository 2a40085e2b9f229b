/// Writes the text that Prometheus reads (its exposition format, version 0.0.4).
struct MetricsText {
    enum Kind: String { case counter, gauge, summary }

    /// A label's name; no others come out of the daemon, so that the number of series has a bound.
    enum Label: String, CaseIterable { case feed, result, `class`, state, version }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    /// What a metric means; its samples follow.
    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        write("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// One sample; `value` is a number as the format spells it.
    mutating func sample(_ name: String, _ labels: [(Label, String)], _ value: String) {
        write(name)
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.rawValue)=\"\(MetricsText.escaped($1))\"" }
            write("{\(pairs.joined(separator: ","))}")
        }
        write(" \(value)\n")
    }

    /// A metric that has one sample.
    mutating func single(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: some BinaryInteger
    ) {
        begin(name, kind, help)
        sample("\(name)", [], "\(value)")
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A }) else { return value }
        return value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
