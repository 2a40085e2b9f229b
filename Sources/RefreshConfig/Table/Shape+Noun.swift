extension Shape {
    /// What is due, for "must be …".
    var noun: String {
        switch self {
        case .flag: "true or false"
        case .text, .fieldValue: "text"
        case .token: "a word"
        case .method: "a method such as POST"
        case .filePath, .socketPath: "a path"
        case .word(let words): Shape.list(words)
        case .adapter: Shape.list(FeedTable.builtInAdapters) + ", or a plugin's name"
        case .whole: "a whole number"
        case .number: "a number"
        case .duration(_, let canBeOff): "a duration such as 30s or 5m" + (canBeOff ? ", or off" : "")
        case .size: "a size such as 64KiB or 8MiB"
        case .share: "a share such as 10%"
        case .mode: "permission bits such as 0660"
        case .rate: "a rate such as 60/1m"
        case .url, .requestURL: "a URL such as https://host/path"
        case .cron: "five fields such as 15 4 * * 1-5"
        case .zone: "a zone such as Europe/Berlin"
        case .start: "a value to begin with, or how long ago, such as 30d"
        case .character(let word): "one character, or \(word)"
        default: otherNoun
        }
    }

    private var otherNoun: String {
        switch self {
        case .path: "a JSONPath such as result.items"
        case .pathList: "a list of JSONPaths"
        case .bodyPath: "a path such as result.items"
        case .bodyPaths: "a path such as id, or a list of them"
        case .readPlace: "a path, or {header: NAME}"
        case .sendPlace: "{param: NAME}, {header: NAME} or {body: PATH}"
        case .tokenPlace: "a path, {header: NAME} or {cookie: NAME}"
        case .filter: "a condition such as \"@.state == 'open'\""
        case .secret: "text, {file: PATH}, {env: NAME} or {cred: NAME}"
        case .template: "text"
        case .params: "a mapping of parameters to values"
        case .headers: "a mapping of header names to values"
        case .jsonTemplate, .json: "a value"
        case .texts: "a list of texts"
        case .words(let words): "a list of \(Shape.list(words))"
        case .wholes: "a list of whole numbers"
        case .statuses: "a list of statuses such as 404 or 5xx"
        case .command: "a list of a program and its arguments"
        case .feedNames: "a list of feeds"
        case .block, .map: "a mapping"
        case .choice(let choice): "a mapping with \"type\" " + Shape.list(choice.names)
        case .either(let words, _): Shape.list(words + ["a mapping"])
        case .list: "a list of mappings"
        default: "a value"
        }
    }

    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
