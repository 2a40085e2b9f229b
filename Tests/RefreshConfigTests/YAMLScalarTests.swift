import RefreshConfig
import Testing

@Suite("Scalars of the YAML 1.2 core schema") struct YAMLScalarTests {
    struct Case: CustomTestStringConvertible {
        let text: String
        let value: YAMLScalar.Value
        var testDescription: String { text }
    }

    @Test(
        "a plain scalar is what 10.3.2 says",
        arguments: [
            Case(text: "", value: .null), Case(text: "~", value: .null), Case(text: "Null", value: .null),
            Case(text: "nULL", value: .text), Case(text: "true", value: .bool(true)),
            Case(text: "FALSE", value: .bool(false)), Case(text: "no", value: .text),
            Case(text: "Off", value: .text), Case(text: "y", value: .text), Case(text: "22:22", value: .text),
            Case(text: "0", value: .integer(0)), Case(text: "-12", value: .integer(-12)),
            Case(text: "+7", value: .integer(7)), Case(text: "0660", value: .integer(660)),
            Case(text: "0o17", value: .integer(15)), Case(text: "0o18", value: .text),
            Case(text: "0o", value: .text), Case(text: "0xFf", value: .integer(255)),
            Case(text: "0x", value: .text), Case(text: "0x-1", value: .text),
            Case(text: "9223372036854775808", value: .float(9_223_372_036_854_775_808)),
            Case(text: "0xFFFFFFFFFFFFFFFFF", value: .float(295_147_905_179_352_825_856)),
            Case(text: "1.5", value: .float(1.5)), Case(text: ".5", value: .float(0.5)),
            Case(text: "1.", value: .float(1)), Case(text: ".", value: .text), Case(text: "-", value: .text),
            Case(text: "1e3", value: .float(1_000)), Case(text: "1e", value: .text),
            Case(text: "e3", value: .text), Case(text: "1_000", value: .text),
            Case(text: "-.INF", value: .float(-.infinity)), Case(text: "inf", value: .text),
            Case(text: "2024-01-01", value: .text), Case(text: "<<", value: .text),
        ])
    func plain(_ item: Case) {
        #expect(YAMLScalar(text: item.text, style: .plain).value == item.value)
    }

    @Test("quotes and the tag of text make text of anything") func quoted() {
        #expect(YAMLScalar(text: "true", style: .doubleQuoted).value == .text)
        #expect(YAMLScalar(text: "", style: .singleQuoted).value == .text)
        #expect(YAMLScalar(text: "5", style: .plain, tag: "tag:yaml.org,2002:str").value == .text)
        #expect(
            YAMLScalar(text: "5", style: .doubleQuoted, tag: "tag:yaml.org,2002:int").value == .integer(5))
    }
}
