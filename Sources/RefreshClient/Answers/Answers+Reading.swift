import RefreshCore

// How the daemon's JSON becomes the values above.

extension StatusAnswer {
    init(_ value: AnswerValue) {
        self.init()
        version = value["version"]?.string
        generation = value["generation"]?.int
        config = value["config"]?.words
        uptime = value["uptime_ms"]?.milliseconds
        total = value["feeds"]?["total"]?.int
        let states = value["feeds"]?["by_state"]
        for state in FeedStatus.State.allCases { byState[state.rawValue] = states?[state.rawValue]?.int }
        let freshness = value["feeds"]?["by_freshness"]
        for word in ["new", "fresh", "stale", "overdue"] { byFreshness[word] = freshness?[word]?.int }
        diskBytes = (value["disk_bytes"] ?? value["disk"]?["bytes"])?.int
        alarms = (value["alarms"]?.elements ?? []).map(\.words)
    }
}

extension FeedAnswer {
    init(_ value: AnswerValue) {
        self.init()
        name = (value["name"] ?? value["feed"])?.words ?? ""
        title = value["title"]?.string
        adapter = value["adapter"]?.string
        url = value["url"]?.string
        state = value["state"]?.string
        freshness = value["freshness"]?.string
        items = value["items"]?.int
        bytes = value["bytes"]?.int
        inFlight = value["in_flight"]?.bool ?? false
        lastSuccess = value["last_success"]?.time
        lastAttempt = value["last_attempt"]?.time
        nextDue = value["next_due"]?.time
        dueRule = value["due_rule"]?.string
        failures = value["consecutive_failures"]?.int ?? 0
        lastError = value["last_error"].map { ErrorNote($0) }
        alarms = value["alarms"]?.elements.map(\.words) ?? []
    }

    static func list(_ value: AnswerValue) -> [FeedAnswer] {
        value["feeds"]?.elements.map { FeedAnswer($0) } ?? []
    }
}

extension ErrorNote {
    init(_ value: AnswerValue) {
        self.init(
            class: value["class"]?.string, code: value["code"]?.string,
            detail: (value["detail"] ?? value["title"])?.string, at: value["at"]?.time)
    }
}

extension ItemAnswer {
    init(_ value: AnswerValue) {
        self.init()
        key = value["key"]?.words ?? ""
        rev = value["rev"]?.int
        state = value["state"]?.string
        order = value["order"]?.words
        firstSeen = value["first_seen"]?.time
        changedAt = value["changed_at"]?.time
        goneAt = value["gone_at"]?.time
        seq = value["seq"]?.int
        data = value["data"]?.text
    }
}

extension ItemsAnswer {
    init(_ value: AnswerValue) {
        self.init()
        items = value["items"]?.elements.map { ItemAnswer($0) } ?? []
        cursor = value["cursor"]?.string
        hasMore = value["has_more"]?.bool ?? false
        syncKey = value["sync_key"]?.string
        stale = value["stale"]?.bool ?? false
        freshness = value["freshness"]?.string
        error = value["error"].map { ErrorNote($0) }
    }
}

extension ChangeAnswer {
    init(_ value: AnswerValue) {
        self.init()
        op = value["op"]?.string ?? ""
        key = value["key"]?.words ?? ""
        rev = value["rev"]?.int
        reason = value["reason"]?.string
        created = value["created"]?.bool ?? false
        item = value["item"].map { ItemAnswer($0) }
    }
}

extension ChangesAnswer {
    init(_ value: AnswerValue) {
        self.init()
        changes = value["changes"]?.elements.map { ChangeAnswer($0) } ?? []
        syncKey = value["sync_key"]?.string
        hasMore = value["has_more"]?.bool ?? false
        pending = value["pending"]?.int
    }
}

extension RefreshAnswer {
    init(_ value: AnswerValue) {
        self.init(outcome: value["outcome"]?.string)
        counts = value["counts"].map { RefreshCounts($0) }
        error = value["error"].map { ErrorNote($0) }
        retryIn = value["retry_in_ms"]?.milliseconds
        detail = (value["detail"] ?? value["reason"])?.string
    }
}

extension RefreshCounts {
    fileprivate init(_ value: AnswerValue) {
        self.init()
        added = value["added"]?.int ?? 0
        changed = value["changed"]?.int ?? 0
        removed = value["removed"]?.int ?? 0
        evicted = value["evicted"]?.int ?? 0
        unchanged = value["unchanged"]?.int ?? 0
        rejected = value["rejected"]?.int ?? 0
    }
}

extension Problem {
    init(_ value: AnswerValue, status: Int) {
        self.init(
            status: status, code: value["code"]?.string, title: value["title"]?.string,
            detail: value["detail"]?.string)
    }
}
