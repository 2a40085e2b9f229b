import Glibc

/// The target that the environment names in `FUZZ_TARGET`.
private let target: FuzzTarget? = {
    guard let name = unsafe getenv("FUZZ_TARGET") else { return nil }
    let wanted = unsafe String(cString: name)
    return FuzzTarget.all.first { $0.name == wanted }
}()

/// Called by the fuzzer before it looks at its arguments. Writes the target's seeds and words into `FUZZ_FOLDER`;
/// without a target it prints the names of all and ends.
@c(LLVMFuzzerInitialize)
func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard let target else {
        for target in FuzzTarget.all { print(target.name) }
        exit(0)
    }
    guard let folder = unsafe getenv("FUZZ_FOLDER").map({ unsafe String(cString: $0) }) else { return 0 }
    for (number, seed) in target.seeds.enumerated() { write(seed, to: "\(folder)/seeds/\(number)") }
    let words = target.words.map { word in
        let escaped = word.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
        return "\"\(escaped.joined())\"\n"
    }
    write(Array(words.joined().utf8), to: "\(folder)/words")
    return 0
}

@c(LLVMFuzzerTestOneInput)
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    if let broken = target?.broken(input) { preconditionFailure(broken) }
    return 0
}

private func write(_ bytes: [UInt8], to path: String) {
    guard let file = unsafe fopen(path, "wb") else { preconditionFailure("\(path) cannot be written") }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    precondition(unsafe fclose(file) == 0 && written == bytes.count, "\(path) was not written whole")
}
