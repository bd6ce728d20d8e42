package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"assay/client/i18n"
)

// What one sheet and one cell of the format can hold.
const (
	mostRows    = excelize.TotalRows
	longestCell = excelize.TotalCellChars // in UTF-16 units
)

// modelColumns are those of the sheet of models.
var modelColumns = []struct {
	header string
	width  float64
	value  func(*Result, Model) any
}{
	{"request_id", 28, func(r *Result, _ Model) any { return r.RequestID }},
	{"name", 32, func(r *Result, _ Model) any { return r.Name }},
	{"model", 28, func(_ *Result, m Model) any { return m.Name }},
	{"status", 20, func(_ *Result, m Model) any { return m.Status }},
	{"applies", 8, func(_ *Result, m Model) any { return m.Applies }},
	{"ensemble", 9, func(_ *Result, m Model) any { return m.Ensemble }},
	{"score", 8, func(_ *Result, m Model) any { return m.Score }},
	{"score_field", 36, func(_ *Result, m Model) any {
		if m.Score == nil {
			return ""
		}
		return m.Score.Field
	}},
	{"raw", 14, func(_ *Result, m Model) any {
		if m.Raw == nil {
			return ""
		}
		return m.Raw.Sent
	}},
	{"decision", 14, func(_ *Result, m Model) any { return m.Decision }},
	{"contradiction", 24, func(_ *Result, m Model) any { return m.Contradiction }},
	{"failure", 32, func(_ *Result, m Model) any { return m.Failure }},
}

// writeXLSX writes a workbook: a sheet with a row for each result, and one with a row for each model. Cells are typed, and a text is never a formula.
func writeXLSX(_ context.Context, w io.Writer, _ Options, results iter.Seq2[*Result, error]) (err error) {
	// The archive is written to w directly, since excelize would hold all of it in memory.
	book := excelize.NewFile().SetZipWriter(func(io.Writer) excelize.ZipWriter { return newSortedZip(w) })
	defer func() { err = errors.Join(err, book.Close()) }() // it keeps large sheets in temporary files
	if err := book.SetSheetName("Sheet1", "Results"); err != nil {
		return err
	}
	if _, err := book.NewSheet("Models"); err != nil {
		return err
	}
	styles, err := newStyles(book)
	if err != nil {
		return err
	}
	var headers, modelHeaders []string
	var widths, modelWidths []float64
	for _, c := range columns {
		headers, widths = append(headers, c.header), append(widths, c.width)
	}
	for _, c := range modelColumns {
		modelHeaders, modelWidths = append(modelHeaders, c.header), append(modelWidths, c.width)
	}
	rows, err := newSheet(book, styles, "Results", headers, widths)
	if err != nil {
		return err
	}
	models, err := newSheet(book, styles, "Models", modelHeaders, modelWidths)
	if err != nil {
		return err
	}
	for r, err := range results {
		if err != nil {
			return err
		}
		cells := make([]any, 0, len(columns))
		for _, c := range columns {
			cells = append(cells, styles.cell(c.value(r)))
		}
		if err := rows.add(cells); err != nil {
			return err
		}
		for _, m := range r.Models {
			cells := make([]any, 0, len(modelColumns))
			for _, c := range modelColumns {
				cells = append(cells, styles.cell(c.value(r, m)))
			}
			if err := models.add(cells); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(rows.Flush(), models.Flush()); err != nil {
		return fmt.Errorf("write the workbook: %w", err)
	}
	return book.Write(io.Discard)
}

// styles are the workbook's numbers for the styles of cells.
type styles struct{ header, moment int }

func newStyles(book *excelize.File) (s styles, err error) {
	if s.header, err = book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return s, err
	}
	form := "yyyy-mm-dd hh:mm:ss"
	s.moment, err = book.NewStyle(&excelize.Style{CustomNumFmt: &form})
	return s, err
}

// cell converts a value for the workbook.
func (s styles) cell(value any) any {
	switch v := value.(type) {
	case string:
		if v == "" {
			return nil
		}
		return cutCell(v)
	case *Number:
		if v == nil {
			return nil
		}
		number, err := v.Value.Float64()
		if err != nil {
			return cutCell(v.Value.String())
		}
		return number
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return excelize.Cell{StyleID: s.moment, Value: v.UTC()}
	}
	return value
}

// cutCell shortens a text to the length that a cell can hold, with an ellipsis.
func cutCell(text string) string {
	if len(text) <= longestCell {
		return text
	}
	units := utf16.Encode([]rune(text))
	if len(units) <= longestCell {
		return text
	}
	units = units[:longestCell-1]
	if last := len(units) - 1; utf16.IsSurrogate(rune(units[last])) && utf16.DecodeRune(rune(units[last-1]), rune(units[last])) == utf8.RuneError {
		units = units[:last] // half of a surrogate pair
	}
	return string(utf16.Decode(units)) + "…"
}

// sheet is a sheet to which rows are appended.
type sheet struct {
	*excelize.StreamWriter
	row int // the last one written
}

func newSheet(book *excelize.File, s styles, name string, headers []string, widths []float64) (*sheet, error) {
	stream, err := book.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	cells := make([]any, len(headers))
	for i, header := range headers {
		if err := stream.SetColWidth(i+1, i+1, widths[i]); err != nil {
			return nil, err
		}
		cells[i] = excelize.Cell{StyleID: s.header, Value: header}
	}
	if err := stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	out := &sheet{StreamWriter: stream}
	return out, out.add(cells)
}

func (s *sheet) add(cells []any) error {
	if s.row == mostRows {
		return &Error{Text: i18n.F("A spreadsheet holds at most %s rows: export fewer results, or as .csv.", i18n.Count(mostRows))}
	}
	s.row++
	return s.SetRow("A"+strconv.Itoa(s.row), cells)
}
