/// Why a text is no YAML that is read here.
package struct YAMLFailure: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// Not YAML, or not UTF-8.
        case syntax
        /// An alias without its anchor.
        case alias
        /// Larger, deeper or more expanded than is read.
        case limit
        /// The system had no memory.
        case memory
    }

    package let kind: Kind
    package let place: SourcePlace
    package let message: String

    package init(_ kind: Kind, at place: SourcePlace, _ message: String) {
        self.kind = kind
        self.place = place
        self.message = message
    }
}

extension YAMLFailure {
    /// What libyaml's words mean to somebody in an editor; words that are not listed pass as they are.
    static let plainWords: [String: String] = [
        "could not find expected ':'": "expected \":\" and a value after this key",
        "mapping values are not allowed in this context":
            "\":\" is not allowed here; quote the text, or check the indentation",
        "mapping keys are not allowed in this context": "a key is not allowed here; check the indentation",
        "block sequence entries are not allowed in this context":
            "\"-\" is not allowed here; put the list on lines of its own",
        "did not find expected key": "expected a key here; check the indentation of this line",
        "did not find expected '-' indicator": "expected \"-\" here; check the indentation of this line",
        "did not find expected ',' or '}'": "expected \",\" or \"}\"",
        "did not find expected ',' or ']'": "expected \",\" or \"]\"",
        "did not find expected node content": "expected a value here",
        "did not find expected <document start>": "expected nothing more here; check the indentation",
        "did not find expected whitespace or line break": "expected a space or the end of the line",
        "did not find expected comment or line break": "expected the end of the line",
        "did not find expected alphabetic or numeric character": "expected a name of letters and digits",
        "found unknown escape character":
            "unknown escape; write \"\\\\\" for a backslash, or use single quotes",
        "did not find expected hexdecimal number": "expected hexadecimal digits in this escape",
        "found invalid Unicode character escape code": "this escape is no Unicode character",
        "found unexpected document indicator": "a document ends here while a quote is still open",
        "found undefined tag handle": "this tag has no meaning here",
    ]
}
