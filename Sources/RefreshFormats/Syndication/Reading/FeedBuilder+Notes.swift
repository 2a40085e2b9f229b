import RefreshCore

/// The extensions of feed, entry and source.
extension FeedBuilder {
    mutating func openNote(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes, in parent: Int)
        -> Frame
    {
        guard let number = entry.name else { return Frame(kind: .ignored) }
        var node = ExtensionTree.Node(name: vocabulary.names[number], parent: parent)
        node.attributes = told(attributes)
        switch entry.element {
        case .slashComments, .threadTotal: node.isCount = true
        case .reference, .atomURI: node.isReference = true
        default: break
        }
        let note =
            switch place {
            case .item: item.extensions.open(node)
            case .feed: feed.extensions.open(node)
            case .source: source.extensions.open(node)
            }
        return Frame(kind: note < 0 ? .ignored : .note, note: note)
    }

    private func told(_ attributes: XMLAttributes) -> [ExtensionTree.Attribute] {
        if attributes.count == 0 { return [] }
        var told: [ExtensionTree.Attribute] = []
        told.reserveCapacity(attributes.count)
        for index in 0..<attributes.count {
            let name = attributes.name(at: index)
            let value = attributes.value(at: index)
            told.append(
                ExtensionTree.Attribute(
                    name: name, value: FeedBuilder.isReference(name) ? base.absolute(value) : value))
        }
        return told
    }

    mutating func appendText(_ text: [UInt8], toNote note: Int) {
        switch place {
        case .item: item.extensions.append(text, to: note)
        case .feed: feed.extensions.append(text, to: note)
        case .source: source.extensions.append(text, to: note)
        }
    }

    mutating func closeNote(_ note: Int) {
        switch place {
        case .item: item.extensions.close(note, base)
        case .feed: feed.extensions.close(note, base)
        case .source: source.extensions.close(note, base)
        }
    }

    /// Whether an attribute of this name holds an address.
    private static func isReference(_ name: [UInt8]) -> Bool {
        switch name.count {
        case 3:
            name.elementsEqual("url".utf8) || name.elementsEqual("src".utf8) || name.elementsEqual("uri".utf8)
        case 4: name.elementsEqual("href".utf8)
        default: false
        }
    }
}
