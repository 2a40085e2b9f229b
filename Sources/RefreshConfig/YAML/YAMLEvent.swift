/// One step through a YAML text, as the parser sees it.
package struct YAMLEvent: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias(String)
        case scalar(anchor: String?, tag: String?, text: String, style: YAMLScalar.Style)
        case sequenceStart(anchor: String?, tag: String?)
        case sequenceEnd
        case mappingStart(anchor: String?, tag: String?)
        case mappingEnd
    }

    package let kind: Kind
    package let start: SourcePlace
    package let end: SourcePlace
}
