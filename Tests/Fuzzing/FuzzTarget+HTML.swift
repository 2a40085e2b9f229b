import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// A page or an XML document, its records by XPath. Before the first line feed may stand an expression, for the
    /// reader of those.
    static let html = FuzzTarget(
        "html",
        texts: [
            "//li\n<!doctype html><html><body><ul><li id=a>x<p>y<li id=b><a href='/z'>b</a></ul>",
            "count(//@id) > 1\n<table><tr><td id=1>1<td>2</tr><tr><td id=2>&eacute;&#x41;</table>",
            "/r/i[last()]\n<?xml version='1.0'?><r xmlns:a='u'><i id='1'>x</i><a:i id='2'><![CDATA[<]]></a:i></r>",
            "concat('a', \"b\", string(1 div 0))\n<r>&lt;</r>",
            "//*[@id=\"a\"]/following-sibling::node()\n<p id=a><b></p></b>",
            "normalize-space(substring-before(//title, '-'))\n<title>a - b</title><meta charset=windows-1251>",
            "id('a')|//a:i\n<!DOCTYPE r [<!ATTLIST r id ID #IMPLIED>]><r id='a'/>",
        ],
        words: [
            "//", "..", "@", "ancestor::", "following::", "[position()=1]", "text()", "node()", "<li id=",
            "</", "/>",
            "<!--", "<![CDATA[", "&amp;", "&#x0;", "<script>", "<plaintext>", "xmlns=", "<?", "translate(",
            "string(",
        ]
    ) { input in
        let (expression, body) = halves(of: input)
        let text = String(decoding: expression, as: UTF8.self)
        let isPath = XPath.check(text, namespaces: []) == nil
        for language in [MarkupDocument.Language.html, .xml] {
            if let page = try? MarkupRecords.page(
                of: body[...], as: language, plan: rows, limits: lenient, markup: markupLimits)
            {
                for row in page.rows {
                    guard (try? JSONDocument(parsing: PaddedBytes(Array(page.body(of: row))))) != nil else {
                        return "a record is no JSON"
                    }
                    if row.key.bytes.isEmpty { return "a record has an empty key" }
                }
            }
            guard isPath,
                let document = try? MarkupDocument(parsing: body[...], as: language, limits: markupLimits)
            else { continue }
            let texts = ((try? document.texts(at: text)) ?? []) + [(try? document.text(at: text)) ?? []]
            for found in texts where String(validating: found, as: UTF8.self) == nil {
                return "a text is no UTF-8"
            }
        }
        return nil
    }

    private static let rows: RecordsPlan = {
        var plan = RecordsPlan()
        plan.path = .xpath("//*[@id]")
        plan.key = [.xpath("@id")]
        plan.fields = [("text", "."), ("links[]", ".//@href"), ("n", "count(*)")].map {
            FieldPlan(name: $0.0, path: .xpath($0.1))
        }
        return plan
    }()

    private static let lenient: RecordLimits = {
        var limits = RecordLimits()
        limits.rejectGuard = 1
        return limits
    }()

    /// An expression may take as many steps as it is allowed, and the fuzzer finds those that do: fewer are as good.
    private static let markupLimits: MarkupLimits = {
        var limits = MarkupLimits()
        limits.steps = 200_000
        return limits
    }()
}
