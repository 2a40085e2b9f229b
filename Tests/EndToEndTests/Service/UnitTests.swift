import TestSupport
import Testing

/// The units that are shipped. What they do under a running systemd, `make test-systemd` shows.
@Suite("Units", .timeLimit(.minutes(2))) struct UnitTests {
    private static let analyze = Repository.tool("systemd-analyze")

    /// Every directive of the sandbox: one lost would show in no score, which is rounded.
    private static let sandbox = """
        AmbientCapabilities= CapabilityBoundingSet= DevicePolicy=closed LimitCORE=0 LockPersonality=yes
        MemoryDenyWriteExecute=yes NoNewPrivileges=yes PrivateDevices=yes PrivateMounts=yes PrivateTmp=yes ProcSubset=pid
        ProtectClock=yes ProtectControlGroups=yes ProtectHome=yes ProtectHostname=yes ProtectKernelLogs=yes
        ProtectKernelModules=yes ProtectKernelTunables=yes ProtectProc=invisible ProtectSystem=strict RemoveIPC=yes
        RestrictNamespaces=yes RestrictRealtime=yes RestrictSUIDSGID=yes SystemCallArchitectures=native
        SystemCallErrorNumber=EPERM SystemCallFilter=@system-service UMask=0077 User=refreshd Group=refreshd
        """.split(whereSeparator: \.isWhitespace).map(String.init) + [
            "IPAddressDeny=169.254.0.0/16 fe80::/10", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
            "SystemCallFilter=~@privileged @resources",
        ]

    private static let service = [
        "Type=notify", "WatchdogSec=90s", "Restart=on-failure", "RestartPreventExitStatus=64 78",
        "ExecReload=!/usr/bin/refreshctl reload --socket /run/refreshd/control.sock",
        "LoadCredential=refreshd.boot:/proc/sys/kernel/random/boot_id",
        "StateDirectory=refreshd", "StateDirectoryMode=0700",
        "Sockets=refreshd-api.socket refreshd-control.socket", "NonBlocking=yes",
        "Requires=refreshd-api.socket refreshd-control.socket",
        "Also=refreshd-api.socket refreshd-control.socket", "#LoadCredential=",
    ]

    private static func socket(_ name: String, group: String) -> [String] {
        [
            "ListenStream=/run/refreshd/\(name).sock", "FileDescriptorName=\(name)", "SocketGroup=\(group)",
            "SocketMode=0660", "DirectoryMode=0755", "RemoveOnStop=yes", "Backlog=1024",
            "Service=refreshd.service",
        ]
    }

    @Test(
        "say everything that they have to say",
        arguments: [
            ("refreshd.service", sandbox + service),
            ("refreshd-api.socket", socket("api", group: "refreshd-users")),
            ("refreshd-control.socket", socket("control", group: "refreshd-admin")),
            (
                "user/refreshd.service",
                [
                    "Type=notify", "WatchdogSec=90s", "UMask=0077", "LimitCORE=0", "NoNewPrivileges=yes",
                    "RestartPreventExitStatus=64 78", "MemoryDenyWriteExecute=yes",
                ]
            ),
            (
                "sysusers.d/refreshd.conf",
                [
                    "u refreshd - \"Data refresh daemon\" /var/lib/refreshd", "g refreshd-users -",
                    "g refreshd-admin -",
                ]
            ),
        ])
    func directives(file: String, wanted: [String]) throws {
        let text = try #require(Repository.text("systemd/\(file)"))
        let lines = text.split(separator: "\n").map(String.init)
        for line in wanted {
            let isThere =
                line.hasPrefix("#") ? lines.contains { $0.hasPrefix(line) } : lines.contains(line)
            #expect(isThere, "\(file) lacks \(line)")
        }
    }

    @Test("leave out what would break them")
    func absent() throws {
        let text = try #require(Repository.text("systemd/refreshd.service"))
        let keys = text.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
        // With the first every client is the same nobody; the second takes the sockets away at each stop.
        for key in ["PrivateUsers", "RuntimeDirectory", "DynamicUser", "SupplementaryGroups"] {
            #expect(!keys.contains(key), "\(key)= is there")
        }
    }

    @Test(
        "are taken by systemd without a word, and score 1.2",
        .enabled(if: analyze != nil, "systemd-analyze is not installed"))
    func analyzed() async throws {
        let analyze = try #require(UnitTests.analyze)
        let folder = TemporaryFolder()
        let names = ["refreshd.service", "refreshd-api.socket", "refreshd-control.socket"]
        for name in names {
            let text = try #require(Repository.text("systemd/\(name)"))
            // The programs are not installed where the tests run.
            let runnable = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.hasPrefix("ExecStart=") || line.hasPrefix("ExecReload=")
                    ? line.prefix { $0 != "=" } + "=/bin/true" : line
            }
            folder.write(runnable.joined(separator: "\n"), to: name)
        }
        let paths = names.map { folder.path($0) }
        let verified = try await Repository.run(analyze, ["verify", "--man=no"] + paths)
        #expect(verified.ending == .exited(0) && verified.errors.isEmpty, "\(verified.errors)")
        let scored = try await Repository.run(
            analyze, ["security", "--offline=yes", "--threshold=12", "--no-pager", paths[0]])
        #expect(scored.ending == .exited(0), "\(scored.output.suffix(200)) \(scored.errors)")
        #expect(scored.output.contains("Overall exposure level for refreshd.service: 1.2"))
    }
}
