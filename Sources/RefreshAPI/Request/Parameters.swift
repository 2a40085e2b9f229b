import RefreshCore

/// A request's query, read by the names that its route knows.
struct Parameters {
    private let parameters: [RequestTarget.Parameter]

    /// Refuses a name that is not among `known`: a typo must not look like an answer.
    init(_ parameters: [RequestTarget.Parameter], known: [String]) throws(Problem) {
        for parameter in parameters
        where !known.contains(where: { $0.utf8.elementsEqual(parameter.name) }) {
            let name = String(decoding: parameter.name, as: UTF8.self)
            let names = known.isEmpty ? "there are none here" : "known are \(known.joined(separator: ", "))"
            throw Problem(.unknownParameter, "unknown query parameter \"\(name)\"; \(names)")
        }
        self.parameters = parameters
    }

    /// The value of a parameter that may stand once.
    func value(_ name: String) throws(Problem) -> [UInt8]? {
        let values = values(name)
        if values.count > 1 { throw Problem(.invalidParameter, "\"\(name)\" stands more than once") }
        return values.first
    }

    /// The values of a parameter that may be repeated, in their order.
    func values(_ name: String) -> [[UInt8]] {
        parameters.filter { name.utf8.elementsEqual($0.name) }.map(\.value)
    }

    /// A whole number within `range`, or `fallback` where it is absent.
    func number(_ name: String, in range: ClosedRange<Int>, or fallback: Int) throws(Problem) -> Int {
        guard let text = try value(name) else { return fallback }
        guard !text.isEmpty, text.count < 10, text.allSatisfy(ASCII.isDigit),
            let number = Int(String(decoding: text, as: UTF8.self)), range.contains(number)
        else {
            throw Problem(
                .invalidParameter,
                "\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A duration as the file writes it, `3s`; nil where it is absent.
    func duration(_ name: String, upTo longest: Duration) throws(Problem) -> Duration? {
        guard let text = try value(name) else { return nil }
        let wanted = String(decoding: text, as: UTF8.self)
        guard let duration = try? DurationText.parse(wanted), duration >= .zero, duration <= longest else {
            throw Problem(
                .invalidParameter,
                "\"\(name)\" must be a duration such as 3s, \(DurationText.format(longest)) at most")
        }
        return duration
    }
}
