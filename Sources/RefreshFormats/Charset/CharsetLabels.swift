/// The labels that charsets are known by (WHATWG Encoding, 4.2), each with the decoder of iconv that fits best.
enum CharsetLabels {
    static let charsets: [String: Charset] = {
        var charsets: [String: Charset] = [:]
        for (charset, labels) in unicode + table {
            charsets[charset.name.lowercased()] = charset
            for label in labels.split(separator: " ") { charsets[String(label)] = charset }
        }
        return charsets
    }()

    private static let unicode: [(Charset, String)] = [
        (.utf8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8"),
        (.utf16BE, "unicodefffe"),
        (.utf16LE, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 u16 utf16"),
        // Not of the standard, but feeds have them.
        (.utf32BE, "ucs-4be"),
        (.utf32LE, "utf-32 ucs-4 utf32"),
        (
            .windows1252,
            """
            ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
            iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252 x-user-defined
            """
        ),
    ]

    private static let table: [(Charset, String)] = [
        (Charset("IBM866"), "866 cp866 csibm866"),
        (
            Charset("ISO-8859-2"),
            "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"
        ),
        (
            Charset("ISO-8859-3"),
            "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"
        ),
        (
            Charset("ISO-8859-4"),
            "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"
        ),
        (
            Charset("ISO-8859-5"),
            "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"
        ),
        (
            Charset("ISO-8859-6"),
            """
            arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i \
            iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
            """
        ),
        (
            Charset("ISO-8859-7"),
            """
            csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
            iso_8859-7:1987 sun_eu_greek
            """
        ),
        (
            Charset("ISO-8859-8"),
            """
            csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
            iso_8859-8:1988 visual
            """
        ),
        (Charset("ISO-8859-8-I", decoder: "ISO-8859-8"), "csiso88598i logical"),
        (Charset("ISO-8859-10"), "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
        (Charset("ISO-8859-13"), "iso8859-13 iso885913"),
        (Charset("ISO-8859-14"), "iso8859-14 iso885914"),
        (Charset("ISO-8859-15"), "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"),
        (Charset("ISO-8859-16"), ""),
        (Charset("KOI8-R"), "cskoi8r koi koi8 koi8_r"),
        (Charset("KOI8-U"), "koi8-ru"),
        (Charset("macintosh", decoder: "MACINTOSH"), "csmacintosh mac x-mac-roman"),
        (
            Charset("windows-874", decoder: "CP874"),
            "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"
        ),
        (Charset("windows-1250", decoder: "CP1250"), "cp1250 x-cp1250"),
        (Charset("windows-1251", decoder: "CP1251"), "cp1251 x-cp1251"),
        (Charset("windows-1253", decoder: "CP1253"), "cp1253 x-cp1253"),
        (
            Charset("windows-1254", decoder: "CP1254"),
            """
            cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
            x-cp1254
            """
        ),
        (Charset("windows-1255", decoder: "CP1255"), "cp1255 x-cp1255"),
        (Charset("windows-1256", decoder: "CP1256"), "cp1256 x-cp1256"),
        (Charset("windows-1257", decoder: "CP1257"), "cp1257 x-cp1257"),
        (Charset("windows-1258", decoder: "CP1258"), "cp1258 x-cp1258"),
        (Charset("x-mac-cyrillic", decoder: "MAC-UK"), "x-mac-ukrainian mac-cyrillic"),
        // GB 18030 holds all of GBK and of GB 2312.
        (
            Charset("GBK", decoder: "GB18030"),
            "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk cp936"
        ),
        (Charset("gb18030", decoder: "GB18030"), ""),
        (Charset("Big5", decoder: "BIG5-HKSCS"), "big5-hkscs cn-big5 csbig5 x-x-big5 cp950"),
        (Charset("EUC-JP", decoder: "EUC-JP-MS"), "cseucpkdfmtjapanese x-euc-jp"),
        (Charset("ISO-2022-JP", decoder: "ISO-2022-JP-3"), "csiso2022jp"),
        (
            Charset("Shift_JIS", decoder: "CP932"),
            "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis cp932"
        ),
        (
            Charset("EUC-KR", decoder: "UHC"),
            """
            cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 \
            windows-949 cp949 uhc
            """
        ),
        // Not of the standard: what is guessed, and what it refuses for the sake of browsers.
        (Charset("ISO-2022-KR"), "csiso2022kr"),
        (Charset("ISO-2022-CN", decoder: "ISO-2022-CN-EXT"), "iso-2022-cn-ext"),
        (Charset("EUC-TW"), ""), (Charset("IBM852"), "cp852"), (Charset("IBM855"), "cp855"),
        (Charset("IBM865"), "cp865"), (Charset("VISCII"), ""), (Charset("JOHAB"), ""),
    ]
}
