package i18n

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Count is a number of things, with its thousands grouped: "1,234".
func Count(n int) string { return current().count(int64(n)) }

// Number is a number with so many digits after the point: Number(1234.5, 1) is "1,234.5". What the service sent is shown as sent,
// and not by this.
func Number(value float64, digits int) string { return current().number(value, digits) }

// Percent is a number with the sign: Percent(45, 0) is "45 %".
func Percent(value float64, digits int) string {
	s := current()
	return s.number(value, digits) + s.forms.percent
}

// Wait is a rough time to wait: seconds under a minute and a half, then minutes, then hours: "45 s", "3 min", "2 h".
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

// Duration is a time to the millisecond, in the largest unit that it is a whole number of: "90 s", "2 min", "1 h", "1,500 ms".
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

// Size is a size in words: "0 bytes", "900 KB", "5.2 MB", "50 MB", "1.5 GB". KB, MB and GB are powers of 1024, as in the caps of
// the service. What is below 0 counts as 0.
func Size(bytes int64) string { return current().sizeText(bytes) }

// SizeOf is a part of a size and the whole, with one unit where that is the same: "48 of 210 MB", "900 KB of 2.1 MB".
func SizeOf(part, whole int64) string {
	s := current()
	a, unit := s.size(part)
	b, wholeUnit := s.size(whole)
	if unit != wholeUnit {
		a += s.forms.space + unit
	}
	return F("%s of %s", a, b+s.forms.space+wholeUnit)
}

// Bytes is a number of bytes to the byte: "1,234,567 bytes".
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
	case bytes < mb-kb/2: // what would round to 1024 KB is 1 MB
		return strconv.FormatInt((bytes+kb/2)/kb, 10), s.forms.units[0]
	case bytes < gb-mb/20:
		return s.shortest(float64(bytes) / mb), s.forms.units[1]
	}
	return s.shortest(float64(bytes) / gb), s.forms.units[2]
}

// shortest rounds to one digit after the point, which is left out where it is 0. Its thousands stand together.
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

// grouped takes decimal digits, with a minus or without.
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

// Point is the sign before the digits of a fraction: "." or ",".
func Point() string { return current().forms.decimal }
