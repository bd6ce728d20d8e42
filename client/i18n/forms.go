package i18n

// forms are how a language writes numbers, sizes and dates.
type forms struct {
	decimal, group string
	fromFive       bool   // four digits stand together: 1234, 12.345
	percent        string // what follows the number, with its space
	space          string // between a number and its unit
	bytes          [2]string
	units          [3]string // of 1024, 1024² and 1024³ bytes
	months         [12]string
	date           string // %[1]d day, %[2]s month, %[3]d year
	dayOfYear      string // the same without the year
	halfDays       bool   // 3:04 PM
}

const (
	hardSpace   = "\u00a0" // at which no line breaks
	narrowSpace = "\u202f" // the same, narrow
)

var (
	bytesUnits  = [3]string{"KB", "MB", "GB"}
	octetUnits  = [3]string{"Ko", "Mo", "Go"}
	bothBytes   = [2]string{"byte", "bytes"}
	octets      = [2]string{"octet", "octets"}
	oneByte     = [2]string{"Byte", "Byte"}
	englishForm = forms{decimal: ".", group: ",", percent: " %", space: " ", bytes: bothBytes, units: bytesUnits,
		months: [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
		date:   "%[1]d %[2]s %[3]d", dayOfYear: "%[1]d %[2]s"}
	usual = map[string]forms{
		"es": {decimal: ",", group: ".", fromFive: true, percent: hardSpace + "%", space: hardSpace, bytes: bothBytes, units: bytesUnits,
			months: [12]string{"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"},
			date:   "%[1]d %[2]s %[3]d", dayOfYear: "%[1]d %[2]s"},
		"pt": {decimal: ",", group: ".", percent: "%", space: hardSpace, bytes: bothBytes, units: bytesUnits,
			months: [12]string{"jan.", "fev.", "mar.", "abr.", "mai.", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez."},
			date:   "%[1]d de %[2]s de %[3]d", dayOfYear: "%[1]d de %[2]s"},
		"fr": {decimal: ",", group: narrowSpace, percent: narrowSpace + "%", space: hardSpace, bytes: octets, units: octetUnits,
			months: [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
			date:   "%[1]d %[2]s %[3]d", dayOfYear: "%[1]d %[2]s"},
		"de": {decimal: ",", group: ".", percent: hardSpace + "%", space: hardSpace, bytes: oneByte, units: bytesUnits,
			months: [12]string{"Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."},
			date:   "%[1]d. %[2]s %[3]d", dayOfYear: "%[1]d. %[2]s"},
	}
)

// formsOf are a language's usual forms, as its region changes them. Where a point and a comma are exchanged, a number read in the
// wrong way is another number, so these regions are told apart.
func formsOf(language, region string) forms {
	f, ok := usual[language]
	if !ok {
		f = englishForm
	}
	switch language + "-" + region {
	case "en-US":
		f.halfDays = true
		f.date, f.dayOfYear = "%[2]s %[1]d, %[3]d", "%[2]s %[1]d"
	case "es-MX", "es-US", "es-PR", "es-GT", "es-HN", "es-NI", "es-PA", "es-PE", "es-SV", "es-DO", "es-419":
		f.decimal, f.group, f.fromFive = ".", ",", false
	case "de-CH", "de-LI":
		f.decimal, f.group = ".", "’"
	case "de-AT":
		f.group = hardSpace
	case "pt-PT":
		f.group, f.fromFive = hardSpace, true
	case "fr-CA":
		f.group, f.percent = hardSpace, hardSpace+"%"
	}
	return f
}
