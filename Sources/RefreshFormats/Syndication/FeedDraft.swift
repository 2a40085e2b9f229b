import RefreshCore

/// What is known of the feed itself.
struct FeedDraft {
    var format = ""
    var id: [UInt8] = []
    var title = TextConstruct()
    var subtitle = TextConstruct()
    var description = TextConstruct()
    var rights = TextConstruct()
    var siteURL: [UInt8] = []
    var selfURL: [UInt8] = []
    var nextURL: [UInt8] = []
    var language: [UInt8] = []
    var icon: [UInt8] = []
    var image: [UInt8] = []
    var generator: [UInt8] = []
    var publishedRaw: [UInt8] = []
    var updatedRaw: [UInt8] = []
    var authors: [FeedPerson] = []
    var categories: [FeedCategory] = []
    var hubs: [FeedHub] = []
    var hints = SyndicationHints()
    var updatePeriod: [UInt8] = []
    var updateFrequency = 1

    /// The feed as JSON (refresh policy 2.8).
    func json(warnings: [SyndicationWarning]) -> [UInt8] {
        var writer = RecordWriter()
        writer.object { writer in
            writer.member("format", format)
            writer.member("id", id)
            title.write(to: &writer, as: "title", "title_html")
            subtitle.write(to: &writer, as: "subtitle", "subtitle_html")
            description.write(to: &writer, as: "description", "description_html")
            writer.member("site_url", siteURL)
            writer.member("self_url", selfURL)
            writer.member("next_url", nextURL)
            writer.member("language", language)
            writer.member("icon", icon)
            writer.member("image", image)
            writer.array("authors", authors) { $1.write(to: &$0) }
            writer.array("categories", categories) { $1.write(to: &$0) }
            rights.write(to: &writer, as: "rights", "rights_html")
            writer.member("generator", generator)
            writer.member("published_at", Timestamp(feedDate: publishedRaw))
            writer.member("updated_at", Timestamp(feedDate: updatedRaw))
            writeHints(to: &writer)
            writer.member("expired", ifTrue: hints.isExpired)
            writer.array("hubs", hubs) { $1.write(to: &$0) }
            writer.array("warnings", warnings) { writer, warning in
                writer.object { writer in
                    writer.member("code", warning.code.rawValue)
                    writer.member("line", warning.line)
                }
            }
        }
        return writer.bytes
    }

    private func writeHints(to writer: inout RecordWriter) {
        writer.member("ttl_s", hints.ttl.map { Int($0.components.seconds) })
        writer.member("update_period_s", hints.updatePeriod.map { Int($0.components.seconds) })
        for (name, numbers) in [
            ("skip_hours" as StaticString, hints.skipHours), ("skip_days", hints.skipDays),
        ] where !numbers.isEmpty {
            writer.name(name)
            writer.array { writer in
                for number in numbers { writer.raw(Array(String(number).utf8)[...]) }
            }
        }
    }
}
