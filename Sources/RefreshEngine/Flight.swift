import RefreshAdapters
import RefreshCore
import RefreshStore
import RefreshTransfer

/// One refresh under way: ask, read, store. It belongs to the daemon, never to a caller.
struct Flight: Sendable {
    /// How it ended, with the feed's new progress.
    struct Landing: Sendable {
        let outcome: RefreshOutcome
        let progress: FeedProgress
        /// Nil where nothing was stored.
        let store: StoredCounts?
    }

    let feed: Feed
    let adapter: any Adapter
    let order: FetchOrder
    let acceptDrop: Bool
    let store: Store
    let transfer: TransferService
    let time: any TimeSource

    /// Every path ends in exactly one landing (semantics R14).
    func fly() async -> Landing {
        do {
            _ = try await store.apply(commit(order.progress))
        } catch {
            // What cannot be noted must not be sent: a crash loop would then hammer the upstream.
            return unstored(error)
        }
        let validators =
            order.conditional && order.progress.validatorScope == adapter.scope
            ? order.progress.validators : Validators()
        let answer: TransferAnswer
        do {
            answer = try await transfer.perform(adapter.request(validators))
        } catch .stopped {
            return await abandoned()
        } catch {
            return await failed(error.failure)
        }
        let verdict = AnswerRules.verdict(
            status: answer.status, headers: answer.headers, conditional: !validators.isEmpty,
            now: time.now().wall)
        switch verdict {
        case .failed(let failure): return await failed(failure)
        case .notModified: return await land(nil, validators: validators.merged(with: answer.headers))
        case .empty:
            let nothing = Harvest(page: RecordPage(text: [], rows: []), complete: true)
            return await land(nothing, validators: Validators(replacingWith: answer.headers))
        case .content:
            do {
                let harvest = try adapter.read(answer)
                return await land(harvest, validators: Validators(replacingWith: answer.headers))
            } catch {
                return await failed(error)
            }
        }
    }

    private func land(_ harvest: Harvest?, validators: Validators) async -> Landing {
        let report = PassReport(
            validators: validators, scope: adapter.scope, isUnchanged: harvest == nil, isFull: harvest != nil)
        let progress = order.succeeded(report, at: time.now())
        do {
            let outcome = try await store.apply(commit(progress, harvest))
            return Landing(
                outcome: outcome.counts.isEmpty ? .unchanged : .refreshed(outcome.counts),
                progress: outcome.progress, store: outcome.store)
        } catch {
            return unstored(error)
        }
    }

    private func failed(_ failure: RefreshFailure) async -> Landing {
        let progress = order.failed(failure, at: time.now())
        do {
            let outcome = try await store.apply(commit(progress))
            return Landing(outcome: .failed(failure), progress: outcome.progress, store: outcome.store)
        } catch {
            // The feed's own failure is what its readers need to know; the store's shows with the next write.
            return Landing(outcome: .failed(failure), progress: progress, store: nil)
        }
    }

    /// The daemon stops: neither a success nor a failure, and no crash either.
    private func abandoned() async -> Landing {
        let progress = order.abandoned(at: time.now())
        let stored = try? await store.apply(commit(progress))
        return Landing(
            outcome: .refused(reason: "the daemon stops"), progress: progress, store: stored?.store)
    }

    private func unstored(_ error: StoreFailure) -> Landing {
        let failure = RefreshFailure(.internal, code: error.code, detail: error.detail)
        return Landing(outcome: .failed(failure), progress: order.failed(failure, at: time.now()), store: nil)
    }

    private func commit(_ progress: FeedProgress, _ harvest: Harvest? = nil) -> PassCommit {
        PassCommit(
            feed: feed.id, at: order.start.wall, progress: progress, page: harvest?.page,
            complete: harvest?.complete ?? false, absent: feed.absent, retention: feed.retention,
            acceptDrop: acceptDrop)
    }
}
