/// First in, first out, at constant cost.
package struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool { head == elements.count }
    package var count: Int { elements.count - head }

    package func first(where matches: (Element) -> Bool) -> Element? {
        elements[head...].first(where: matches)
    }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func removeFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head]
        head += 1
        // Give the used half back, so that moving elements costs one move an element in the long run.
        if head * 2 >= elements.count {
            elements.removeSubrange(0..<head)
            head = 0
        }
        return first
    }
}

extension Queue where Element: Equatable {
    /// Takes `element` out of the middle; false where it does not wait.
    package mutating func remove(_ element: Element) -> Bool {
        guard let index = elements[head...].firstIndex(of: element) else { return false }
        if index == head {
            _ = removeFirst()
        } else {
            elements.remove(at: index)
        }
        return true
    }
}
