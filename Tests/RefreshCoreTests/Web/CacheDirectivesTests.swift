import RefreshCore
import Testing

@Suite("Cache-Control") struct CacheDirectivesTests {
    private func directives(_ fields: String...) -> CacheDirectives {
        CacheDirectives(headers: HTTPHeaders(fields.map { ("cache-control", $0) }))
    }

    @Test(
        "gives an age of seconds, zero where it is unclear",
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=60", 60), ("public,max-age=60 , x", 60), ("max-age=\"60\"", 60),
            ("max-age=060", 60), ("max-age=0", 0), ("max-age=-1", 0), ("max-age=a", 0), ("max-age=1.5", 0),
            ("max-age=", 0), ("max-age", 0), ("max-age = 60", nil), ("max-age= 60", 0),
            ("max-age=60, max-age=30", 30),
            ("max-age=2147483648", 1 << 31), ("max-age=99999999999999999999", 1 << 31), ("s-maxage=60", nil),
            ("x-max-age=60", nil), ("a=\"max-age=60, max-age=5\"", nil),
            ("a=\"\\\", max-age=5\", max-age=7", 7), ("", nil),
            ("a=\"", nil), ("a=\"\\", nil), (",,", nil),
        ])
    func maxAge(field: String, seconds: Int?) {
        #expect(directives(field).maxAge == seconds.map { .seconds($0) })
    }

    @Test("names what must not be kept or served unasked")
    func flags() {
        let all = directives("No-Store", "no-cache=\"set-cookie\", MUST-REVALIDATE")
        #expect(all.noStore && all.noCache && all.mustRevalidate)
        let none = directives("no-storage, no-caches, must-revalidate-not, private")
        #expect(!none.noStore && !none.noCache && !none.mustRevalidate)
        #expect(CacheDirectives(headers: HTTPHeaders([("Pragma", "no-cache")])) == directives())
    }

    @Test("in several fields is one list")
    func severalFields() {
        let both = directives("max-age=60", "no-cache")
        #expect(both.maxAge == .seconds(60) && both.noCache)
    }
}
