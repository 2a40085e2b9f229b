import RefreshCore
import TestSupport
import Testing

@Suite("Addresses") struct AddressClassTests {
    @Test(
        "belong to their network",
        arguments: [
            ("8.8.8.8", AddressClass.public), ("0.0.0.0", .unspecified), ("0.255.255.255", .unspecified),
            ("1.0.0.0", .public),
            ("9.255.255.255", .public), ("10.0.0.0", .private), ("10.255.255.255", .private),
            ("11.0.0.0", .public),
            ("100.63.255.255", .public), ("100.64.0.0", .shared), ("100.127.255.255", .shared),
            ("100.128.0.0", .public),
            ("126.255.255.255", .public), ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
            ("128.0.0.0", .public),
            ("169.253.255.255", .public), ("169.254.169.254", .linkLocal), ("169.255.0.0", .public),
            ("172.15.255.255", .public), ("172.16.0.0", .private), ("172.31.255.255", .private),
            ("172.32.0.0", .public),
            ("192.0.0.8", .reserved), ("192.0.1.0", .public), ("192.0.2.1", .reserved),
            ("192.88.99.1", .reserved),
            ("192.167.255.255", .public), ("192.168.0.0", .private), ("192.168.255.255", .private),
            ("192.169.0.0", .public),
            ("198.17.255.255", .public), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved),
            ("198.20.0.0", .public),
            ("198.51.100.7", .reserved), ("203.0.113.7", .reserved), ("223.255.255.255", .public),
            ("224.0.0.1", .multicast),
            ("239.255.255.255", .multicast), ("240.0.0.0", .reserved), ("255.255.255.255", .reserved),
            ("[::]", .unspecified), ("[::1]", .loopback), ("[::2]", .unspecified), ("[::7f00:1]", .loopback),
            ("[::ffff:127.0.0.1]", .loopback), ("[::ffff:10.0.0.1]", .private), ("[::ffff:8.8.8.8]", .public),
            ("[::ffff:169.254.169.254]", .linkLocal), ("[::ffff:0:192.168.0.1]", .private),
            ("[::192.168.0.1]", .private),
            ("[64:ff9b::10.0.0.1]", .private), ("[64:ff9b::8.8.8.8]", .public),
            ("[64:ff9b:1::8.8.8.8]", .private),
            ("[2002:7f00:1::]", .loopback), ("[2002:a9fe:a9fe::1]", .linkLocal),
            ("[2002:808:808::1]", .public),
            ("[2001::1]", .reserved), ("[2001:1ff:ffff::]", .reserved), ("[2001:200::1]", .public),
            ("[2001:db8::1]", .reserved),
            ("[2606:4700::1111]", .public), ("[3ffe:ffff::1]", .public), ("[3fff::1]", .reserved),
            ("[3fff:fff:ffff::]", .reserved),
            ("[3fff:1000::]", .public), ("[fbff::1]", .reserved), ("[fc00::1]", .private),
            ("[fdff:ffff::1]", .private),
            ("[fe7f::1]", .reserved), ("[fe80::1]", .linkLocal), ("[febf::1]", .linkLocal),
            ("[fec0::1]", .private),
            ("[ff02::1]", .multicast), ("[100::1]", .reserved), ("[4000::1]", .reserved),
            ("[fd00:ec2::254]", .private),
        ])
    func belong(host: String, expected: AddressClass) throws {
        #expect(try #require(HostAddress(host: host)).addressClass == expected)
    }

    @Test("of a wrong length belong to nobody", arguments: [0, 4, 15, 17])
    func wrongLength(count: Int) {
        #expect(AddressClass.classify(ipv6: Array(repeating: 0x20, count: count)) == .reserved)
    }

    @Test("that are not public need leave, and multicast gets none")
    func leave() {
        let without = AddressClass.allCases.filter { $0.isAllowed(allowPrivate: false) }
        let with = AddressClass.allCases.filter { !$0.isAllowed(allowPrivate: true) }
        #expect(without == [.public])
        #expect(with == [.multicast])
    }

    @Test(
        "are written in one way",
        arguments: [
            ("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]"), ("[0:0:0:0:0:0:0:0]", "[::]"), ("[1::]", "[1::]"),
            ("[::8]", "[::8]"), ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"),
            ("[1:0:0:2:0:0:3:4]", "[1::2:0:0:3:4]"),
            ("[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]"), ("[ABCD:00ef::]", "[abcd:ef::]"),
            ("[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]"),
            ("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"), ("10.0.0.1", "10.0.0.1"),
        ])
    func written(host: String, text: String) throws {
        #expect(try #require(HostAddress(host: host)).text == text)
    }

    @Test(
        "are no names and no halves",
        arguments: [
            "", "[]", "[:]", "[:::]", "[1]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]",
            "[::1::]",
            "[1::2:]", "[:1::2]", "[12345::]", "[g::]", "[1.2.3.4]", "[::1.2.3]", "[::1.2.3.4:1]",
            "[1:2:3:4:5:6:7:1.2.3.4]",
            "::1", "[::1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.", "a.b.c.d", "localhost",
            "1.2.3.0x4",
        ])
    func none(host: String) {
        #expect(HostAddress(host: host) == nil)
    }

    @Test(
        "agree with the JSON Schema cases of IPv4 and IPv6",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        var counts = ["ipv4": 0, "ipv6": 0]
        for item in CorpusValue.lines(of: "string-formats/cases.jsonl") {
            let format = item["format"].text ?? ""
            guard counts[format] != nil else { continue }
            let input = try #require(item["input"].text)
            let address = HostAddress(host: format == "ipv6" ? "[\(input)]" : input)
            #expect((address != nil) == item["expected"]["valid"].isTrue, "\(item["name"])")
            counts[format, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 10 })
        print("string-formats addresses: \(counts)")
    }
}
