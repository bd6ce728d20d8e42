package store_test

import (
	"database/sql"
	"io"
	"os"
	"testing"

	"assay/client/store"
)

// plain is what a store without an index for its search would have: the texts of all results in a table.
type plain struct{ *sql.DB }

func openPlain(b *testing.B, s *store.Store) plain {
	b.Helper()
	database, err := sql.Open("sqlite", ":memory:")
	check(b, err)
	database.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = database.Close() })
	_, err = database.ExecContext(b.Context(), "CREATE TABLE results (key INTEGER PRIMARY KEY, name TEXT, link TEXT, note TEXT)")
	check(b, err)
	rows, _, err := s.Page(b.Context(), store.Query{}, store.Cursor{}, 10*history)
	check(b, err)
	tx, err := database.BeginTx(b.Context(), nil)
	check(b, err)
	for _, r := range rows {
		_, err := tx.ExecContext(b.Context(), "INSERT INTO results VALUES (?, ?, ?, ?)", r.Key, r.Name, r.Link, r.Note)
		check(b, err)
	}
	check(b, tx.Commit())
	return plain{database}
}

// like scans all rows for the words.
func (p plain) like(b *testing.B, word string) {
	b.Helper()
	pattern, n := "%"+word+"%", 0
	check(b, p.QueryRowContext(b.Context(), "SELECT count(*) FROM results WHERE name LIKE ? OR link LIKE ? OR note LIKE ?", pattern, pattern, pattern).Scan(&n))
}

func copyFile(b *testing.B, from, to string) {
	b.Helper()
	in, err := os.Open(from)
	check(b, err)
	defer in.Close() //nolint:errcheck // only read from
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o600)
	check(b, err)
	_, err = io.Copy(out, in)
	check(b, err)
	check(b, out.Close())
}
