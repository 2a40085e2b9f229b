import RefreshCore

extension FuzzTarget {
    /// The value of a `Link` header, and where its links lead to.
    static let link = FuzzTarget(
        "link",
        texts: [
            #"<https://api.example/items?page=2>; rel="next", <https://api.example/items?page=9>; rel=last"#,
            #"</a/../b?c#d>; rel="prev next"; title="a \"quoted\" one", <?x>;REL=Next;;a=b"#,
            ###"<>; rel=next; anchor="#here""###, "<//[::1]:80/%zz é>;rel*=UTF-8''next",
            "<mailto:a@b>; rel=next,,,<",
        ],
        words: [
            "<", ">;", "rel=", "\"next\"", "anchor=", "https://", "//", "..", "/./", "[::1]", ":443", "%2F",
            "\\\"",
            "title*=", "?", "#", "@",
        ]
    ) { input in
        let value = String(decoding: input, as: UTF8.self)
        guard let base = try? WebURL(parsing: "https://api.example/v1/items?page=1") else { return "no base" }
        for link in LinkHeader.links(in: value) {
            for name in link.parameters.map(\.name) where link.parameter(name) == nil {
                if link.parameters.first(where: { $0.name == name })?.value != nil {
                    return "a parameter is not found by its name"
                }
            }
            _ = link.relations
            _ = try? link.context(from: base)
            guard let target = try? link.target(from: base) else { continue }
            if let broken = brokenPromise(of: target) { return broken }
        }
        let headers = HTTPHeaders([("Link", value)])
        if let next = LinkHeader.first(relation: "next", in: headers, base: base),
            !next.isOf(relation: "NEXT")
        {
            return "the next link is none"
        }
        return nil
    }

    private static func brokenPromise(of url: WebURL) -> String? {
        guard let again = try? WebURL(parsing: url.description) else {
            return "an address is refused as it is written"
        }
        if again != url { return "an address is another one when it is written and read again" }
        let isPlain = url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain ? nil : "an address holds blanks, control characters or bytes beyond ASCII"
    }
}
