import RefreshCore

extension Form where Value == Bool {
    static let flag = Form(
        shape: .flag, take: { if case .flag(let value) = $0 { value } else { nil } }, make: { .flag($0) })
}

extension Form where Value == String {
    static let text = words(.text)
    static let fieldValue = words(.fieldValue)
    static let filePath = words(.filePath)
    static let socketPath = words(.socketPath)

    private static func words(_ shape: Shape) -> Form {
        Form(shape: shape, take: { if case .text(let text) = $0 { text } else { nil } }, make: { .text($0) })
    }
}

extension Form where Value: CaseIterable {
    /// The cases of an enum by their names; `later` are words that this version does not do.
    static func oneOf(later: [String] = [], name: @escaping @Sendable (Value) -> String) -> Form {
        Form(
            shape: .word(Value.allCases.map(name), later: later),
            take: { value in
                guard case .text(let text) = value else { return nil }
                return Value.allCases.first { name($0) == text }
            },
            make: { .text(name($0)) })
    }
}

extension Form where Value == Int {
    static func whole(_ range: ClosedRange<Int>) -> Form {
        Form(
            shape: .whole(range), take: { if case .whole(let number) = $0 { number } else { nil } },
            make: { .whole($0) })
    }
}

extension Form where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> Form {
        Form(
            shape: .duration(range), take: { if case .duration(let value) = $0 { value } else { nil } },
            make: { .duration($0) })
    }
}

extension Form where Value == Duration? {
    /// A duration, or `off`, which is nil.
    static func durationOrOff(_ range: ClosedRange<Duration>) -> Form {
        Form(
            shape: .duration(range, canBeOff: true),
            take: { value in
                switch value {
                case .duration(let duration): .some(.some(duration))
                case .off: .some(.none)
                default: .none
                }
            },
            make: { $0.map { .duration($0) } ?? .off })
    }
}

extension Form where Value == ByteCount {
    static func size(_ range: ClosedRange<ByteCount>) -> Form {
        Form(
            shape: .size(range), take: { if case .size(let size) = $0 { size } else { nil } },
            make: { .size($0) })
    }
}

extension Form where Value == Double {
    static let share = Form(
        shape: .share, take: { if case .share(let share) = $0 { share } else { nil } }, make: { .share($0) })
}

extension Form where Value == UInt32 {
    static let mode = Form(
        shape: .mode, take: { if case .mode(let bits) = $0 { bits } else { nil } }, make: { .mode($0) })
}

extension Form where Value == WebURL {
    static let url = Form(
        shape: .url, take: { if case .url(let url) = $0 { url } else { nil } }, make: { .url($0) })
}

extension Form where Value == JSONPath {
    static func path(singular: Bool) -> Form {
        Form(
            shape: .path(singular: singular),
            take: { if case .paths(let paths) = $0 { paths.first } else { nil } }, make: { .paths([$0]) })
    }
}

extension Form where Value == [JSONPath] {
    static let paths = Form(
        shape: .paths, take: { if case .paths(let paths) = $0 { paths } else { nil } }, make: { .paths($0) })
}

extension Form where Value == HTTPHeaders {
    static let headers = Form(
        shape: .headers, take: { if case .headers(let headers) = $0 { headers } else { nil } },
        make: { .headers($0) })
}

extension Form where Value == Section {
    static func block(_ block: Block) -> Form {
        Form(
            shape: .block(block), take: { if case .block(let section) = $0 { section } else { nil } },
            make: { .block($0) })
    }
}

extension Form where Value == [NamedSection] {
    static func feeds(_ block: Block) -> Form {
        Form(
            shape: .feeds(block), take: { if case .named(let sections) = $0 { sections } else { nil } },
            make: { .named($0) })
    }
}
