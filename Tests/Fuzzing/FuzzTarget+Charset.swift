import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// Text in any charset, found out and read. Before the first line feed may stand a label.
    static let charset = FuzzTarget(
        "charset",
        seeds: [
            Array("utf-8\nhé".utf8),
            Array("windows-1251\n<?xml encoding='koi8-r'?>".utf8) + [0xD0, 0xC0, 0xFF],
            Array("iso-2022-jp\n".utf8) + [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42],
            Array("\n".utf8) + [0xFF, 0xFE, 0x3C, 0x00, 0x61, 0x00],
            Array("\n".utf8) + [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61],
            Array("utf-32\n".utf8) + [0x00, 0x00, 0x00, 0x3C, 0x00, 0x11, 0x00, 0x00],
            Array("gb18030\n".utf8) + [0x81, 0x30, 0x81, 0x30, 0xA3, 0xA0],
            Array("big5\n".utf8) + [0xA4, 0xA4, 0xFF],
            Array("shift_jis\n<meta charset=utf-8>".utf8) + [0x82, 0xA0],
            Array("euc-kr\n".utf8) + [0xB0, 0xA1],
            Array("x\n<meta http-equiv=content-type content='text/html; charset=gbk'>".utf8) + [0xC4, 0xE3],
        ],
        words: [
            "utf-8", "utf-16le", "utf-16be", "utf-7", "windows-1252", "iso-8859-5", "koi8-u", "hz-gb-2312",
            "big5-hkscs",
            "<meta charset=", "encoding=\"", "<?xml ", "\u{FEFF}",
        ]
    ) { input in
        let (label, body) = halves(of: input)
        let name = String(decoding: label, as: UTF8.self)
        let type = MediaType(parsing: "text/html; charset=\(name)")
        for kind in [CharsetDetector.Kind.xml, .html, .text] {
            let texts = [
                Transcoder.utf8(body[...], label: name, contentType: nil, kind: kind),
                Transcoder.utf8(body[...], contentType: type, kind: kind),
                Transcoder.utf8(body[...], contentType: nil, kind: kind),
            ]
            for text in texts {
                if String(validating: text, as: UTF8.self) == nil { return "what was read is no UTF-8" }
                if text.count > body.count * 3 { return "what was read is more than three times as long" }
            }
        }
        return nil
    }
}
