import RefreshCore

/// The daemon's figures, as `/metrics` tells them (Prometheus text, version 0.0.4).
package struct Figures: Sendable, Equatable {
    package struct Sample: Sendable, Equatable {
        package let name: String
        package let labels: [Label]
        /// As it was written.
        package let value: String

        package func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
    }

    package struct Label: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package private(set) var samples: [Sample] = []

    /// Lines that are no samples are passed over.
    package init(parsing text: some Sequence<UInt8>) {
        for line in Array(text).split(separator: 0x0A) where line.first != UInt8(ascii: "#") {
            if let sample = Figures.sample(line) { samples.append(sample) }
        }
    }

    /// The sum of a metric's samples; nil where it has none that counts.
    ///
    /// - Parameter label: only samples with this label and value.
    package func sum(_ name: String, where label: (name: String, value: String)? = nil) -> Double? {
        var sum: Double?
        for sample in samples where sample.name == name {
            if let label, sample.label(label.name) != label.value { continue }
            if let value = Double(sample.value) { sum = (sum ?? 0) + value }
        }
        return sum
    }

    // MARK: - Reading

    private static func sample(_ line: ArraySlice<UInt8>) -> Sample? {
        var rest = line
        let name = rest.prefix { $0 != UInt8(ascii: "{") && $0 != 0x20 }
        rest = rest.dropFirst(name.count)
        var labels: [Label] = []
        if rest.first == UInt8(ascii: "{") {
            rest.removeFirst()
            while let label = label(&rest) { labels.append(label) }
            guard rest.first == UInt8(ascii: "}") else { return nil }
            rest.removeFirst()
        }
        let value = rest.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        guard !name.isEmpty, !value.isEmpty else { return nil }
        return Sample(name: text(name), labels: labels, value: text(value))
    }

    /// Takes one `name="value"` and the comma behind it.
    private static func label(_ rest: inout ArraySlice<UInt8>) -> Label? {
        let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "}") }
        guard !name.isEmpty, rest.dropFirst(name.count).starts(with: Array("=\"".utf8)) else { return nil }
        rest = rest.dropFirst(name.count + 2)
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
                value.append(next == UInt8(ascii: "n") ? 0x0A : next)
            } else {
                value.append(byte)
            }
        }
        if rest.first == UInt8(ascii: ",") { rest.removeFirst() }
        return Label(name: text(name), value: text(value))
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    // MARK: - As JSON

    /// The same as one document; values stay as they were written, since not all of them are numbers of JSON.
    var json: String {
        var text = JSONText()
        text.object { text in
            text.name("metrics")
            text.array { text in
                for sample in samples {
                    text.object { text in
                        text.name("name")
                        text.string(sample.name)
                        text.name("labels")
                        text.object { text in
                            for label in sample.labels {
                                text.name(label.name.utf8)
                                text.string(label.value)
                            }
                        }
                        text.name("value")
                        text.string(sample.value)
                    }
                }
            }
        }
        return text.text
    }
}
