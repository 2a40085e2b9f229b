import RefreshCore

extension Form where Value == JSONPath {
    static func path(singular: Bool) -> Form {
        Form(
            shape: .path(singular: singular),
            take: { if case .paths(let paths) = $0 { paths.first } else { nil } }, make: { .paths([$0]) })
    }
}

extension Form where Value == [JSONPath] {
    static let pathList = Form(
        shape: .pathList, take: { if case .paths(let paths) = $0 { paths } else { nil } },
        make: { .paths($0) })
}

extension Form where Value == WrittenText {
    static func bodyPath(singular: Bool) -> Form {
        Form(
            shape: .bodyPath(singular: singular),
            take: { if case .bodyPaths(let paths) = $0 { paths.first } else { nil } },
            make: { .bodyPaths([$0]) })
    }
}

extension Form where Value == [WrittenText] {
    static let bodyPaths = Form(
        shape: .bodyPaths, take: { if case .bodyPaths(let paths) = $0 { paths } else { nil } },
        make: { .bodyPaths($0) })
}

extension Form where Value == DraftReadPlace {
    static let readPlace = Form(
        shape: .readPlace, take: { if case .readPlace(let place) = $0 { place } else { nil } },
        make: { .readPlace($0) })
}

extension Form where Value == SendPlace {
    static let sendPlace = Form(
        shape: .sendPlace, take: { if case .sendPlace(let place) = $0 { place } else { nil } },
        make: { .sendPlace($0) })
}

extension Form where Value == SessionPlan.TokenPlace {
    static let tokenPlace = Form(
        shape: .tokenPlace, take: { if case .tokenPlace(let place) = $0 { place } else { nil } },
        make: { .tokenPlace($0) })
}

extension Form where Value == JSONFilter {
    static let filter = Form(
        shape: .filter, take: { if case .filter(let filter) = $0 { filter } else { nil } },
        make: { .filter($0) })
}

extension Form where Value == [ErrorRule.Status] {
    static let statuses = Form(
        shape: .statuses, take: { if case .statuses(let statuses) = $0 { statuses } else { nil } },
        make: { .statuses($0) })
}

extension Form where Value == Section {
    static func block(_ block: Block) -> Form {
        Form(
            shape: .block(block), take: { if case .block(let section) = $0 { section } else { nil } },
            make: { .block($0) })
    }

    static func choice(_ choice: Choice) -> Form {
        Form(
            shape: .choice(choice), take: { if case .block(let section) = $0 { section } else { nil } },
            make: { .block($0) })
    }
}

/// What stands where a word or a block may.
enum WordOrBlock: Equatable, Sendable {
    case word(String)
    case block(Section)
}

extension Form where Value == WordOrBlock {
    static func either(_ words: [String], _ block: Block) -> Form {
        Form(
            shape: .either(words, block),
            take: { value in
                switch value {
                case .text(let word): .word(word)
                case .block(let section): .block(section)
                default: nil
                }
            },
            make: { value in
                switch value {
                case .word(let word): .text(word)
                case .block(let section): .block(section)
                }
            })
    }
}

extension Form where Value == [NamedSetting] {
    static func map(_ names: NameRule, _ shape: Shape) -> Form {
        Form(
            shape: .map(names, shape), take: { if case .map(let settings) = $0 { settings } else { nil } },
            make: { .map($0) })
    }
}

extension Form where Value == [Section] {
    static func list(_ block: Block) -> Form {
        Form(
            shape: .list(block), take: { if case .list(let sections) = $0 { sections } else { nil } },
            make: { .list($0) })
    }
}
