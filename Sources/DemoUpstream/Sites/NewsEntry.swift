import RefreshCore

/// One piece of news; its number says everything else.
struct NewsEntry: Sendable, Equatable {
    let number: Int64
    let published: Timestamp
    /// When it was corrected, where that has happened by now.
    let corrected: Timestamp?
    let title: String

    var updated: Timestamp { corrected ?? published }

    func write(to text: inout String) {
        let shown = corrected == nil ? title : "\(title) (corrected)"
        text += """
              <entry>
                <id>tag:demo.invalid,2026:news/\(number)</id>
                <title>\(shown)</title>
                <link href="http://demo.invalid/news/\(number)"/>
                <published>\(published.rfc3339)</published>
                <updated>\(updated.rfc3339)</updated>
                <summary>\(shown). This is number \(number).</summary>
              </entry>

            """
    }
}
