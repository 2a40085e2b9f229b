import RefreshCore
import RefreshEngine
import RefreshStore

/// Which feeds have changed, without what changed in them; the newest notice of a feed stands for those before it.
struct NoticeStream: StreamSource {
    private struct Told: Equatable {
        let epoch: Epoch
        let seq: Seq
        let state: FeedStatus.State
    }

    let format: StreamFormat
    private var told: [FeedID: Told] = [:]
    private var version: UInt64?

    private let viewer: Viewer

    init(format: StreamFormat, for viewer: Viewer) {
        self.format = format
        self.viewer = viewer
    }

    func hasNews(_ endpoints: Endpoints) -> Bool { endpoints.board.version != version }

    mutating func next(_ endpoints: Endpoints, at now: Moment) -> StreamPiece {
        let picture = endpoints.picture(for: viewer)
        let isFirst = version == nil
        version = picture.version
        var bytes: [UInt8] = []
        for status in picture.feeds {
            let news = Told(epoch: status.store.epoch, seq: status.store.seq, state: status.state)
            let before = told.updateValue(news, forKey: status.feed)
            // What stands when the stream begins is no news: the client reads it from the list of feeds.
            if isFirst || before == news { continue }
            if before.map({ $0.epoch != news.epoch || $0.seq != news.seq }) ?? true {
                changed(status, &bytes)
            }
            if before?.state != news.state { state(status, &bytes) }
        }
        if told.count > picture.feeds.count {
            let there = Set(picture.feeds.map(\.feed))
            told = told.filter { there.contains($0.key) }
        }
        return bytes.isEmpty ? .nothing : .bytes(bytes)
    }

    private func changed(_ status: FeedStatus, _ bytes: inout [UInt8]) {
        var data = JSONText()
        data.object { data in
            data.member("feed", status.feed.name)
            data.member(
                "sync_key",
                SyncKey(epoch: status.store.epoch, seq: status.store.seq).text(feed: status.feed))
        }
        format.write(.changed, id: nil, data: data, to: &bytes)
    }

    private func state(_ status: FeedStatus, _ bytes: inout [UInt8]) {
        var data = JSONText()
        data.object { data in
            data.member("feed", status.feed.name)
            data.member("state", status.state.rawValue)
        }
        format.write(.state, id: nil, data: data, to: &bytes)
    }
}
