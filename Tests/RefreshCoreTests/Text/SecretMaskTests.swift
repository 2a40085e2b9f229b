import RefreshCore
import Testing

// dlt-hub/dlt#2856, #1474, influxdata/telegraf#4509, airbytehq/airbyte#13644, #15684.
@Suite("Masks over secrets") struct SecretMaskTests {
    @Test(
        "cover the longest secret that stands there, and no text for a short one",
        arguments: [
            ("see x1y2z3 and x1y2.", "see *** and ***."), ("x1y2z", "***z"), ("nothing", "nothing"),
            ("x1y2x1y2z3", "******"), ("a b c", "a b c"), ("", ""), ("abc", "abc"),
        ])
    func covers(_ text: String, _ masked: String) {
        #expect(SecretMask(["x1y2", "x1y2z3", "", "abc", "a"]).masked(text) == masked)
    }

    @Test("leave no part of two secrets that overlap")
    func overlap() {
        let mask = SecretMask(["abcdef", "efghij", "ijklmn"])
        #expect(mask.masked("-abcdefghijklmn-") == "-***-")
        #expect(mask.masked("-efghij-") == "-***-")
    }

    @Test(
        "know a secret in a URL, a form, and JSON",
        arguments: [
            "?key=p%40ss%20w%2Ford%25%22", "?key=p%40ss%20w%2ford%25%22", "key=p%40ss+w%2Ford%25%22&",
            "?key=p@ss%20w/ord%25%22", #"{"key":"p@ss w/ord%\""}"#, "p@ss w/ord%\"",
        ])
    func spellings(_ text: String) {
        let masked = SecretMask(["p@ss w/ord%\""]).masked(text)
        #expect(masked.contains(SecretMask.cover) && !masked.contains("ord"))
    }

    @Test(
        "know a secret in Base64, wherever it stands",
        arguments: ["", "u:", "user:", "someone:"], ["", "x", "xy", "tail"])
    func base64(_ before: String, _ behind: String) {
        let secret = "s3cret>?~value"
        let mask = SecretMask([secret])
        let bytes = Array("\(before)\(secret)\(behind)".utf8)
        for text in [Base64.encode(bytes), Base64URL.encode(bytes)] {
            let masked = mask.masked("Basic \(text)")
            #expect(masked.contains(SecretMask.cover))
            // What is left are the letters that the secret's neighbours decide too.
            #expect(masked.utf8.count <= 6 + 3 + (before.utf8.count + behind.utf8.count) * 4 / 3 + 6)
        }
    }

    @Test("cover the message of a failure and leave its facts")
    func failures() {
        let failure = RefreshFailure(
            .upstream, code: "http-400", detail: "no key \"s3cret\" at /?k=s3cret", status: 400,
            retryAfter: .seconds(1))
        let masked = SecretMask(["s3cret"]).masked(failure)
        #expect(masked.detail == "no key \"***\" at /?k=***")
        #expect(masked.code == failure.code && masked.status == 400 && masked.retryAfter == .seconds(1))
    }

    @Test("never leave a secret in random text")
    func random() {
        var random = Randomness(seed: 7)
        for _ in 0..<500 {
            let secrets = (0..<3).map { _ in
                String(
                    (0..<Int.random(in: 4..<9, using: &random)).map { _ in
                        "ab%é+".randomElement(using: &random)!
                    })
            }
            let mask = SecretMask(secrets)
            let text = (0..<6).map { _ in
                Bool.random(using: &random) ? secrets.randomElement(using: &random)! : "a%"
            }.joined()
            let masked = mask.masked(text)
            for secret in secrets where secret.utf8.count >= 4 {
                // Bytes, since combining marks may merge with what stands beside them.
                let hay = Array(masked.utf8)
                let needle = Array(secret.utf8)
                let found = hay.indices.contains { hay[$0...].starts(with: needle) }
                #expect(!found, "\(secret) in \(masked)")
            }
        }
    }
}
