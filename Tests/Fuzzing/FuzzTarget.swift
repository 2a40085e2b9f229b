/// One kind of input from outside, and all that is done with it.
///
/// `make fuzz` feeds it what the fuzzer makes up; the tests feed it its seeds and every input that once broke it.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Inputs to begin with: small, and each of another kind.
    package let seeds: [[UInt8]]
    /// Pieces that inputs are made of, for the fuzzer to insert.
    package let words: [String]
    /// Takes any bytes; tells what was promised and does not hold, or nil. A crash, an endless loop and too much memory
    /// are found by the fuzzer itself.
    package let broken: @Sendable (_ input: [UInt8]) -> String?

    init(
        _ name: String, seeds: [[UInt8]], words: [String] = [],
        broken: @escaping @Sendable (_ input: [UInt8]) -> String?
    ) {
        self.name = name
        self.seeds = seeds
        self.words = words
        self.broken = broken
    }

    init(
        _ name: String, texts: [String], words: [String] = [],
        broken: @escaping @Sendable (_ input: [UInt8]) -> String?
    ) {
        self.init(name, seeds: texts.map { Array($0.utf8) }, words: words, broken: broken)
    }

    /// Every target. A new one is a file `FuzzTarget+Name.swift` beside this, and a name here.
    package static let all: [FuzzTarget] = [
        .json, .jsonPath, .link, .dates, .feed, .csv, .html, .charset,
    ]
}

/// An input that holds two: what stands before the first line feed, and what stands behind it.
func halves(of input: [UInt8]) -> (first: [UInt8], second: [UInt8]) {
    guard let end = input.firstIndex(of: 0x0A) else { return (input, []) }
    return (Array(input[..<end]), Array(input[(end + 1)...]))
}
