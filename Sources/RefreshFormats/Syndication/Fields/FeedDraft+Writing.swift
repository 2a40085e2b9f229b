import RefreshCore

/// The feed as JSON (refresh policy 2.8).
extension FeedDraft {
    func json(warnings: [SyndicationWarning]) -> [UInt8] {
        var writer = RecordWriter()
        writer.object { writer in
            writer.member("format", format)
            writer.member("id", id)
            writeTexts(to: &writer)
            writer.member("site_url", siteURL)
            writer.member("self_url", selfURL)
            writer.member("next_url", nextURL)
            writeParts(to: &writer)
            writeHints(to: &writer)
            writer.member("complete", ifTrue: isComplete)
            writer.member("expired", ifTrue: hints.isExpired)
            writer.array("hubs", hubs) { $1.write(to: &$0) }
            extensions.write(to: &writer)
            writer.array("warnings", warnings) { writer, warning in
                writer.object { writer in
                    writer.member("code", warning.code.rawValue)
                    writer.member("line", warning.line)
                }
            }
        }
        return writer.bytes
    }

    /// As the source of an entry: a JSON object.
    func sourceJSON() -> [UInt8] {
        var writer = RecordWriter()
        writer.object { writer in
            writer.member("id", id)
            writer.member("url", siteURL.isEmpty ? selfURL : siteURL)
            writeTexts(to: &writer)
            writeParts(to: &writer)
            extensions.write(to: &writer)
        }
        return writer.bytes
    }

    private func writeTexts(to writer: inout RecordWriter) {
        title.write(to: &writer, as: "title", "title_html")
        subtitle.write(to: &writer, as: "subtitle", "subtitle_html")
        description.write(to: &writer, as: "description", "description_html")
    }

    private func writeParts(to writer: inout RecordWriter) {
        writer.member("language", language.isEmpty ? partLanguage : language)
        writer.member("icon", icon)
        writer.member("image", image)
        writer.array("authors", authors.isEmpty && !webMaster.isEmpty ? [webMaster] : authors) {
            $1.write(to: &$0)
        }
        writer.array("categories", categories) { $1.write(to: &$0) }
        writer.array("links", links) { $1.write(to: &$0) }
        rights.write(to: &writer, as: "rights", "rights_html")
        writer.member("generator", generator)
        writer.member("published_at", publishedRaw.isEmpty ? nil : FeedDate.timestamp(publishedRaw))
        writer.member("published_raw", publishedRaw)
        writer.member("updated_at", updatedRaw.isEmpty ? nil : FeedDate.timestamp(updatedRaw))
        writer.member("updated_raw", updatedRaw)
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
