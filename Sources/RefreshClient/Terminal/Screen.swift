import CLinux
import Glibc

/// A terminal that is drawn on as a whole, and that is as it was before once this ends.
///
/// Frames are put over each other, line by line, and leave in one write: nothing is blank in between, and nothing
/// flickers.
struct Screen {
    /// The size of a terminal.
    struct Size: Equatable, Sendable {
        let columns: Int
        let rows: Int
    }

    private let output: Output
    private let input: Int32
    private let saved: termios?

    /// The other buffer, without a cursor (xterm's control sequences).
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"
    /// Terminals that know of it show what is in between at once.
    private static let begin = "\u{1B}[?2026h\u{1B}[H"
    private static let end = "\u{1B}[J\u{1B}[?2026l"
    /// Behind a line: whatever the frame before had there.
    private static let clearLine = "\u{1B}[K"

    /// Takes the terminal; keys come at once, and are not shown.
    init(output: Output, input: Int32 = STDIN_FILENO) throws(ClientFailure) {
        self.output = output
        self.input = input
        var found = termios()
        if isatty(input) == 1, unsafe tcgetattr(input, &found) == 0 {
            saved = found
            var raw = found
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
            // Where it fails keys come line by line.
            _ = unsafe tcsetattr(input, TCSANOW, &raw)
        } else {
            saved = nil
        }
        try output.write(Array(Screen.enter.utf8))
    }

    /// Gives the terminal back.
    func close() {
        // A terminal that is gone needs nothing back.
        _ = try? output.write(Array(Screen.leave.utf8))
        guard var saved else { return }
        _ = unsafe tcsetattr(input, TCSANOW, &saved)
    }

    /// Shows `lines`, as many as there are rows, each narrower than the terminal.
    func show(_ lines: [String], rows: Int) throws(ClientFailure) {
        try output.write(Array(Screen.frame(lines, rows: rows).utf8))
    }

    /// What is sent for a frame.
    static func frame(_ lines: [String], rows: Int) -> String {
        begin + lines.prefix(max(1, rows)).map { $0 + clearLine }.joined(separator: "\r\n") + end
    }
}
