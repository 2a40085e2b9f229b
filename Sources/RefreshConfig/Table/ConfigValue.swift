import RefreshCore

/// A value that was read and found right by its key's shape alone.
indirect enum ConfigValue: Equatable, Sendable {
    case flag(Bool)
    case text(String)
    case whole(Int)
    case duration(Duration)
    /// `off` where a duration could be.
    case off
    case size(ByteCount)
    /// 0 to 1.
    case share(Double)
    /// Permission bits.
    case mode(UInt32)
    case url(WebURL)
    case paths([JSONPath])
    case headers(HTTPHeaders)
    case block(Section)
    case named([NamedSection])
}

/// A block under a name that the user chose.
struct NamedSection: Equatable, Sendable {
    let name: String
    let place: SourcePlace
    let section: Section
}

/// A value with the place it was written at.
struct Setting: Equatable, Sendable {
    let value: ConfigValue
    /// Of its key.
    let keyPlace: SourcePlace
    let place: SourcePlace
}

/// What one block of the file says, and nothing of what it leaves out.
struct Section: Equatable, Sendable {
    private(set) var settings: [String: Setting] = [:]
    /// Keys that were written, but not so that they could be read.
    private(set) var refused: Set<String> = []

    subscript(name: String) -> Setting? {
        get { settings[name] }
        set { settings[name] = newValue }
    }

    mutating func refuse(_ name: String) { refused.insert(name) }

    /// This block with what `defaults` says where it is silent, block by block.
    func over(_ defaults: Section) -> Section {
        var result = self
        result.refused.formUnion(defaults.refused)
        for (name, theirs) in defaults.settings {
            guard let ours = settings[name] else {
                result.settings[name] = theirs
                continue
            }
            if case .block(let own) = ours.value, case .block(let other) = theirs.value {
                result.settings[name] = Setting(
                    value: .block(own.over(other)), keyPlace: ours.keyPlace, place: ours.place)
            }
        }
        return result
    }
}

extension ConfigValue {
    /// The value as somebody would write it in the file; nil for blocks.
    var text: String? {
        switch self {
        case .flag(let value): value ? "true" : "false"
        case .text(let text): text
        case .whole(let number): "\(number)"
        case .duration(let duration): DurationText.format(duration)
        case .off: "off"
        case .size(let size): size.text
        case .share(let share): ConfigValue.percent(share)
        case .mode(let bits): "0" + String(bits, radix: 8)
        case .url(let url): "\(url)"
        case .paths(let paths):
            paths.count == 1 ? paths[0].text : "[\(paths.map(\.text).joined(separator: ", "))]"
        case .headers, .block, .named: nil
        }
    }
    /// To a hundredth of a percent. (`rounded()` would want the C library's mathematics.)
    private static func percent(_ share: Double) -> String {
        let hundredths = Int(share * 10_000 + 0.5)
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)%" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
