import RefreshCore

/// The extensions of feed, entry and source.
extension FeedBuilder {
    mutating func openNote(_ entry: FeedVocabulary.Entry, _ attributes: XMLAttributes, in parent: Int) -> Frame {
        guard let number = entry.name else { return Frame(kind: .ignored) }
        var told: [ExtensionTree.Attribute] = []
        told.reserveCapacity(attributes.count)
        for index in 0..<attributes.count {
            let name = attributes.name(at: index)
            let value = attributes.value(at: index)
            told.append(
                ExtensionTree.Attribute(
                    name: name, value: FeedBuilder.isReference(name) ? base.absolute(value) : value))
        }
        let isCount = entry.element == .slashComments || entry.element == .threadTotal
        let note = notes { [name = vocabulary.names[number]] in $0.open(name, told, in: parent, isCount: isCount) }
        if note >= 0, entry.element == .reference || entry.element == .atomURI { references.insert(note) }
        return Frame(kind: note < 0 ? .ignored : .note, note: note)
    }

    mutating func appendText(_ text: [UInt8], toNote note: Int) { notes { $0.append(text, to: note) } }

    mutating func closeNote(_ note: Int) {
        let isReference = references.remove(note) != nil
        let base = base
        notes { tree in
            if isReference { tree.setReference(base, of: note) }
            tree.close(note)
        }
    }

    private mutating func notes<Result>(_ body: (inout ExtensionTree) -> Result) -> Result {
        switch place {
        case .item: body(&item.extensions)
        case .feed: body(&feed.extensions)
        case .source: body(&source.extensions)
        }
    }

    /// Whether an attribute of this name holds an address.
    private static func isReference(_ name: [UInt8]) -> Bool {
        switch name.count {
        case 3: name.elementsEqual("url".utf8) || name.elementsEqual("src".utf8) || name.elementsEqual("uri".utf8)
        case 4: name.elementsEqual("href".utf8)
        default: false
        }
    }
}
