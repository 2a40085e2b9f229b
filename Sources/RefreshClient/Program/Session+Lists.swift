import RefreshCore

/// Lists that the daemon hands out page by page.
extension Session {
    /// Rows that the daemon puts into one page at most.
    private static let mostItems = 500
    private static let mostChanges = 1_000

    func items(_ request: ListRequest) async throws(ClientFailure) -> ExitCode {
        let walk = PageWalk(
            request, path: ["feeds", request.feed, "items"], rows: "items", start: "cursor", next: "cursor",
            most: Session.mostItems)
        var layout: Table.Layout?
        var last = ItemsAnswer()
        var isFirst = true
        try await each(page: walk) { (answer) throws(ClientFailure) in
            let page = ItemsAnswer(answer.value)
            let table = ItemsView.table(page.items, now: now)
            try output.write(lines: table.lines(on: display, continuing: &layout))
            if isFirst, let warning = ItemsView.warning(page) { notes.tell(warning) }
            if isFirst, page.items.isEmpty { notes.tell("no items") }
            isFirst = false
            last = page
        }
        if last.hasMore, let cursor = last.cursor {
            notes.tell("more items follow; go on with --cursor \(cursor), or see them --all")
        }
        return .ok
    }

    func changes(_ request: ListRequest) async throws(ClientFailure) -> ExitCode {
        let walk = PageWalk(
            request, path: ["feeds", request.feed, "changes"], rows: "changes", start: "since",
            next: "sync_key", most: Session.mostChanges)
        var layout: Table.Layout?
        var last = ChangesAnswer()
        var isFirst = true
        try await each(page: walk) { (answer) throws(ClientFailure) in
            let page = ChangesAnswer(answer.value)
            try output.write(lines: ChangesView.table(page.changes).lines(on: display, continuing: &layout))
            if isFirst, page.changes.isEmpty { notes.tell("no changes") }
            isFirst = false
            last = page
        }
        if let key = last.syncKey {
            notes.tell("\(last.hasMore ? "more changes follow; go on" : "go on later") with --since \(key)")
        }
        return .ok
    }

    /// Asks for page after page; as rows through `show`, or with `--json` as one document.
    private func each(page walk: PageWalk, show: (APIAnswer) throws(ClientFailure) -> Void)
        async throws(ClientFailure)
    {
        var walk = walk
        var joined = JoinedPages(rows: walk.rows)
        // Rows that go to a terminal are progress enough.
        let progress = walk.isOnePage || output.terminalColumns != nil ? nil : Progress.begin(on: errors)
        defer { progress?.end() }
        var count = 0
        while let request = walk.request {
            let answer = try await ask(request, feed: walk.feed)
            count += answer.value[walk.rows]?.elements.count ?? 0
            progress?.show("\(count) \(walk.rows)")
            try walk.take(answer.value, from: client)
            if !json {
                try show(answer)
            } else if walk.isOnePage {
                try self.show(answer)
            } else {
                try self.show(json: joined.take(answer.value))
            }
        }
        if json && !walk.isOnePage { try self.show(json: joined.end()) }
    }
}
