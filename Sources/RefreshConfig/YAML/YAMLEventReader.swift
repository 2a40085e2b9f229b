import CYAML

/// The only caller of libyaml: turns UTF-8 bytes into events.
///
/// What it accepts is what libyaml accepts. Anchors, limits and our own refusals stand above it.
package enum YAMLEventReader {
    /// Hands each event to `sink`, until the end of the stream or the first failure of either.
    package static func read(
        _ bytes: [UInt8], file: Int = 0, into sink: (YAMLEvent) throws(YAMLFailure) -> Void
    ) throws(YAMLFailure) {
        // A null pointer is no input to libyaml, and an empty array may have no other.
        let input = bytes.isEmpty ? [0x0A] : bytes
        try unsafe input.withUnsafeBufferPointer { (buffer) throws(YAMLFailure) in
            var parser = try unsafe Parser(text: input, memory: buffer, file: file)
            while true {
                let event = try parser.next()
                try sink(event)
                if event.kind == .streamEnd { return }
            }
        }
    }
}

/// One run of libyaml's parser over memory that outlives it.
@safe private struct Parser: ~Copyable {
    private let handle: UnsafeMutablePointer<yaml_parser_t>
    /// The input once more, to look at the place of a failure.
    private let text: [UInt8]
    /// Which file it is, for places.
    private let file: Int

    /// `memory` is that of `text`, and stays as long as this.
    init(text: [UInt8], memory: UnsafeBufferPointer<UInt8>, file: Int) throws(YAMLFailure) {
        let made = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(made) == 1 else {
            unsafe made.deallocate()
            throw YAMLFailure(.memory, at: SourcePlace(file: file, line: 1, column: 1), "out of memory")
        }
        // Without this it would guess, and take UTF-16.
        unsafe yaml_parser_set_encoding(made, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(made, memory.baseAddress, memory.count)
        unsafe handle = made
        self.text = text
        self.file = file
    }

    deinit {
        unsafe yaml_parser_delete(handle)
        unsafe handle.deallocate()
    }

    mutating func next() throws(YAMLFailure) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(handle, &event) == 1 else { throw failure() }
        defer { unsafe yaml_event_delete(&event) }
        guard let kind = unsafe Parser.kind(of: event) else { throw failure() }
        return unsafe YAMLEvent(
            kind: kind, start: place(event.start_mark), end: place(event.end_mark))
    }

    // MARK: - Failures

    private func failure() -> YAMLFailure {
        let error = unsafe handle.pointee.error
        let problem = unsafe Parser.text(handle.pointee.problem) ?? "this cannot be read"
        let context = unsafe Parser.text(handle.pointee.context) ?? ""
        let place = unsafe self.place(handle.pointee.problem_mark)
        if error == YAML_MEMORY_ERROR { return YAMLFailure(.memory, at: place, "out of memory") }
        if error == YAML_READER_ERROR { return unreadable(problem) }
        if let tab = tab(place, problem) { return tab }
        if problem == "found unexpected end of stream", context.contains("quoted scalar") {
            let opened = unsafe self.place(handle.pointee.context_mark)
            return YAMLFailure(.syntax, at: opened, "the quote that opens here is never closed")
        }
        let words = YAMLFailure.plainWords[problem] ?? problem
        guard context.contains("parsing a flow") else { return YAMLFailure(.syntax, at: place, words) }
        let line = unsafe handle.pointee.context_mark.line + 1
        return YAMLFailure(.syntax, at: place, "\(words), for the bracket that opens on line \(line)")
    }

    private func unreadable(_ problem: String) -> YAMLFailure {
        let offset = unsafe Int(handle.pointee.problem_offset)
        let place = SourcePlace.ofByte(offset, in: text, file: file)
        guard problem == "control characters are not allowed" else {
            return YAMLFailure(.syntax, at: place, problem)
        }
        let digits = String(unsafe handle.pointee.problem_value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return YAMLFailure(.syntax, at: place, "the control character U+\(padded) is not allowed here")
    }

    /// libyaml speaks of characters that cannot start a token where it means a tab.
    private func tab(_ place: SourcePlace, _ problem: String) -> YAMLFailure? {
        let index = unsafe Int(handle.pointee.problem_mark.index)
        let isTab = firstByte(ofCharacter: index) == 0x09
        guard isTab || problem.contains("a tab character") else {
            return problem == "found character that cannot start any token"
                ? YAMLFailure(.syntax, at: place, "no value starts with this character; quote the text") : nil
        }
        return YAMLFailure(.syntax, at: place, TabIndentation.message)
    }

    /// libyaml counts in characters.
    private func firstByte(ofCharacter index: Int) -> UInt8? {
        var seen = -1
        for byte in text where byte & 0xC0 != 0x80 {
            seen += 1
            if seen == index { return byte }
        }
        return nil
    }

    // MARK: - From C

    private func place(_ mark: yaml_mark_t) -> SourcePlace {
        SourcePlace(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind? {
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return unsafe text(event.data.alias.anchor).map { .alias($0) }
        case YAML_SCALAR_EVENT: return unsafe scalar(event)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return unsafe .sequenceStart(anchor: text(start.anchor), tag: text(start.tag))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return unsafe .mappingStart(anchor: text(start.anchor), tag: text(start.tag))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return nil
        }
    }

    private static func scalar(_ event: yaml_event_t) -> YAMLEvent.Kind {
        let scalar = unsafe event.data.scalar
        let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let style: YAMLScalar.Style =
            switch unsafe scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        return unsafe .scalar(
            anchor: text(scalar.anchor), tag: text(scalar.tag), text: String(decoding: bytes, as: UTF8.self),
            style: style)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }
}
