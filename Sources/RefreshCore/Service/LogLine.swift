/// How a record looks: always one line, whatever is in it.
package enum LogLine {
    /// The journal cuts lines at 48 KiB and would take what follows for a record of its own (journald.conf(5)).
    private static let longest = 8_192

    /// The line of a record, with its end.
    ///
    /// - Parameter format: `auto` counts as `text`; only the program knows what it writes to.
    package static func bytes(
        _ level: LogLevel, _ message: String, at time: Timestamp, format: LogFormat
    ) -> [UInt8] {
        switch format {
        // The prefix is the journal's priority (sd-daemon(3)); it adds the time itself.
        case .journal: return Array("<\(level.rawValue)>\(safe(message))\n".utf8)
        case .text, .auto: return Array("\(time.rfc3339) refreshd: \(name(level))\(safe(message))\n".utf8)
        case .json:
            var json = JSONText(reserving: message.utf8.count + 80)
            json.object { json in
                json.name("time")
                json.string(time.rfc3339)
                json.name("level")
                json.string("\(level)")
                json.name("message")
                json.string(cut(message))
            }
            return Array(SafeText.json(json.text).utf8) + [0x0A]
        }
    }

    /// Of what is usual nothing is said.
    private static func name(_ level: LogLevel) -> String { level == .info ? "" : "\(level): " }

    private static func safe(_ message: String) -> String { SafeText.escaped(cut(message)) }

    private static func cut(_ message: String) -> String {
        guard message.utf8.count > longest else { return message }
        var end = message.utf8.index(message.utf8.startIndex, offsetBy: longest)
        while String.Index(end, within: message.unicodeScalars) == nil {
            end = message.utf8.index(before: end)
        }
        return message[..<end] + "…"
    }
}
