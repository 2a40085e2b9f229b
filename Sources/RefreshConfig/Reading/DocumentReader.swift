import RefreshCore

/// Turns the bytes of one file into the tree of its one document.
struct DocumentReader {
    /// The number of the file.
    let file: Int
    var problems: ProblemList

    init(file: Int, problems: ProblemList) {
        self.file = file
        self.problems = problems
    }

    /// Merge keys are written out. Nil where nothing can be made of the bytes, which is then noted.
    mutating func tree(of bytes: [UInt8]) -> YAMLNode? {
        guard let root = root(of: bytes) else { return nil }
        for finding in YAMLRules.findings(in: root) {
            let isFeed = finding.path == [RootTable.feeds.entry.name]
            problems.add(
                finding.code, .error, at: finding.place, finding.path,
                scope: isFeed ? finding.key.map { .feed($0) } : nil, finding.message)
        }
        return MergeKeys.resolved(root)
    }

    private mutating func root(of bytes: [UInt8]) -> YAMLNode? {
        guard bytes.count <= ConfigReader.largest.bytes else {
            let most = ConfigReader.largest.bytes
            problems.add(.limit, at: nil, "has \(bytes.count) bytes; the most that is read is \(most)")
            return nil
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard isUTF8(content) else { return nil }
        var composer = YAMLComposer()
        do {
            try composer.read(content, file: file)
        } catch {
            note(error, after: composer, in: content)
            return nil
        }
        for place in TabIndentation.places(in: content, outside: composer.textLines, file: file) {
            problems.add(.syntax, at: place, TabIndentation.message)
        }
        if composer.documents.count > 1 {
            let message = "a second document begins here; one file holds one"
            problems.add(.syntax, at: composer.documents[1].start, message)
        }
        guard let first = composer.documents.first, !first.root.isNull else {
            // An included file may be all comments; the first says nothing without feeds.
            guard file == 0 else { return nil }
            let message = "the file is empty; write \"feeds:\" and a feed below it"
            problems.add(.missingKey, at: SourcePlace(line: 1, column: 1), message)
            return nil
        }
        return first.root
    }

    /// A tab explains most failures behind it, and libyaml's words for them explain nothing.
    private mutating func note(_ failure: YAMLFailure, after composer: YAMLComposer, in bytes: [UInt8]) {
        let tabs = TabIndentation.places(in: bytes, outside: composer.textLines, file: file)
            .filter { $0.line <= failure.place.line }
        for place in tabs { problems.add(.syntax, at: place, TabIndentation.message) }
        guard tabs.isEmpty else { return }
        problems.add(
            failure.kind == .limit ? .limit : .syntax, at: failure.place, SafeText.escaped(failure.message))
    }

    private mutating func isUTF8(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            let offset = error.byteOffsets.lowerBound
            let byte = String(bytes[offset], radix: 16, uppercase: true)
            let place = SourcePlace.ofByte(offset, in: bytes, file: file)
            problems.add(.syntax, at: place, "the byte 0x\(byte) is not UTF-8; save the file as UTF-8")
            return false
        }
    }
}
