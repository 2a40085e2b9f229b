import RefreshCore

/// Reads `plugins.yaml`: bytes to tree, tree to typed values by the table, values to a plan.
package enum ConfigReader {
    /// The largest file that is read.
    package static let largest = ByteCount.mebibytes(1)

    /// Reads the file at `path`. Waits for the disk, so not for the pool's threads.
    package static func read(path: String) -> ConfigResult {
        switch ConfigFile.read(path) {
        case .failure(let problem): return ConfigResult(plan: nil, problems: [problem])
        case .success(let file):
            var problems = ProblemList(file: path)
            if file.isWritableByAll {
                let message = "every user may write this file; take that right away (chmod o-w)"
                problems.warn(.access, at: nil, "\(SafeText.escaped(path)): \(message)")
            }
            return read(file.bytes, problems)
        }
    }

    /// Reads a text; `file` is its name in messages, and relative paths start at its folder.
    package static func read(bytes: [UInt8], file: String) -> ConfigResult {
        read(bytes, ProblemList(file: file))
    }

    private static func read(_ bytes: [UInt8], _ problems: ProblemList) -> ConfigResult {
        var problems = problems
        guard let root = tree(of: bytes, &problems) else {
            return ConfigResult(plan: nil, problems: problems.sorted)
        }
        for finding in YAMLRules.findings(in: root) {
            problems.add(finding.code, at: finding.place, finding.path, finding.message)
        }
        var reader = ValueReader(problems: problems, folder: folder(of: problems.file))
        let section = reader.root(MergeKeys.resolved(root))
        var builder = PlanBuilder(problems: reader.problems)
        let plan = section.map { builder.plan($0) }
        return ConfigResult(
            plan: builder.problems.hasErrors ? nil : plan, problems: builder.problems.sorted)
    }

    // MARK: - To a tree

    private static func tree(of bytes: [UInt8], _ problems: inout ProblemList) -> YAMLNode? {
        guard bytes.count <= largest.bytes else {
            problems.add(
                .limit, at: nil, "has \(bytes.count) bytes; the most that is read is \(largest.bytes)")
            return nil
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard isUTF8(content, &problems) else { return nil }
        var composer = YAMLComposer()
        do {
            try composer.read(content)
        } catch {
            note(error, after: composer, in: content, &problems)
            return nil
        }
        for place in TabIndentation.places(in: content, outside: composer.textLines) {
            problems.add(.syntax, at: place, TabIndentation.message)
        }
        if composer.documents.count > 1 {
            let message = "a second document begins here; one file holds one"
            problems.add(.syntax, at: composer.documents[1].start, message)
        }
        guard let first = composer.documents.first, !first.root.isNull else {
            let message = "the file is empty; write \"feeds:\" and a feed below it"
            problems.add(.missingKey, at: SourcePlace(line: 1, column: 1), message)
            return nil
        }
        return first.root
    }

    /// A tab explains most failures behind it, and libyaml's words for them explain nothing.
    private static func note(
        _ failure: YAMLFailure, after composer: YAMLComposer, in bytes: [UInt8], _ problems: inout ProblemList
    ) {
        let tabs = TabIndentation.places(in: bytes, outside: composer.textLines)
            .filter { $0.line <= failure.place.line }
        for place in tabs { problems.add(.syntax, at: place, TabIndentation.message) }
        guard tabs.isEmpty else { return }
        problems.add(
            failure.kind == .limit ? .limit : .syntax, at: failure.place, SafeText.escaped(failure.message))
    }

    private static func isUTF8(_ bytes: [UInt8], _ problems: inout ProblemList) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            let offset = error.byteOffsets.lowerBound
            let byte = String(bytes[offset], radix: 16, uppercase: true)
            let place = SourcePlace.ofByte(offset, in: bytes)
            problems.add(.syntax, at: place, "the byte 0x\(byte) is not UTF-8; save the file as UTF-8")
            return false
        }
    }

    /// With its slash; empty for a bare name.
    private static func folder(of file: String) -> String {
        guard let slash = file.utf8.lastIndex(of: 0x2F) else { return "" }
        return String(file[...slash])
    }
}
