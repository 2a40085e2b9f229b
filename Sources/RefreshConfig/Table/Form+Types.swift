import RefreshCore

extension Form where Value == Bool {
    static let flag = Form(
        shape: .flag, take: { if case .flag(let value) = $0 { value } else { nil } }, make: { .flag($0) })
}

extension Form where Value == String {
    static let text = words(.text)
    static let fieldValue = words(.fieldValue)
    static let token = words(.token)
    static let method = words(.method)
    static let filePath = words(.filePath)
    static let socketPath = words(.socketPath)
    static let adapter = words(.adapter)
    static let json = Form(
        shape: .json, take: { if case .json(let text) = $0 { text } else { nil } }, make: { .json($0) })

    static func word(_ word: [String]) -> Form { words(.word(word)) }

    /// One character, or `word`, which is the word itself.
    static func character(word: String) -> Form { words(.character(word: word)) }

    private static func words(_ shape: Shape) -> Form {
        Form(shape: shape, take: { if case .text(let text) = $0 { text } else { nil } }, make: { .text($0) })
    }
}

extension Form where Value == [String] {
    static let texts = lists(.texts)
    static let command = lists(.command)
    static let feedNames = lists(.feedNames)

    static func words(_ words: [String]) -> Form { lists(.words(words)) }

    private static func lists(_ shape: Shape) -> Form {
        Form(
            shape: shape, take: { if case .texts(let texts) = $0 { texts } else { nil } },
            make: { .texts($0) })
    }
}

extension Form where Value: CaseIterable {
    /// The cases of an enum by their names.
    static func oneOf(name: @escaping @Sendable (Value) -> String) -> Form {
        Form(
            shape: .word(Value.allCases.map(name)),
            take: { value in
                guard case .text(let text) = value else { return nil }
                return Value.allCases.first { name($0) == text }
            },
            make: { .text(name($0)) })
    }
}

extension Form where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    static var word: Form { oneOf { $0.rawValue } }
}

extension Form where Value == Int {
    static func whole(_ range: ClosedRange<Int>) -> Form {
        Form(
            shape: .whole(range), take: { if case .whole(let number) = $0 { number } else { nil } },
            make: { .whole($0) })
    }
}

extension Form where Value == [Int] {
    static func wholes(_ range: ClosedRange<Int>) -> Form {
        Form(
            shape: .wholes(range), take: { if case .wholes(let numbers) = $0 { numbers } else { nil } },
            make: { .wholes($0) })
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

    static func number(_ range: ClosedRange<Double>) -> Form {
        Form(
            shape: .number(range), take: { if case .number(let number) = $0 { number } else { nil } },
            make: { .number($0) })
    }
}

extension Form where Value == UInt32 {
    static let mode = Form(
        shape: .mode, take: { if case .mode(let bits) = $0 { bits } else { nil } }, make: { .mode($0) })
}
