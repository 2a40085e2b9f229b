import RefreshCore

/// A value that was read and found right by its key's shape alone.
indirect enum ConfigValue: Equatable, Sendable {
    case flag(Bool)
    case text(String)
    case whole(Int)
    case number(Double)
    case duration(Duration)
    /// `off` where a duration could be.
    case off
    case size(ByteCount)
    /// 0 to 1.
    case share(Double)
    /// Permission bits.
    case mode(UInt32)
    case rate(Rate)
    case url(WebURL)
    case cron(Cron)
    case zone(Zone)
    case start(IncrementalPlan.Start)
    case paths([JSONPath])
    case bodyPaths([WrittenText])
    case readPlace(DraftReadPlace)
    case sendPlace(SendPlace)
    case tokenPlace(SessionPlan.TokenPlace)
    case filter(JSONFilter)
    case secret(SecretSource)
    case template(DraftTemplate)
    case params([DraftParam])
    case headers([DraftHeader])
    case draft(DraftJSON)
    /// JSON text.
    case json(String)
    case texts([String])
    case wholes([Int])
    case statuses([ErrorRule.Status])
    case block(Section)
    case map([NamedSetting])
    case list([Section])
}

/// A value under a name that the user chose.
struct NamedSetting: Equatable, Sendable {
    let name: String
    let setting: Setting
}

/// A value with the place it was written at.
struct Setting: Equatable, Sendable {
    let value: ConfigValue
    /// Of its key.
    let keyPlace: SourcePlace
    let place: SourcePlace
    /// Who said it.
    var origin = Origin.feed

    enum Origin: Equatable, Sendable {
        case feed
        case fragment(String)
        case defaults
    }
}
