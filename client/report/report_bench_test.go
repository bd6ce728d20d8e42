package report_test

import (
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/xuri/excelize/v2"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/report"
	"assay/client/store"
	"assay/client/store/storetest"
)

// history is how many results B10 speaks of.
const history = 100_000

// BenchmarkB10 measures exports of very many results beside what their formats cost alone, and reports with pictures.
func BenchmarkB10(b *testing.B) {
	benchtest.Print(b, "")
	folder := b.TempDir()
	assert.NoError(b, storetest.FillFolder(b.Context(), folder, history))
	records, err := store.Open(b.Context(), folder, store.Options{})
	assert.NoError(b, err)
	ids := listed(b, records)
	for range 2 { // the first run fills the disk's cache for both
		benchCSV(b, records, filepath.Join(folder, "assay.db"), ids)
	}
	benchXLSX(b, records, ids)
	assert.NoError(b, records.Close())

	f := setup(b)
	f.withManyHeatmaps("big")
	took := benchtest.Seconds(func() { f.export("one.pdf", "big4") })
	benchtest.Print(b, "B10 a PDF of a result with four heatmaps: %.2f s (aim 1 s) %s", took, benchtest.Met(took <= 1))
	benchCase(b)
}

// listed are the IDs of all results.
func listed(b *testing.B, records *store.Store) (ids []string) {
	for at := (store.Cursor{}); ; {
		rows, next, err := records.Page(b.Context(), store.Query{}, at, 5000)
		assert.NoError(b, err)
		if len(rows) == 0 {
			return ids
		}
		for _, row := range rows {
			ids = append(ids, row.ID)
		}
		at = next
	}
}

// write exports results to a file, and returns how long it took and by how much the memory grew, in MiB.
func write(b *testing.B, records *store.Store, name string, ids []string) (seconds, grown float64) {
	selected := report.Selected{Records: records, Service: service, IDs: report.IDs(ids...), Table: report.IsTable(name)}
	before := heap()
	var most uint64
	seconds = benchtest.Seconds(func() {
		assert.NoError(b, report.Write(b.Context(), filepath.Join(b.TempDir(), name), report.Options{}, watched(selected.Results(b.Context()), &most)))
	})
	return seconds, (float64(most) - float64(before)) / (1 << 20)
}

// watched yields the same results, and keeps the most memory that was in use meanwhile.
func watched(results iter.Seq2[*report.Result, error], most *uint64) iter.Seq2[*report.Result, error] {
	return func(yield func(*report.Result, error) bool) {
		n := 0
		for r, err := range results {
			if n++; n%20_000 == 0 {
				*most = max(*most, heap())
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// heap is the memory that is in use after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// benchCSV compares with a bare SELECT of what a row is made of, the answer included, through encoding/csv.
func benchCSV(b *testing.B, records *store.Store, database string, ids []string) {
	db, err := sql.Open("sqlite", database)
	assert.NoError(b, err)
	bare := benchtest.Seconds(func() {
		file, err := os.Create(filepath.Join(b.TempDir(), "bare.csv"))
		assert.NoError(b, err)
		assert.NoError(b, bareCSV(b.Context(), db, file))
		assert.NoError(b, file.Sync())
		assert.NoError(b, file.Close())
	})
	assert.NoError(b, db.Close())
	took, grown := write(b, records, "results.csv", ids)
	benchtest.Print(b, "B10 %d results to CSV vs a bare SELECT through encoding/csv: %.2fx (aim 2x) %s; %.1f s against %.1f s, %.0f MiB more memory in use",
		len(ids), took/bare, benchtest.Met(took <= 2*bare), took, bare, grown)
}

func bareCSV(ctx context.Context, db *sql.DB, w io.Writer) error {
	rows, err := db.QueryContext(ctx, `SELECT s.request_id, s.name, s.link, s.type, s.status, a.release, s.accepted, s.uploaded, s.answered, s.note, s.size, s.sha256,
		s.send_name, hex(a.sha256), s.source, s.id, a.raw FROM submissions s JOIN answers a ON a.seq = s.answer WHERE s.listed = 1 ORDER BY s.key DESC`)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err says more
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, into, row := make([]sql.NullString, len(names)), make([]any, len(names)), make([]string, len(names))
	for i := range cells {
		into[i] = &cells[i]
	}
	out := csv.NewWriter(w)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, cell := range cells {
			row[i] = cell.String
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return rows.Err()
}

// benchXLSX compares with excelize's own stream writer for as many rows of the same cells, which are in memory.
func benchXLSX(b *testing.B, records *store.Store, ids []string) {
	sample := filepath.Join(b.TempDir(), "sample.xlsx")
	selected := report.Selected{Records: records, Service: service, IDs: report.IDs(ids[:1000]...), Table: true}
	assert.NoError(b, report.Write(b.Context(), sample, report.Options{}, selected.Results(b.Context())))
	cells := map[string][][]any{}
	book, err := excelize.OpenFile(sample)
	assert.NoError(b, err)
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
		assert.NoError(b, err)
		for _, row := range rows[1:] {
			values := make([]any, len(row))
			for i, text := range row {
				values[i] = text
			}
			cells[sheet] = append(cells[sheet], values)
		}
	}
	assert.NoError(b, book.Close())
	bare := benchtest.Seconds(func() { assert.NoError(b, bareXLSX(filepath.Join(b.TempDir(), "bare.xlsx"), cells, len(ids)/1000)) })
	took, grown := write(b, records, "results.xlsx", ids)
	benchtest.Print(b, "B10 %d results to XLSX vs excelize's stream writer: %.2fx (aim 1.3x) %s; %.1f s against %.1f s, %.0f MiB more memory in use",
		len(ids), took/bare, benchtest.Met(took <= 1.3*bare), took, bare, grown)
}

func bareXLSX(path string, cells map[string][][]any, times int) error {
	book := excelize.NewFile()
	for sheet, rows := range cells {
		if _, err := book.NewSheet(sheet); err != nil {
			return err
		}
		out, err := book.NewStreamWriter(sheet)
		if err != nil {
			return err
		}
		for i := range times * len(rows) {
			if err := out.SetRow(fmt.Sprintf("A%d", i+1), rows[i%len(rows)]); err != nil {
				return err
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if err := book.SaveAs(path); err != nil {
		return err
	}
	return book.Close()
}

// benchCase makes the reports of a case of 200 pictures, each with its photo and a heatmap.
func benchCase(b *testing.B) {
	f := setup(b)
	var ids []string
	for i := range 50 {
		id := fmt.Sprintf("p%03d", i)
		f.withManyHeatmaps(id)
		ids = append(ids, id, id+"4")
	}
	for i := range 100 {
		id := fmt.Sprintf("q%03d", i)
		f.add(id, kinds["fake"], nil)
		ids = append(ids, id)
	}
	for _, name := range []string{"case.pdf", "case.html"} {
		took := benchtest.Seconds(func() { f.export(name, ids...) })
		benchtest.Print(b, "B10 the report of a case of %d, 100 pictures with 250 heatmaps among them, as %s: %.1f s (aim 20 s) %s", len(ids), filepath.Ext(name), took, benchtest.Met(took <= 20))
	}
}
