package store

import (
	"context"
	"fmt"
	"strings"

	"assay/client/plain"
)

// rowText is what a Row holds of text.
const rowText = "s.id, s.name, s.link, s.note, s.request_id, s.source, s.folder, s.type, s.status"

// rowColumns are what rows are read from. The texts come as one: what the driver does for each cell takes longer than all
// the rest of reading a row.
const rowColumns = "s.key, s.size, s.accepted, s.answered, concat_ws(char(31), " + rowText + ")"

// separator is between the texts; one that holds it itself is read again.
const separator = "\x1f"

// rowReader reads rows.
type rowReader struct {
	cells, into []any
	odd         []int64 // the keys of rows with a separator in their texts
}

// newRowReader is for rowColumns and some more behind them.
func newRowReader(more int) *rowReader {
	r := &rowReader{cells: make([]any, 5+more)}
	for i := range r.cells {
		r.into = append(r.into, &r.cells[i]) // any: database/sql converts slowly
	}
	return r
}

// cell is one as it came; it is damaged where it is of another type.
func cell[T any](r *rowReader, i int) (T, error) {
	value, ok := r.cells[i].(T)
	if !ok {
		return value, fmt.Errorf("%w: a cell holds a %T", ErrDamaged, r.cells[i])
	}
	return value, nil
}

// read reads the row at hand.
func (r *rowReader) read(from scanner) (row Row, err error) {
	if err := from.Scan(r.into...); err != nil {
		return Row{}, err
	}
	if row.Key, err = cell[int64](r, 0); err != nil {
		return Row{}, err
	}
	if row.Size, err = cell[int64](r, 1); err != nil {
		return Row{}, err
	}
	texts, err := cell[string](r, 4)
	if err != nil {
		return Row{}, err
	}
	if err := (moment{&row.Accepted}).Scan(r.cells[2]); err != nil {
		return Row{}, err
	}
	if err := (moment{&row.Answered}).Scan(r.cells[3]); err != nil {
		return Row{}, err
	}
	if strings.Count(texts, separator)+1 != len(row.texts()) {
		r.odd = append(r.odd, row.Key)
		return row, nil
	}
	for _, into := range row.texts() {
		*into, texts, _ = strings.Cut(texts, separator)
	}
	row.Name = plain.From(row.Name).String()
	return row, nil
}

// texts are where rowText goes.
func (row *Row) texts() [9]*string {
	return [...]*string{&row.ID, &row.Name, &row.Link, &row.Note, &row.RequestID, (*string)(&row.Source), &row.Folder, (*string)(&row.Type), (*string)(&row.Status)}
}

// complete reads the texts of odd rows, one by one.
func (r *rowReader) complete(ctx context.Context, c *connection, rows []Row) error {
	for _, key := range r.odd {
		for i := range rows {
			if rows[i].Key != key {
				continue
			}
			into := []any{}
			for _, text := range rows[i].texts() {
				into = append(into, text)
			}
			if _, err := c.one(ctx, into, "SELECT "+rowText+" FROM submissions s WHERE s.key = ?", key); err != nil {
				return err
			}
			rows[i].Name = plain.From(rows[i].Name).String()
		}
	}
	return nil
}
