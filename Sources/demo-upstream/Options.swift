/// The command line.
struct Options: Equatable {
    enum Failure: Error, Equatable {
        case usage(String)
    }

    /// Fixed by default, so that a configuration can name it.
    var port: UInt16 = 8_787
    var wantsHelp = false

    static let help = """
        demo-upstream: a small web server that makes up data for refreshd to fetch

        usage: demo-upstream [--port N]

          --port N   the port on 127.0.0.1, 8787 by default; 0 takes any free one

        It stays in the foreground and ends on SIGTERM or SIGINT. While it runs, / explains all of this:

          /shop/products.json /news.atom /tickets /archive   what it makes up
          GET /stats, POST /stats/reset                      what was asked of it
          GET /control, POST /control?mode=MODE              how it behaves: normal, fail (status, retry_after),
                                                             slow (ms) or vanish; for one document with path

          curl -X POST 'http://127.0.0.1:8787/control?path=/news.atom&mode=fail&status=503&retry_after=10'

        """

    init(_ arguments: some Sequence<String>) throws(Failure) {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": wantsHelp = true
            case "--port":
                guard let number = rest.popFirst().flatMap({ UInt16($0) }) else {
                    throw .usage("--port needs a number from 0 to 65535")
                }
                port = number
            default: throw .usage("unknown option \"\(word)\"; see demo-upstream --help")
            }
        }
    }
}
