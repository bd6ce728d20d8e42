package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
)

// A start merges the parts that the search index has become, but does not write all of it again each time.
func TestPartsOfTheSearchIndexAreMerged(t *testing.T) {
	folder := t.TempDir()
	kept := 0
	keep := func(n int) {
		s := open(t, folder, store.Options{})
		for range n { // each in a transaction of its own
			add(t, s, answered(t, fmt.Sprintf("statement %d", kept), client.Fake))
			kept++
		}
		assert.NoError(t, s.Close())
	}

	keep(500)
	const starts = 6
	rewritten := 0
	for range starts {
		for len(partsOfSearch(t, folder)) <= 8 {
			keep(1)
		}
		largest := partsOfSearch(t, folder)[0]
		s := open(t, folder, store.Options{})
		store.WaitForTidying(s)
		same(t, kept, count(t, s, store.Query{Text: "statement"}))
		assert.NoError(t, s.Close())
		after := partsOfSearch(t, folder)
		if len(after) > 4 {
			t.Error("the parts are", after)
		}
		if after[0] != largest {
			rewritten++
		}
	}
	if rewritten > starts/2 {
		t.Errorf("the largest part was written again at %d of %d starts", rewritten, starts)
	}
}

// partsOfSearch are the parts of the search index, by number and size, the largest first.
func partsOfSearch(t *testing.T, folder string) (parts []string) {
	t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(folder, "assay.db"))
	assert.NoError(t, err)
	defer database.Close() //nolint:errcheck // only read from
	rows, err := database.QueryContext(t.Context(), "SELECT segid || ': ' || count(*) FROM search_idx GROUP BY segid ORDER BY count(*) DESC, segid")
	assert.NoError(t, err)
	defer rows.Close() //nolint:errcheck // only read from
	for rows.Next() {
		var part string
		assert.NoError(t, rows.Scan(&part))
		parts = append(parts, part)
	}
	assert.NoError(t, rows.Err())
	return parts
}
