package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/submission"
)

// The SQL of a file as each version's Assay left it is in migrations: nothing else may tell a version from another.
func TestMigrations(t *testing.T) {
	released, err := versions()
	assert.NoError(t, err)
	// file has the steps up to a version, with a row that must survive.
	file := func(t *testing.T, version int) *connection {
		t.Helper()
		c, err := connectTo(t.Context(), filepath.Join(t.TempDir(), fileName), writes)
		assert.NoError(t, err)
		t.Cleanup(func() { _ = c.close() })
		assert.NoError(t, migrateBy(t.Context(), c, false, released[:version]))
		if _, err := c.exec(t.Context(), "INSERT INTO facts VALUES ('kept', 'yes')"); err != nil {
			t.Fatal(err)
		}
		return c
	}
	version := func(t *testing.T, c *connection) int {
		t.Helper()
		n, err := c.number(t.Context(), "PRAGMA user_version")
		assert.NoError(t, err)
		return int(n)
	}
	kept := func(t *testing.T, c *connection) {
		t.Helper()
		if n, err := c.number(t.Context(), "SELECT count(*) FROM facts WHERE name = 'kept' AND value = 'yes'"); n != 1 || err != nil {
			t.Error("the row did not survive", err)
		}
	}
	for from := 1; from <= len(released); from++ {
		t.Run("from a released version to the newest", func(t *testing.T) {
			c := file(t, from)
			assert.NoError(t, migrate(t.Context(), c, true))
			if _, err := c.check(t.Context(), state{begun: true, suspected: true}); err != nil {
				t.Error(err)
			}
			assert.Equal(t, len(released), version(t, c))
			kept(t, c)
		})
	}
	t.Run("an Assay of before cases leaves a file with cases as it is", func(t *testing.T) {
		c := file(t, len(released))
		if err := migrateBy(t.Context(), c, true, released[:9]); !errors.Is(err, ErrNewer) {
			t.Error(err)
		}
		assert.Equal(t, len(released), version(t, c))
	})
	t.Run("feedback of version 1 waits, or was sent", func(t *testing.T) {
		c := file(t, 1)
		if _, err := c.exec(t.Context(), `INSERT INTO feedback VALUES ('a', 'r', 'REAL', 'OTHER', '', 1, NULL, NULL, ''), ('b', 'r', 'REAL', 'OTHER', '', 2, 3, NULL, '')`); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, migrate(t.Context(), c, true))
		for id, state := range map[string]FeedbackState{"a": FeedbackWaiting, "b": FeedbackSent} {
			if n, err := c.number(t.Context(), "SELECT count(*) FROM feedback WHERE id = ? AND state = ? AND due IS NULL", id, string(state)); n != 1 || err != nil {
				t.Errorf("%s is not %s: %v", id, state, err)
			}
		}
	})
	t.Run("submissions of version 2 may leave, are of no folder, and stand in the inbox as they did", func(t *testing.T) {
		c := file(t, 2)
		for i, sub := range []submission.Submission{
			{ID: "running", State: submission.Sending, Filed: true}, {ID: "done", State: submission.Done, Name: "found by its name", Filed: true},
			{ID: "failed", State: submission.Failed},
		} {
			insertOld(t, c, i+1, sub, nil)
		}
		assert.NoError(t, migrate(t.Context(), c, true))
		for question, want := range map[string]int64{
			"SELECT count(*) FROM submissions WHERE gate = 'send' AND folder = '' AND allowed IS NULL": 3,
			"SELECT count(*) FROM submissions WHERE neutral = 0 AND copy_path || copy_sha256 = ''":     3,
			"SELECT count(*) FROM submissions INDEXED BY submissions_inbox WHERE inbox = 1":            2,
			"SELECT count(*) FROM submissions INDEXED BY results_date WHERE listed = 1":                1,
			"SELECT count(*) FROM search WHERE search MATCH 'found'":                                   1,
			"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'":                 1,
			"SELECT count(*) FROM (SELECT key FROM folders UNION SELECT folder FROM folder_files)":     0,
			"SELECT count(*) FROM submissions WHERE id = 'done' AND state = 'done' AND name <> ''":     1,
			"SELECT count(*) FROM pragma_table_xinfo('submissions') WHERE name = 'inbox'":              1,
			"SELECT count(*) FROM pragma_index_list('submissions') WHERE name = 'submissions_inbox'":   1,
		} {
			if n, err := c.number(t.Context(), question); n != want || err != nil {
				t.Errorf("%s: %d, %v, want %d", question, n, err, want)
			}
		}
	})
	t.Run("what was said of version 5 is said as it stood, whatever it looks like, and in every language", func(t *testing.T) {
		texts := []string{"Diese Datei ist leer.", "503", `"quoted" and {"code": "This file is empty."}`, "null", "a\nb\x00c", "", "a\xffb"}
		c := file(t, 5)
		for i, text := range texts {
			sub := submission.Submission{ID: strconv.Itoa(i), State: submission.Failed}
			insertOld(t, c, i+1, sub, map[string]any{"problem": text, "warning": text})
			if _, err := c.exec(t.Context(), `INSERT INTO feedback VALUES (?, 'r', 'REAL', 'OTHER', '', 1, NULL, NULL, ?, 'waiting', NULL)`, strconv.Itoa(i), text); err != nil {
				t.Fatal(err)
			}
		}
		assert.NoError(t, migrate(t.Context(), c, true))
		for i, text := range texts {
			sub, found, err := getBy(t.Context(), c, "WHERE s.id = ?", strconv.Itoa(i))
			if !found || err != nil {
				t.Fatal(err)
			}
			var given i18n.Message
			if _, err := c.one(t.Context(), []any{messageInto{&given}}, "SELECT problem FROM feedback WHERE id = ?", strconv.Itoa(i)); err != nil {
				t.Fatal(err)
			}
			for _, said := range []i18n.Message{sub.Problem, sub.Warning, given} {
				if said != i18n.Verbatim(text) {
					t.Errorf("%q became %#v", text, said)
				}
			}
		}
	})
	t.Run("what version 6 sent at once is sent at once, and no other gate changes", func(t *testing.T) {
		c := file(t, 6)
		want := map[submission.Gate]submission.Gate{"": submission.GateSend, "ask": submission.GateAsk, "never": submission.GateNever, "of a later version": "of a later version"}
		for gate := range want {
			sub := submission.Submission{ID: "with " + string(gate), State: submission.Waiting, Gate: gate}
			insertOld(t, c, len(gate)+1, sub, nil)
		}
		assert.NoError(t, migrate(t.Context(), c, true))
		for before, now := range want {
			if sub, found, err := getBy(t.Context(), c, "WHERE s.id = ?", "with "+string(before)); !found || err != nil || sub.Gate != now {
				t.Errorf("%q became %q, %v, want %q", before, sub.Gate, err, now)
			}
		}
	})
	t.Run("answers of version 11 that differ from those before on the same content are to be seen by a person", func(t *testing.T) {
		c := file(t, 11)
		for i, row := range []struct{ sha256, status string }{{"aa", "FAKE"}, {"bb", "FAKE"}, {"aa", "FAKE"}, {"aa", "AUTHENTIC"}, {"", "FAKE"}, {"", "AUTHENTIC"}, {"bb", "FAKE"}} {
			sub := submission.Submission{ID: strconv.Itoa(i), State: submission.Done, SHA256: row.sha256, Answered: time.Unix(int64(i), 0)}
			insertOld(t, c, i+1, sub, nil)
			for _, statement := range []string{
				"INSERT INTO answers (seq, submission, at, status, release, sha256, final, raw) VALUES (?1, ?1, ?1, ?2, '2.' || ?1, x'00', 1, '{}')",
				"UPDATE submissions SET answer = ?1, status = ?2 WHERE key = ?1",
			} {
				if _, err := c.exec(t.Context(), statement, i+1, row.status); err != nil {
					t.Fatal(err)
				}
			}
		}
		assert.NoError(t, migrate(t.Context(), c, true))
		s := &Store{readers: c}
		rows, _, err := s.Page(t.Context(), Query{Changed: true}, Cursor{}, 9)
		assert.NoError(t, err)
		if len(rows) != 1 || rows[0].ID != "3" || rows[0].Was != "FAKE" {
			t.Errorf("%+v", rows)
		}
		changes, err := s.Changes(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, Changes{Count: 1, Since: "2.3"}, changes)
	})
	t.Run("cases of version 10 are open, and tell when they were made and what was put into them", func(t *testing.T) {
		c := file(t, 10)
		sub := submission.Submission{ID: "a", Name: "a.jpg"}
		insertOld(t, c, 1, sub, nil)
		for _, statement := range []string{
			"INSERT INTO cases VALUES (1, 'case', 'The flood', 10, 40)", "INSERT INTO case_items VALUES (1, 1, 1, 20)",
			"INSERT INTO case_notes VALUES (1, 'note', 1, 'place', 'The mill', 'Ines', 15)",
		} {
			if _, err := c.exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		assert.NoError(t, migrate(t.Context(), c, true))
		s := &Store{readers: c}
		all, err := s.Cases(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, []Case{{ID: "case", Title: "The flood", Created: time.Unix(0, 10), Changed: time.Unix(0, 40), State: CaseOpen, Tags: []string{}, Items: 1, People: []string{"Ines"}}}, all)
		var lines []string
		happened, _, err := s.CaseEvents(t.Context(), "case", CaseCursor{}, 9)
		assert.NoError(t, err)
		for _, e := range happened {
			lines = append(lines, strings.TrimSpace(fmt.Sprint(e.Kind, " ", e.Text, " ", e.About, e.By, " ", e.At.UnixNano())))
		}
		assert.Equal(t, []string{"added a.jpg a 20", "check The mill Ines 15", "created The flood  10"}, lines)
	})
	t.Run("to versions to come, and only once", func(t *testing.T) {
		c := file(t, len(released))
		later := append(released[:len(released):len(released)], "CREATE TABLE one (a); INSERT INTO one VALUES (1);", "ALTER TABLE one ADD COLUMN b;")
		for range 2 {
			assert.NoError(t, migrateBy(t.Context(), c, true, later))
		}
		assert.Equal(t, len(later), version(t, c))
		if n, err := c.number(t.Context(), "SELECT count(b) + count(a) FROM one"); n != 1 || err != nil {
			t.Error(n, err)
		}
		kept(t, c)
	})
	t.Run("a step that fails leaves the version before it", func(t *testing.T) {
		c := file(t, len(released))
		later := append(released[:len(released):len(released)], "CREATE TABLE one (a);", "CREATE TABLE two (a); INSERT INTO nowhere VALUES (1);")
		if err := migrateBy(t.Context(), c, true, later); err == nil || !strings.Contains(err.Error(), "nowhere") {
			t.Fatal(err)
		}
		assert.Equal(t, len(released)+1, version(t, c))
		if n, err := c.number(t.Context(), "SELECT count(*) FROM sqlite_schema WHERE name IN ('one', 'two')"); n != 1 || err != nil {
			t.Error("half of a step was made:", n, err)
		}
		kept(t, c)
	})
}

// insertOld inserts a submission into the table as an earlier version has it, with other values in some columns.
func insertOld(t *testing.T, c *connection, key int, sub submission.Submission, other map[string]any) {
	t.Helper()
	names, bound := []string{"key", "note"}, []any{key, ""}
	for _, col := range columns {
		if n, err := c.number(t.Context(), "SELECT count(*) FROM pragma_table_xinfo('submissions') WHERE name = ?", col.name); err != nil {
			t.Fatal(err)
		} else if n == 0 {
			continue
		}
		value, set := other[col.name]
		if !set {
			value = col.value(&sub)
		}
		names, bound = append(names, col.name), append(bound, value)
	}
	if _, err := c.exec(t.Context(), "INSERT INTO submissions ("+strings.Join(names, ", ")+") VALUES (?"+strings.Repeat(", ?", len(names)-1)+")", bound...); err != nil {
		t.Fatal(err)
	}
}
