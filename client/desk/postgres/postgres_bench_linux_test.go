package postgres_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/desk"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
)

// BenchmarkBLookUp compares asking who has checked a content, of which row-level security shows a member their own cases alone, with the same rows selected
// by somebody whom no policy is for, over the same kind of connection.
func BenchmarkBLookUp(b *testing.B) {
	const checks, cases, mine, rounds = 100_000, 200, 20, 2000
	f := setup(b)
	f.manyMembers(b, 200)
	member := f.join(f.name("editor"))
	other := f.join(f.name("admin"))
	ids := make([][16]byte, cases)
	for i := range ids {
		of := other
		if i < mine {
			of = member
		}
		ids[i] = of.newCase()
	}
	f.LoadChecks(b, checks, member.Me().Name, ids)
	bare := f.Connect(b, desktest.Superuser, f.Name)
	for _, tc := range []struct {
		name  string
		place int // of the case, for the contents that are asked for
		want  int
		miss  byte
	}{
		{"that was checked in the member's cases", 3, 1, 0},
		{"that nobody has checked", 3, 0, 1},
	} {
		var asked, selected []float64
		for range b.N {
			for round := range rounds {
				content := desktest.Content(round*37%(checks/cases)*cases+tc.place, checks)
				content[31] += tc.miss
				asked = append(asked, benchtest.Seconds(func() {
					found, _, err := member.Checked(b.Context(), content)
					assert.NoError(b, err)
					assert.True(b, len(found) == tc.want, "%d checks", len(found))
				}))
				selected = append(selected, benchtest.Seconds(func() {
					rows, err := bare.Query(b.Context(), "SELECT sha256, case_id, request_id, status, release, author, at FROM desk.checks WHERE sha256 = $1", content)
					assert.NoError(b, err)
					found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[postgres.Check])
					assert.NoError(b, err)
					assert.True(b, len(found) == tc.want, "%d rows", len(found))
				}))
			}
		}
		ratio := benchtest.Median(asked) / benchtest.Median(selected)
		benchtest.Print(b, "\nBDesk look-up of a content %s vs a bare indexed select over TLS, %d checks: %.2fx (aim 1.3x) %s; %.2f ms against %.2f ms",
			tc.name, checks, ratio, benchtest.Met(ratio <= 1.3), benchtest.Median(asked)*1e3, benchtest.Median(selected)*1e3)
	}
}

// BenchmarkBPush compares sending 1,000 events with a bare COPY of the same rows into a table with the same columns, defaults, checks and indexes.
func BenchmarkBPush(b *testing.B) {
	const events, rounds = 1000, 15
	f := setup(b)
	f.manyMembers(b, 200)
	member := f.join(f.name("editor"))
	of := member.newCase(f.name("reviewer"))
	for range 20 {
		member.newCase()
	}
	bare := f.Connect(b, desktest.Superuser, f.Name)
	_, err := bare.Exec(b.Context(), "CREATE TABLE desk.bare (LIKE desk.events INCLUDING ALL)")
	assert.NoError(b, err)
	var pushed, copied []float64
	for range b.N {
		for range rounds {
			all := make([]desk.Event, events)
			rows := make([][]any, events)
			for i := range all {
				sum := sha256.Sum256(fmt.Append(nil, member.clock))
				e := desk.Event{
					ID: uuid.New(), Case: of, Author: member.Me().Name, Device: member.id, Lamport: member.clock + 1, Kind: desk.Note, Subject: sum[:],
					Body: fmt.Appendf(nil, `{"at": "2026-11-21T12:00:00Z", "text": "What a person writes in a note: some two hundred letters, as %x"}`, sum[:16]),
				}
				member.clock++
				e.Sign(member.key)
				all[i] = e
				rows[i] = []any{e.ID, e.Case, e.Author, e.Device, e.Lamport, string(e.Kind), nil, e.Subject, string(e.Body), e.Digest, e.Sig}
			}
			pushed = append(pushed, benchtest.Seconds(func() { member.push(all...) }))
			copied = append(copied, benchtest.Seconds(func() {
				_, err := bare.CopyFrom(b.Context(), pgx.Identifier{"desk", "bare"}, []string{"id", "case_id", "author", "device", "lamport", "kind", "about", "subject", "body", "digest", "sig"}, pgx.CopyFromRows(rows))
				assert.NoError(b, err)
			}))
		}
	}
	ratio := benchtest.Median(pushed) / benchtest.Median(copied)
	benchtest.Print(b, "\nBDesk push of %d events vs a bare COPY: %.2fx (aim 1.5x) %s; %.0f ms against %.0f ms",
		events, ratio, benchtest.Met(ratio <= 1.5), benchtest.Median(pushed)*1e3, benchtest.Median(copied)*1e3)
	assert.True(b, benchtest.Median(pushed) < time.Second.Seconds(), "%d events take more than a second", events)
}

// manyMembers makes a desk as large as one gets.
func (f *fixture) manyMembers(b testing.TB, n int) {
	b.Helper()
	_, err := f.Login(f.Owner).Exec(b.Context(), "INSERT INTO desk.members (name, display, role) SELECT 'member ' || n, 'Member ' || n, 'editor' FROM generate_series(1, $1) n", n)
	assert.NoError(b, err)
}
