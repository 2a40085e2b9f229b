/// A curve of a few characters.
package enum Sparkline {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// In the place of a value that there is none of.
    private static let missing: Character = "×"

    /// The last `columns` of `values`, each as a bar of the height that it has beside the highest of them.
    package static func text(_ values: [Double?], columns: Int) -> String {
        let shown = values.suffix(max(0, columns))
        let highest = shown.compactMap { $0 }.max() ?? 0
        return String(shown.map { $0.map { bar($0, of: highest) } ?? missing })
    }

    private static func bar(_ value: Double, of highest: Double) -> Character {
        guard highest > 0, value > 0 else { return bars[0] }
        let level = Int((value / highest * Double(bars.count)).rounded(.up)) - 1
        return bars[min(max(level, 0), bars.count - 1)]
    }
}
