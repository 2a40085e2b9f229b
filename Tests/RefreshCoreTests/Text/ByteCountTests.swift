import RefreshCore
import Testing

@Suite("Sizes as text") struct ByteCountTests {
    @Test(
        "are read",
        arguments: [
            ("512B", 512), ("64KiB", 65_536), ("8MiB", 8_388_608), ("1GiB", 1_073_741_824), ("2TiB", 1 << 41),
            ("0B", 0), ("8388607TiB", 8_388_607 << 40),
        ])
    func areRead(text: String, bytes: Int) throws {
        #expect(try ByteCount(parsing: text).bytes == bytes)
    }

    @Test(
        "are refused with the remedy",
        arguments: [
            ("64", 2, #"missing unit; write "64MiB", or "64B" for bytes"#),
            ("64KB", 2, #"unknown unit "KB"; write "64KiB""#),
            ("8mb", 1, #"unknown unit "mb"; write "8MiB""#),
            ("1G", 1, #"unknown unit "G"; write "1GiB""#), ("1kib", 1, #"unknown unit "kib"; write "1KiB""#),
            ("5x", 1, #"unknown unit "x"; units are B, KiB, MiB, GiB and TiB, as in "5MiB""#),
            ("1.5GiB", 1, #"whole numbers only; take a smaller unit, as in "1536MiB""#),
            ("1GiB512MiB", 4, #"one number and one unit only, as in "1536MiB""#),
            ("1 GiB", 1, #"no spaces; write it as one word, as in "1536MiB""#),
            ("", 0, #"missing size; write for example "64KiB""#), ("-1B", 0, "must not be negative"),
            ("MiB", 0, #"missing number; write for example "1536MiB""#),
            ("8388608TiB", 0, "too large; at most 8388607TiB"),
        ])
    func areRefused(text: String, offset: Int, message: String) {
        #expect(throws: UnitFailure(offset: offset, message: message)) { try ByteCount(parsing: text) }
    }

    @Test(
        "are written in the largest unit that is exact",
        arguments: [
            (0, "0B"), (1_023, "1023B"), (1_024, "1KiB"), (1_536, "1536B"), (33_554_432, "32MiB"),
            (1 << 40, "1TiB"),
            (-1_024, "-1KiB"),
        ])
    func areWritten(bytes: Int, text: String) {
        #expect(ByteCount(bytes).text == text)
    }
}
