import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// A table of text, read as all the dialects that a plan can ask for.
    static let csv = FuzzTarget(
        "csv",
        texts: [
            "id,name,n\n1,a,2\n2,\"b, \"\"c\"\"\",3\n", "id;a\r\n1;x\r\n\r\n2;\"y\r\nz\"\r\n",
            "id\ta\n1\tx\n2",
            "# note\nid|a\n1|\n", "\u{FEFF}id,é\n1,ü", "id,id,\n1,2,3,4\n", "id\n\"1\"x\n\"2", "a,b\n\n , \n",
        ],
        words: ["id", "\"", "\"\"", ",", ";", "\t", "|", "\r\n", "\n\n", "#", "\u{FEFF}", "\0"]
    ) { input in
        for plan in csvPlans {
            guard let page = try? CSVRecords.page(of: input[...], plan: plan, limits: believing) else {
                continue
            }
            for row in page.rows {
                guard let document = try? JSONDocument(parsing: PaddedBytes(Array(page.body(of: row)))),
                    document.root.kind == .object
                else { return "a row is no JSON object" }
                for (_, value) in document.members(of: document.root) where value.kind != .string {
                    return "a field is no string"
                }
                if row.key.bytes.isEmpty { return "a row has an empty key" }
            }
        }
        return nil
    }

    private static let csvPlans: [RecordsPlan] = {
        func plan(_ change: (inout CSVPlan) -> Void) -> RecordsPlan {
            var plan = RecordsPlan()
            plan.key = [.column("id")]
            change(&plan.csv)
            return plan
        }
        return [
            plan { _ in }, plan { $0.delimiter = UInt8(ascii: ";") },
            plan {
                $0.hasHeader = false
                $0.columns = ["id", "a"]
            },
            plan {
                $0.skip = 1
                $0.comment = "#"
            },
        ]
    }()

    /// Whatever is refused, the rest is looked at.
    private static let believing: RecordLimits = {
        var limits = RecordLimits()
        limits.rejectGuard = 1
        limits.rows = 10_000
        return limits
    }()
}
