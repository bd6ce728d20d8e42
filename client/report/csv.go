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

// writeCSV writes a row for each result, as RFC 4180 has it. The last column names the columns whose text got a tab before it, so that a script can
// take it away again.
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

// csvCell is a value as text. escaped says that it got a tab before it.
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

// lineFeeds makes one line break of each kind: the writer would leave out a carriage return that stands alone.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// startsFormula reports whether a spreadsheet may take a text for a formula: by its first character that is no space, or as it begins with a tab
// (OWASP, "CSV Injection"). A tab before it keeps it a text, also after the spreadsheet has saved it again.
func startsFormula(text string) bool {
	if strings.HasPrefix(text, "\t") {
		return true
	}
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	return strings.IndexAny(text, "=+-@＝＋－＠") == 0
}
