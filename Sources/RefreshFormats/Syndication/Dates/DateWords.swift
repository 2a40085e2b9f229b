import RefreshCore

/// The names of months and days in other languages than English, for dates that people and their programs write.
enum DateWords {
    static let english = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `text` with English names of months, without fillers, and with hyphens for the signs of East Asia.
    static func translated(_ text: [UInt8]) -> [UInt8] {
        var words: [String] = []
        for word in split(signs(String(decoding: text, as: UTF8.self))) {
            let lower = word.lowercased()
            if let month = months[lower] {
                // Between the numbers of ISO 8601 a month is a number too.
                let isNumber = words.last == "-"
                words.append(isNumber ? (month < 9 ? "0\(month + 1)" : "\(month + 1)") : english[month])
            } else if !fillers.contains(lower) {
                words.append(word)
            }
        }
        return Array(words.joined().utf8).trimmedToArray
            .drop { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") || ASCII.isSpace($0) }
            .map { $0 }
    }

    /// Runs of letters, and everything else character by character.
    private static func split(_ text: String) -> [String] {
        var parts: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.isAlphabetic {
                word.unicodeScalars.append(scalar)
            } else {
                if !word.isEmpty { parts.append(word) }
                word = ""
                parts.append(String(Character(scalar)))
            }
        }
        return word.isEmpty ? parts : parts + [word]
    }

    /// `2004년 05월 28일 01:31:15` as `2004-05-28 01:31:15`. Korea has one zone, the others' signs name none.
    private static func signs(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { "년年".unicodeScalars.contains($0) }) else {
            let isKorean = text.contains("오전") || text.contains("오후")
            return isKorean ? text + " +0900" : text
        }
        var result = ""
        var skipsSpace = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "년", "年", "월", "月":
                result += "-"
                skipsSpace = true
            case "일", "日":
                result += " "
                skipsSpace = true
            case " " where skipsSpace: break
            default:
                result.unicodeScalars.append(scalar)
                skipsSpace = false
            }
        }
        return text.contains("년") ? result + " +0900" : result
    }

    private static let months: [String: Int] = {
        var months: [String: Int] = [:]
        for names in languages {
            for (month, name) in names.split(separator: " ").enumerated() {
                for spelling in name.split(separator: "/") { months[String(spelling)] = month }
            }
        }
        return months
    }()

    /// January to December; a slash between spellings of one month.
    private static let languages = [
        // English that is misspelled often.
        "janu febr mrch aprl may/mai june/jun july/jul augu sept octo/okt nove dece/dez/dec",
        // German, Dutch.
        "januar/jänner februar märz/mär/mrz april mai juni juli august september oktober/okt november dezember/dez",
        "januari februari maart/mrt april mei juni juli augustus september oktober/okt november december",
        // French, Spanish, Italian, Portuguese.
        "janvier/janv février/févr/fév/fev mars avril/avr mai juin juillet/juil août/aout/aoû septembre/sept octobre"
            + " novembre décembre/déc",
        "enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre octubre noviembre"
            + " diciembre/dic",
        "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/set ottobre/ott novembre"
            + " dicembre",
        "janeiro fevereiro março/marco abril maio junho julho agosto setembro outubro/out novembro dezembro",
        // Greek, Hungarian.
        "ιαν/ιανουαρίου φεβ/φεβρουαρίου μάώ/μαώ/μαρ/μάρ/μαρτίου απρ/απριλίου μάι/μαϊ/μαι/μαίου/μαΐου"
            + " ιούν/ιον/ιουν/ιουνίου ιούλ/ιολ/ιουλ/ιουλίου αύγ/αυγ/αυγούστου σεπ/σεπτεμβρίου οκτ/οκτωβρίου"
            + " νοέ/νοε/νοεμβρίου δεκ/δεκεμβρίου",
        "január februári/február/februãr március/mã¡rcius április/ã¡prilis máujus/május június július augusztus"
            + " szeptember október november december",
        // Polish, Czech, Russian, Swedish and its neighbours.
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "ledna února března dubna května června července srpna září října listopadu prosince",
        "января/янв февраля/фев марта/мар апреля/апр мая/май июня/июн июля/июл августа/авг сентября/сен октября/окт"
            + " ноября/ноя декабря/дек",
        "januari februari mars april maj juni juli augusti september oktober november december",
    ]

    /// Days of the week, which say nothing that the date does not, and words between its parts.
    private static let fillers: Set<String> = Set(
        """
        montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so die mit don fre sam son
        lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
        lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom
        lunedì martedì mercoledì giovedì venerdì sabato domenica gio sab segunda terça quarta quinta sexta feira
        maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
        κυρ δευ τρι τετ πεμ παρ σαβ σάβ κυριακή δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο
        hétfő kedd szerda csütörtök péntek szombat vasárnap
        poniedziałek wtorek środa czwartek piątek sobota niedziela pn wt śr cz pt sb nd
        понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
        de del den
        måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag mån tis ons tor lör sön
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
