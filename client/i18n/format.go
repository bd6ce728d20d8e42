package i18n

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count formats a number of things, with its thousands grouped: "1,234".
func Count(n int) string { return current().count(int64(n)) }

// Number formats a number with so many digits after the decimal point: Number(1234.5, 1) is "1,234.5". It is not for numbers from the
// service, which are shown as sent.
func Number(value float64, digits int) string { return current().number(value, digits) }

// Percent formats a percentage: Percent(45, 0) is "45 %".
func Percent(value float64, digits int) string {
	s := current()
	return s.number(value, digits) + s.forms.percent
}

// Wait formats a rough time to wait: seconds under a minute and a half, then minutes, then hours: "45 s", "3 min", "2 h".
func Wait(d time.Duration) string { return current().wait(d) }

func (s *spoken) wait(d time.Duration) string {
	amount, unit := max(time.Second, d), time.Second
	name := "s"
	switch {
	case d >= 90*time.Minute:
		unit, name = time.Hour, "h"
	case d >= 90*time.Second:
		unit, name = time.Minute, "min"
	}
	return s.count(int64(amount.Round(unit)/unit)) + s.forms.space + name
}

// Duration formats a duration to the millisecond, in the largest unit of which it is a whole number: "90 s", "2 min", "1 h", "1,500 ms".
func Duration(d time.Duration) string {
	s := current()
	d = (d + time.Millisecond - 1).Truncate(time.Millisecond)
	unit, name := time.Millisecond, "ms"
	for _, larger := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "s"}, {time.Minute, "min"}, {time.Hour, "h"}} {
		if d%larger.unit == 0 && (d != 0 || larger.unit == time.Second) {
			unit, name = larger.unit, larger.name
		}
	}
	return s.count(int64(d/unit)) + s.forms.space + name
}

// Size formats a number of bytes: "0 bytes", "900 KB", "5.2 MB", "50 MB", "1.5 GB". KB, MB and GB are powers of 1024, as in the caps of
// the service. Negative numbers count as 0.
func Size(bytes int64) string { return current().sizeText(bytes) }

// SizeOf formats a part of a size and the whole, with the unit once if both have the same: "48 of 210 MB", "900 KB of 2.1 MB".
func SizeOf(part, whole int64) string {
	s := current()
	a, unit := s.size(part)
	b, wholeUnit := s.size(whole)
	if unit != wholeUnit {
		a += s.forms.space + unit
	}
	return F("%s of %s", a, b+s.forms.space+wholeUnit)
}

// Bytes formats an exact number of bytes: "1,234,567 bytes".
func Bytes(n int64) string { return current().bytes(n) }

func (s *spoken) bytes(n int64) string {
	unit := s.forms.bytes[1]
	if n == 1 {
		unit = s.forms.bytes[0]
	}
	return s.count(n) + s.forms.space + unit
}

func (s *spoken) sizeText(bytes int64) string {
	number, unit := s.size(bytes)
	return number + s.forms.space + unit
}

func (s *spoken) size(bytes int64) (number, unit string) {
	const kb, mb, gb = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes == 1:
		return "1", s.forms.bytes[0]
	case bytes < kb:
		return strconv.FormatInt(max(bytes, 0), 10), s.forms.bytes[1]
	case bytes < mb-kb/2: // a size that would round to 1024 KB is 1 MB
		return strconv.FormatInt((bytes+kb/2)/kb, 10), s.forms.units[0]
	case bytes < gb-mb/20:
		return s.shortest(float64(bytes) / mb), s.forms.units[1]
	}
	return s.shortest(float64(bytes) / gb), s.forms.units[2]
}

// shortest rounds to one digit after the decimal point, which is omitted if it is 0. Thousands are not grouped.
func (s *spoken) shortest(value float64) string {
	return strings.Replace(strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0"), ".", s.forms.decimal, 1)
}

func (s *spoken) count(n int64) string { return s.grouped(strconv.FormatInt(n, 10)) }

func (s *spoken) number(value float64, digits int) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return strconv.FormatFloat(value, 'f', digits, 64)
	}
	whole, part, _ := strings.Cut(strconv.FormatFloat(value, 'f', max(digits, 0), 64), ".")
	if part == "" {
		return s.grouped(whole)
	}
	return s.grouped(whole) + s.forms.decimal + part
}

// grouped groups the thousands of decimal digits, with or without a minus sign.
func (s *spoken) grouped(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if s.forms.fromFive && len(digits) < 5 {
		return sign + digits
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + s.forms.group + digits[i:]
	}
	return sign + digits
}

// Point is the decimal separator: "." or ",".
func Point() string { return current().forms.decimal }

// Day formats a day for a reader at the time now, in now's zone: "2 Jan", or, in another year, "2 Jan 2006". If now is the zero time, it
// is the day in t's own zone, always with its year.
func Day(t, now time.Time) string { return current().day(t, now) }

// DayTime formats a day as Day does, with the time: "2 Jan, 15:04", "2 Jan 2006, 15:04".
func DayTime(t, now time.Time) string {
	s := current()
	if !now.IsZero() {
		t = t.In(now.Location())
	}
	return s.day(t, now) + ", " + s.clock(t, false)
}

// Clock formats a time of day: "15:04", or "3:04 PM".
func Clock(t time.Time) string { return current().clock(t, false) }

// Moment formats a time for evidence: to the second, with the zone for readers elsewhere: "2 Jan 2006, 15:04:05
// (UTC+01:00)".
func Moment(t time.Time) string { return current().moment(t) + t.Format(" (UTC-07:00)") }

// LogMoment formats a time as Moment does, for a narrow column: "2 Jan 2006, 15:04:05 +01:00".
func LogMoment(t time.Time) string { return current().moment(t) + t.Format(" -07:00") }

func (s *spoken) moment(t time.Time) string {
	return s.day(t, time.Time{}) + ", " + s.clock(t, true)
}

func (s *spoken) day(t, now time.Time) string {
	pattern := s.forms.date
	if !now.IsZero() {
		if t = t.In(now.Location()); t.Year() == now.Year() {
			pattern = s.forms.dayOfYear
		}
	}
	return fmt.Sprintf(pattern, t.Day(), s.forms.months[t.Month()-1], t.Year())
}

func (s *spoken) clock(t time.Time, seconds bool) string {
	switch {
	case s.forms.halfDays && seconds:
		return t.Format("3:04:05 PM")
	case s.forms.halfDays:
		return t.Format("3:04 PM")
	case seconds:
		return t.Format("15:04:05")
	}
	return t.Format("15:04")
}

// forms are how a language formats numbers, sizes and dates.
type forms struct {
	decimal, group string
	fromFive       bool   // four digits are not grouped: 1234, 12.345
	percent        string // follows the number, with its space
	space          string // between a number and its unit
	bytes          [2]string
	units          [3]string // of 1024, 1024² and 1024³ bytes
	months         [12]string
	date           string // %[1]d day, %[2]s month, %[3]d year
	dayOfYear      string // the same without the year
	halfDays       bool   // 3:04 PM
}

const (
	hardSpace   = "\u00a0" // no-break space
	narrowSpace = "\u202f" // narrow no-break space
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

// formsOf are a language's usual forms, with the changes for its region. Regions that exchange point and comma matter: a number read with
// the wrong separators is another number.
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

// Elapsed is a time in a recording to a tenth of a second: "00:09.2", "1:02:03.4".
func Elapsed(seconds float64) string {
	tenths := int64(math.Floor(math.Min(math.Max(seconds, 0), 1e9)*10 + 1e-6))
	return elapsed(tenths/10) + Point() + strconv.FormatInt(tenths%10, 10)
}

// ElapsedShort is a time in a recording to the second: "00:09".
func ElapsedShort(seconds float64) string {
	return elapsed(int64(math.Min(math.Max(seconds, 0), 1e9) + 1e-6))
}

func elapsed(seconds int64) string {
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%02d:%02d", seconds/60, seconds%60)
}
