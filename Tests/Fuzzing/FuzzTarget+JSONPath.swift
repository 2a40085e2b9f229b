import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// A path or filter, and behind the first line feed a document to ask; without one it is asked of a small one.
    static let jsonPath = FuzzTarget(
        "jsonpath",
        texts: [
            "$..a", "$..[?@.x || @ == 'a' || length(@) > 1]", "$[::-1]", "$..[?match(@, '[a-z]*')]",
            "$[0,'id',-1]['a','b']",
            "items[?@.n >= 1.10 && !@['b']]\n{\"items\":[{\"n\":1.1},{\"n\":2,\"b\":0}]}",
            "$[?count(@..*) > 1]", "$[?search(value(@..x), $.p)]\n{\"p\":\"(a|b)*c\",\"v\":[{\"x\":\"ac\"}]}",
            "$.a[1:3:2]", #"$["\ud83d\ude00\u00e9"]"#, "result.orders", "@.status == 'cancelled'",
            "$[?@<-1e400]",
        ],
        words: [
            "$", "@", "..", "[*]", "[?", "length(", "count(", "match(", "search(", "value(", "&&", "||", "==",
            "!=",
            "<=", ">=", "'a'", "\"a\"", "[::", "\\\\p{L}", "[^", "{2,3}", "null", "true", "-1",
        ]
    ) { input in
        let (first, second) = halves(of: input)
        let text = String(decoding: first, as: UTF8.self)
        let asked = second.isEmpty ? small : second
        let document = try? JSONDocument(parsing: PaddedBytes(asked))
        if let filter = try? JSONFilter(parsing: text), let document { _ = try? document.satisfies(filter) }
        _ = try? IRegexp(parsing: first)
        for isStrict in [true, false] {
            guard let path = try? JSONPath(parsing: text, isStrict: isStrict) else { continue }
            guard (try? JSONPath(parsing: path.text, isStrict: isStrict)) == path else {
                return "a path is another one when it is written and read again"
            }
            if let document, let broken = brokenPromise(of: path, in: document) { return broken }
        }
        return nil
    }

    private static let small = Array(
        #"{"id":1,"a":[{"x":"a"},{"x":"ab","b":null},[],"é"],"b":{"a":[0,1.0,-1e2,true]},"p":"[a-c]+"}"#.utf8)

    private static func brokenPromise(of path: JSONPath, in document: JSONDocument) -> String? {
        guard let nodes = try? document.nodes(at: path) else { return nil }
        for node in nodes where document.text(of: node).isEmpty { return "a selected node has no text" }
        guard path.isSingular else { return nil }
        if nodes.count > 1 { return "a singular path selects several nodes" }
        // The general way must find the same: with a selector that selects nothing the path is no longer singular.
        guard let last = path.segments.last else { return nil }
        let general = JSONPath(
            path.segments.dropLast() + [JSONPath.Segment(last.selectors + [.index(-9_007_199_254_740_991)])])
        guard let found = try? document.nodes(at: general) else { return nil }
        return found.map(\.range) == nodes.map(\.range)
            ? nil : "the fast way finds something else than the general one"
    }
}
