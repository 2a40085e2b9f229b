import RefreshCore
import Testing

@Suite("Base64 for URLs") struct Base64URLTests {
    @Test(
        "has the spellings of RFC 4648, section 10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func spellings(text: String, coded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == coded)
        #expect(Base64URL.decode(coded.utf8) == Array(text.utf8))
    }

    @Test("brings all bytes back, at every length")
    func comesBack() {
        let all = (0..<256).map { UInt8($0) }
        for count in 0...256 {
            let bytes = Array(all.suffix(count))
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    }

    @Test(
        "has no other spellings",
        arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm9vY", "Zm8 ", "Zm+v", "Zm/v", "Zm9v\n", "Zé"])
    func noOthers(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
