import RefreshCore
import Testing

@Suite("Padded bytes") struct PaddedBytesTests {
    @Test("keep their content apart from the room behind it", arguments: ["", "{}", " a "])
    func keepApart(text: String) {
        let bytes = PaddedBytes(text)
        #expect(Array(bytes.content) == Array(text.utf8))
        #expect(bytes.count == text.utf8.count)
        #expect(bytes.storage.count == text.utf8.count + PaddedBytes.padding)
        #expect(bytes.storage[bytes.count...].allSatisfy(ASCII.isSpace))
        #expect(PaddedBytes(Array(text.utf8)).storage == bytes.storage)
    }
}
