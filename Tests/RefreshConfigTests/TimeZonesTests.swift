import RefreshConfig
import RefreshCore
import Testing

@Suite("Zones of the tz database") struct TimeZonesTests {
    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text.utf8)) }

    @Test("an hour that the clock goes over is skipped") func skipped() throws {
        let zone = try #require(TimeZones.zone(named: "Europe/Berlin"))
        let clock = try time("2024-03-31T02:30:00Z")
        #expect(zone.rules.instants(of: clock) == .skipped(transition: try time("2024-03-31T01:00:00Z")))
    }

    @Test("an hour that the clock shows twice stands for two instants") func repeated() throws {
        let zone = try #require(TimeZones.zone(named: "Europe/Berlin"))
        let clock = try time("2024-10-27T02:30:00.25Z")
        #expect(
            zone.rules.instants(of: clock)
                == .twice(
                    first: try time("2024-10-27T00:30:00.25Z"), second: try time("2024-10-27T01:30:00.25Z")))
    }

    @Test("any other reading stands for one instant, and the offset is that of the instant") func one() throws
    {
        let zone = try #require(TimeZones.zone(named: "America/New_York"))
        #expect(
            zone.rules.instants(of: try time("2024-07-01T12:00:00Z"))
                == .one(try time("2024-07-01T16:00:00Z")))
        #expect(zone.rules.offset(at: try time("2024-07-01T16:00:00Z")) == -4 * 3_600)
        #expect(zone.rules.offset(at: try time("2024-01-01T16:00:00.999Z")) == -5 * 3_600)
        #expect(zone.rules.offset(at: try time("1960-01-01T00:00:00.5Z")) == -5 * 3_600)
        let half = try #require(TimeZones.zone(named: "Asia/Kathmandu"))
        #expect(half.rules.offset(at: try time("2024-01-01T00:00:00Z")) == 20_700)
    }

    @Test("UTC is a zone that needs no database") func utc() throws {
        let zone = try #require(TimeZones.zone(named: "UTC"))
        #expect(zone == .utc)
        #expect(zone.rules.offset(at: try time("2024-07-01T16:00:00Z")) == 0)
    }

    @Test(
        "what is no name of the database is no zone",
        arguments: [
            "", "Europe/Nowhere", "/usr/share/zoneinfo/Europe/Berlin", "../Europe/Berlin",
            "Fixed/UTC+01:00:00",
            "europe/berlin", "file:Europe/Berlin", "localtime", "Europe/Berlin\u{0}x",
        ])
    func unknown(_ name: String) { #expect(TimeZones.zone(named: name) == nil) }
}
