import RefreshCore

/// Cuts CSV text into rows and fields (RFC 4180, and what deviates from it in the field).
///
/// - Lines end with LF or CRLF; with CR alone where the first line does so. The last one needs no end.
/// - A field that begins with a quote ends at the next single one, two of them stand for one. Space behind it is
///   dropped, other text belongs to the field, as in a spreadsheet. A quote elsewhere in a field is a character.
/// - A field without a closing quote would swallow the rest of the text, so it fails.
struct CSVReader {
    /// A field of the current row: where its bytes are, and whether JSON has to escape some of them.
    struct Field {
        /// In the reader's `source`, or in its `unquoted` text.
        var range: Range<Int>
        var isUnquoted: Bool
        var needsEscape: Bool
    }

    /// What a spreadsheet can hold in a row.
    static let fieldLimit = 16_384

    let source: [UInt8]
    let dialect: CSVDialect
    private(set) var fields: [Field] = []
    /// Whether nothing stands in the current line.
    private(set) var isBlank = false
    private var unquoted: [UInt8] = []
    private var at: Int

    init(_ source: [UInt8], dialect: CSVDialect, from start: Int = 0) {
        self.source = source
        self.dialect = dialect
        at = start
    }

    func bytes(of field: Field) -> ArraySlice<UInt8> {
        field.isUnquoted ? unquoted[field.range] : source[field.range]
    }

    /// Where the next row begins.
    var place: Int { at }

    /// Reads the next row into `fields`; false at the end.
    mutating func next() throws(FormatFailure) -> Bool {
        skipComments()
        guard at < source.count else { return false }
        fields.removeAll(keepingCapacity: true)
        unquoted.removeAll(keepingCapacity: true)
        let start = at
        repeat {
            guard fields.count < CSVReader.fieldLimit else {
                throw .csvInvalid(line: line(of: start), what: "more than \(CSVReader.fieldLimit) fields")
            }
            if at < source.count, source[at] == UInt8(ascii: "\"") {
                try quotedField()
            } else {
                plainField()
            }
        } while passDelimiter()
        isBlank = fields.count == 1 && at == start
        passLineEnd()
        return true
    }

    /// The line, from 1, that the byte at `place` stands in.
    func line(of place: Int) -> Int {
        var line = 1
        for index in 0..<min(place, source.count) where isLineEnd(source[index], index) {
            if source[index] != 0x0D || !isBeforeLineFeed(index) { line += 1 }
        }
        return line
    }

    /// Passes over `count` lines, whatever stands in them.
    mutating func skip(lines count: Int) {
        for _ in 0..<count where at < source.count { skipLine() }
    }

    // MARK: - Fields

    private mutating func plainField() {
        let start = at
        var needsEscape = false
        while at < source.count {
            let byte = source[at]
            if byte == dialect.delimiter { break }
            if byte < 0x20 {
                if isLineEnd(byte, at) { break }
                needsEscape = true
            } else if byte == 0x22 || byte == 0x5C {
                needsEscape = true
            }
            at += 1
        }
        fields.append(Field(range: start..<at, isUnquoted: false, needsEscape: needsEscape))
    }

    private mutating func quotedField() throws(FormatFailure) {
        let quote = at
        at += 1
        let start = at
        var needsEscape = false
        while at < source.count, source[at] != 0x22 {
            needsEscape = needsEscape || source[at] < 0x20 || source[at] == 0x5C
            at += 1
        }
        guard at < source.count else {
            throw .csvInvalid(line: line(of: quote), what: "a quote that is never closed")
        }
        let end = at
        at += 1
        passSpace()
        if isFieldEnd {
            fields.append(Field(range: start..<end, isUnquoted: false, needsEscape: needsEscape))
            return
        }
        at = start
        try rewrittenField(quote)
    }

    /// A quoted field with quotes in it, or with text behind it: its bytes are put together anew.
    private mutating func rewrittenField(_ quote: Int) throws(FormatFailure) {
        let start = unquoted.count
        while true {
            guard at < source.count else {
                throw .csvInvalid(line: line(of: quote), what: "a quote that is never closed")
            }
            let byte = source[at]
            at += 1
            if byte != 0x22 {
                unquoted.append(byte)
            } else if at < source.count, source[at] == 0x22 {
                unquoted.append(byte)
                at += 1
            } else {
                break
            }
        }
        let behind = at
        passSpace()
        if !isFieldEnd {
            at = behind
            while !isFieldEnd {
                unquoted.append(source[at])
                at += 1
            }
        }
        fields.append(Field(range: start..<unquoted.count, isUnquoted: true, needsEscape: true))
    }

    // MARK: - Bytes

    private var isFieldEnd: Bool {
        at >= source.count || source[at] == dialect.delimiter || isLineEnd(source[at], at)
    }

    private mutating func passSpace() {
        while at < source.count, source[at] == 0x20 || source[at] == 0x09, source[at] != dialect.delimiter {
            at += 1
        }
    }

    private mutating func passDelimiter() -> Bool {
        guard at < source.count, source[at] == dialect.delimiter else { return false }
        at += 1
        return true
    }

    private func isBeforeLineFeed(_ index: Int) -> Bool {
        index + 1 < source.count && source[index + 1] == 0x0A
    }

    private func isLineEnd(_ byte: UInt8, _ index: Int) -> Bool {
        if byte == 0x0A { return true }
        guard byte == 0x0D else { return false }
        return dialect.breaksAtReturn || index + 1 == source.count || isBeforeLineFeed(index)
    }

    private mutating func passLineEnd() {
        guard at < source.count else { return }
        at += source[at] == 0x0D && isBeforeLineFeed(at) ? 2 : 1
    }

    private mutating func skipLine() {
        while at < source.count, !isLineEnd(source[at], at) { at += 1 }
        passLineEnd()
    }

    private mutating func skipComments() {
        guard !dialect.comment.isEmpty else { return }
        while at < source.count, source[at...].starts(with: dialect.comment) { skipLine() }
    }
}
