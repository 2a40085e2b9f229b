import RefreshConfig
import RefreshCore
import RefreshEngine

/// What is told of the configuration.
extension ControlText {
    static func answer(_ verdict: ConfigurationVerdict) -> Answer {
        var text = JSONText(reserving: 512)
        text.object { text in
            text.member("file", verdict.file)
            text.member("valid", verdict.errors.isEmpty)
            text.member("feeds", verdict.feeds)
            for (name, faults) in [("errors", verdict.errors), ("warnings", verdict.warnings)] {
                text.name(name.utf8)
                text.array { text in
                    for fault in faults { text.fault(fault) }
                }
            }
        }
        return uncached(text)
    }

    static func answer(_ running: RunningConfiguration, _ wish: ConfigurationWish) -> Answer {
        let overview = running.overview
        var text = JSONText(reserving: 16_384)
        text.object { text in
            text.member("generation", running.generation)
            text.member("file", running.file)
            text.member("loaded_at", running.loadedAt)
            for (name, lines) in [
                ("daemon", overview.daemon), ("budgets", overview.budgets), ("plugins", overview.plugins),
            ] {
                text.name(name.utf8)
                write(lines, wish, to: &text)
            }
            var told = 0
            text.name("feeds")
            text.array { text in
                // A page of feeds ends early like any other.
                while told < overview.feeds.count, text.bytes.count < Endpoints.largestPage {
                    let feed = overview.feeds[told]
                    told += 1
                    text.object { text in
                        text.member("feed", feed.feed.name)
                        text.name("values")
                        write(feed.lines, wish, to: &text)
                    }
                }
            }
            let hasMore = overview.hasMore || told < overview.feeds.count
            text.member("cursor", hasMore ? overview.feeds[..<told].last?.feed.name : nil)
            text.member("has_more", hasMore)
        }
        return uncached(text)
    }

    private static func write(
        _ lines: [Explanation.Line], _ wish: ConfigurationWish, to text: inout JSONText
    ) {
        text.array { text in
            for line in lines where wish.includesDefaults || !line.isDefault {
                text.object { text in
                    text.member("path", line.path)
                    text.member("value", line.value)
                    text.member("origin", line.origin)
                    text.member("default", line.isDefault)
                }
            }
        }
    }
}
