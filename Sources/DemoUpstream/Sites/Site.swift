import RefreshCore

/// Everything that the demo upstream makes up, by path.
package struct Site: Sendable {
    /// The documents that are counted and can be made to misbehave.
    static let paths = ["/shop/products.json", "/news.atom", "/tickets", "/archive"]

    private let shop: Shop
    private let news: News
    private let tickets: Tickets
    private let archive: Archive

    package init(seed: UInt64 = 1) {
        shop = Shop(seed: seed)
        news = News(seed: seed)
        tickets = Tickets(seed: seed)
        archive = Archive(seed: seed)
    }

    /// What stands at `path` at `now`; nil where nothing does.
    func document(at path: String, _ query: Query = Query([]), now: Timestamp) -> Document? {
        switch path {
        case "/": Document(type: "text/plain; charset=utf-8", body: Array(Site.welcome.utf8))
        case "/shop/products.json": shop.products(at: now)
        case "/news.atom": news.feed(at: now)
        case "/tickets": tickets.list(query, at: now)
        case "/archive": archive.list(query)
        default: nil
        }
    }

    private static let welcome = """
        This is the demo upstream of refreshd: a small web server that makes up data.

          /shop/products.json   a price list; something changes every few seconds
          /news.atom            news in Atom; a new entry about every minute
          /tickets              a list with change tokens: follow ?page_token= with the next_page_token of the
                                answer, then ask ?sync_token= with its next_sync_token for what changed since;
                                410 to a token that is unknown or older than an hour
          /archive              487 old orders, ?page=1&per_page=50, up to 100 on a page; the total in X-Total,
                                the other pages in Link

        All have an ETag and answer 304 to a request that holds it. What a moment shows depends on nothing but the
        moment; a restart changes nothing.

          GET  /stats           what was asked for since the start, by document
          POST /stats/reset     counts anew
          GET  /control         how the documents are told to behave
          POST /control?mode=…  tells one document with &path=/news.atom, all without:
                                  mode=fail&status=503&retry_after=10   fails; 503 where no status is given
                                  mode=slow&ms=3000                     answers late
                                  mode=vanish                           hangs up without an answer
                                  mode=normal                           behaves again
                                the last word counts, and is forgotten at the end of the program

          curl -X POST 'http://127.0.0.1:8787/control?path=/news.atom&mode=fail&status=503'

        A request with an Origin header, as the pages in a browser send, cannot change anything.

        """
}
