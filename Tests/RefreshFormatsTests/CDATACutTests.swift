import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("CDATA sections past the parser") struct CDATACutTests {
    private static let long = String(repeating: "words & <b>tags</b> ]] > é\n", count: 20)

    private func cut(_ text: String) throws -> CDATACut? {
        let bytes = Array(text.utf8)[...]
        return CDATACut(bytes, found: try TagScan.check(bytes, isStrict: true))
    }

    private func item(_ inner: String, around: (String, String) = ("", "")) -> String {
        "\(around.0)<rss><channel><item><guid>1</guid><description>\(inner)</description></item></channel></rss>\(around.1)"
    }

    @Test("are taken out, and come back where they were")
    func comesBack() throws {
        let text = item("a <![CDATA[\(Self.long)]]> &amp; <![CDATA[\(Self.long)]]>b")
        let made = try #require(try cut(text))
        #expect(made.sections.count == 2)
        #expect(made.text.count < text.utf8.count / 4)
        #expect(made.text.count { $0 == 0x0A } == text.utf8.count { $0 == 0x0A })
        let read = try ReadFeed(text)
        #expect(read.warnings.isEmpty)
        // What the parser itself makes of the same text: a carriage return leaves it to it.
        let same = try ReadFeed(text.replacing("\n", with: "\r\n"))
        #expect(read.bodies[0].text(read.bodies[0].root) == same.bodies[0].text(same.bodies[0].root))
        #expect(read.text(0, "content_html")?.contains("words & <b>tags</b> ]] > é") == true)
    }

    @Test(
        "are left to it where that would not be the same",
        arguments: [
            "<![CDATA[short]]>", "<![CDATA[\(long)\u{1}]]>", "<![CDATA[\(long)\u{FFFE}]]>",
            "<![CDATA[\(long)\r\n]]>", "<![CDATA[\(long)", "<!-- <![CDATA[\(long)]]> -->",
            "<?x <![CDATA[\(long)]]> ?>", "<a b='<![CDATA[\(long)]]>'/>",
            "<![CDATA[\(long)]]><?refreshd-cdata 0?>",
        ])
    func isLeft(_ inner: String) throws {
        #expect(try cut(item(inner)) == nil)
    }

    @Test("of a document with a type are left to it")
    func documentType() throws {
        let text = "<!DOCTYPE rss [<!ENTITY a \"x\">]>" + item("<![CDATA[\(Self.long)]]>")
        #expect(try cut(text) == nil)
    }

    @Test("outside of the document's element are a fault, as the parser has it")
    func outside() throws {
        for around in [("<![CDATA[\(Self.long)]]>", ""), ("", "<![CDATA[\(Self.long)]]>")] {
            // It is mended where that can be; it never passes for a sound document.
            let read = try? ReadFeed(item("x", around: around))
            #expect(read?.warnings.contains(.illFormed) != false)
        }
    }

    @Test("do not move the line of a fault behind them")
    func lines() throws {
        let text = item("<![CDATA[\(Self.long)]]>").replacing("</item>", with: "\n</wrong>")
        let warning = try #require(try ReadFeed(text).document.warnings.first { $0.code == .illFormed })
        #expect(warning.line == text.split(separator: "</wrong>")[0].utf8.count { $0 == 0x0A } + 1)
    }

    @Test("cannot be made up by a document")
    func madeUp() throws {
        let read = try ReadFeed(item("<![CDATA[\(Self.long)]]><?refreshd-cdata 0?>"))
        let once = try ReadFeed(item("<![CDATA[\(Self.long)]]>"))
        #expect(read.text(0, "content_text") == once.text(0, "content_text"))
    }
}
