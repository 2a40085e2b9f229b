/// Where we differ from the other reader, each with its reason.
enum FeedparserLists {
    static let unmapped = NamedList([:])
    static let failing = NamedList([:])
    static let repairs = NamedList([:])
}
