package report

import (
	"context"
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// writeCSV writes a row for each result, according to RFC 4180. The last column lists the columns whose text was given a tab before it, so
// that a script can remove it.
func writeCSV(_ context.Context, w io.Writer, o Options, results iter.Seq2[*Result, error]) error {
	if o.ByteOrderMark {
		if _, err := w.Write([]byte("\ufeff")); err != nil {
			return err
		}
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	row := make([]string, 0, len(columns)+1)
	for _, c := range columns {
		row = append(row, c.header)
	}
	if err := out.Write(append(row, "escaped")); err != nil {
		return err
	}
	for r, err := range results {
		if err != nil {
			return err
		}
		row = row[:0]
		var escaped []string
		for _, c := range columns {
			text, changed := csvCell(c.value(r))
			if changed {
				escaped = append(escaped, c.header)
			}
			row = append(row, text)
		}
		if err := out.Write(append(row, strings.Join(escaped, " "))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csvCell formats a value. escaped means that a tab was put before it.
func csvCell(value any) (text string, escaped bool) {
	switch v := value.(type) {
	case string:
		v = lineFeeds.Replace(v)
		if startsFormula(v) {
			return "\t" + v, true
		}
		return v, false
	case bool:
		return strconv.FormatBool(v), false
	case int64:
		return strconv.FormatInt(v, 10), false
	case *Number:
		if v != nil {
			return v.Value.String(), false
		}
	case time.Time:
		return timeText(v), false
	}
	return "", false
}

// lineFeeds turns every kind of line break into a line feed, because csv.Writer would drop a lone carriage return.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// startsFormula reports whether a spreadsheet may take a text for a formula: because of its first character that is no space, or because of
// a tab at its beginning (OWASP, "CSV Injection"). A tab before it keeps it a text, even after the spreadsheet has saved it again.
func startsFormula(text string) bool {
	if strings.HasPrefix(text, "\t") {
		return true
	}
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	return strings.IndexAny(text, "=+-@＝＋－＠") == 0
}
