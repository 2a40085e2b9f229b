import RefreshCore
import Testing

@Suite("Bytes") struct BytesTests {
    @Test("spell numbers with the most significant first")
    func bigEndian() {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(0x0102_0304))
        bytes.append(bigEndian: UInt64(0xFF00_0000_0000_0001))
        #expect(bytes == [1, 2, 3, 4, 0xFF, 0, 0, 0, 0, 0, 0, 1])
        #expect(UInt32(bigEndian: bytes[0..<4]) == 0x0102_0304)
        #expect(UInt64(bigEndian: bytes[4..<12]) == 0xFF00_0000_0000_0001)
    }

    @Test("have the check values of FNV-1a that its authors published")
    func fnv() {
        #expect(FNV.hash32("".utf8) == 0x811C_9DC5)
        #expect(FNV.hash32("foobar".utf8) == 0xBF9C_F968)
        #expect(FNV.hash64("".utf8) == 0xCBF2_9CE4_8422_2325)
        #expect(FNV.hash64("foobar".utf8) == 0x8594_4171_F739_67E8)
    }

    @Test(
        "are trimmed of white space at both ends alone",
        arguments: [("", ""), (" \t\r\n", ""), (" a b ", "a b"), ("a", "a")])
    func trimmed(text: String, expected: String) {
        #expect(ASCII.trimmed(Array(text.utf8)).elementsEqual(expected.utf8))
    }

    @Test("lose only the case of ASCII letters")
    func lowercased() {
        #expect("AZaz@[`{É".utf8.map(ASCII.lowercased).elementsEqual("azaz@[`{É".utf8))
        #expect(ASCII.equalIgnoringCase("ETag".utf8, "etag".utf8))
        #expect(!ASCII.equalIgnoringCase("ETag".utf8, "etags".utf8))
        #expect(!ASCII.equalIgnoringCase("@".utf8, "`".utf8))
    }
}
