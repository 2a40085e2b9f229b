import RefreshCore
import Testing

@Suite("JSON text") struct JSONTextTests {
    @Test("has its commas between members and elements, and nowhere else")
    func commas() {
        var json = JSONText(reserving: 64)
        json.object { json in
            json.name("a")
            json.array { json in
                json.number(1)
                json.object { _ in }
                json.array { _ in }
                json.bool(true)
                json.null()
                json.string("x")
            }
            json.name("b".utf8)
            json.raw("1.10".utf8)
            json.name("c")
            json.object { json in
                json.name("d")
                json.bool(false)
            }
            json.name("e")
            json.number(UInt64.max)
        }
        #expect(
            json.text == #"{"a":[1,{},[],true,null,"x"],"b":1.10,"c":{"d":false},"e":18446744073709551615}"#)
    }

    @Test(
        "escapes what must be and nothing else",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{8}\u{1F}", #""\u0000\u0008\u001f""#), ("\u{7F}ü😀\u{2028}", "\"\u{7F}ü😀\u{2028}\""),
        ])
    func escapes(text: String, json: String) {
        var written = JSONText()
        written.string(text)
        #expect(written.text == json)
    }

    @Test("escapes names that come from outside")
    func names() {
        var json = JSONText()
        json.object { json in
            json.name("a\"b".utf8)
            json.null()
        }
        #expect(json.text == #"{"a\"b":null}"#)
    }
}
