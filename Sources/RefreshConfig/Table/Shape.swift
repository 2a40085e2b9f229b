import RefreshCore

/// What may stand behind a key: read by the validator, told to people in messages and in the reference, and written
/// out for editors as JSON Schema.
indirect enum Shape: Sendable {
    // Scalars.
    case flag
    /// Text for people.
    case text
    /// Text that becomes the value of a header field.
    case fieldValue
    /// One word: the name of a thing that others have named.
    case token
    case method
    /// The path of a file or folder; relative ones start at the folder of the file that names them.
    case filePath
    /// As `filePath`, short enough for the address of a Unix socket.
    case socketPath
    case word([String])
    /// The name of an adapter: one that is built in, or a plugin's.
    case adapter
    case whole(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case duration(ClosedRange<Duration>, canBeOff: Bool = false)
    case size(ClosedRange<ByteCount>)
    case share
    case mode
    case rate
    case url
    case cron
    case zone
    /// A moment, a value, or how long ago to begin.
    case start
    /// One character, or a word that stands for none.
    case character(word: String)

    // Places and conditions.
    /// A JSONPath; a singular one selects one value at most.
    case path(singular: Bool)
    case pathList
    /// A path in the language of the feed's adapter.
    case bodyPath(singular: Bool)
    case bodyPaths
    /// A header field, or a path in the language of the feed's adapter.
    case readPlace
    case sendPlace
    /// Where a login's answer has its token: a path, a header field or a cookie.
    case tokenPlace
    case filter
    case secret(isPublic: Bool)

    // Texts with placeholders.
    case requestURL(RequestRole)
    case template(RequestRole)
    case params(RequestRole)
    case headers(RequestRole)
    case jsonTemplate(RequestRole)
    /// Any value, handed on as JSON.
    case json

    // Lists.
    case texts
    case words([String])
    case wholes(ClosedRange<Int>)
    case statuses
    /// A program and its arguments.
    case command
    case feedNames

    // Mappings.
    case block(Block)
    case choice(Choice)
    /// A word, or a block in its place.
    case either([String], Block)
    /// Values under names that the user chose.
    case map(NameRule, Shape)
    case list(Block)
}

/// What names the user may choose.
enum NameRule: Sendable {
    case feed
    /// Of a plugin, a budget, a fragment, an action.
    case thing(String)
    /// Of a variable.
    case variable
    /// Of a member of a record; `[]` at its end asks for all.
    case field
    /// Any text.
    case any(String)

    /// What it names, for messages.
    var noun: String {
        switch self {
        case .feed: "a feed"
        case .thing(let noun), .any(let noun): noun
        case .variable: "a variable"
        case .field: "a field"
        }
    }
}

extension Shape {
    /// The blocks right below, with what stands between this key and their keys.
    var blocks: [(path: [String], block: Block)] {
        switch self {
        case .block(let block), .either(_, let block): [([], block)]
        case .choice(let choice): choice.kinds.map { ([], choice.block(of: $0)) }
        case .list(let block): [(["[0]"], block)]
        case .map(_, let inner): inner.blocks.map { (["NAME"] + $0.path, $0.block) }
        default: []
        }
    }

    /// Whether it is written as a mapping.
    var isMapping: Bool {
        switch self {
        case .block, .choice, .map, .params, .headers: true
        default: false
        }
    }
}
