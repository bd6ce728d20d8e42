package desktest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/jackc/pgx/v5"

	"assay/client/assert"
)

// Content is the SHA-256 of the one of n contents with a number, as LoadChecks has them: all different, spread evenly, and in their order, so that
// their index is quickly made.
func Content(number, n int) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(number)))              //nolint:gosec // none is negative
	binary.BigEndian.PutUint64(sum[:], math.MaxUint64/uint64(n)*uint64(number)+uint64(n)) //nolint:gosec // likewise
	return sum[:]
}

// LoadChecks has n contents be checked by a member, in cases in turn: the first in the first one. No event says so.
func (d *Database) LoadChecks(t testing.TB, n int, author string, cases [][16]byte) {
	t.Helper()
	admin := d.Connect(t, Superuser, d.Name)
	_, err := admin.Exec(t.Context(), "SET session_replication_role = replica") // what they refer to is there
	assert.NoError(t, err)
	number := 0
	_, err = admin.CopyFrom(t.Context(), pgx.Identifier{"desk", "checks"}, []string{"sha256", "case_id", "request_id", "status", "release", "author"},
		pgx.CopyFromFunc(func() ([]any, error) {
			if number == n {
				return nil, nil
			}
			row := []any{Content(number, n), cases[number%len(cases)], fmt.Sprintf("00000000-0000-4000-8000-%012x", number), "FAKE", "2.1", author}
			number++
			return row, nil
		}))
	assert.NoError(t, err)
	_, err = admin.Exec(t.Context(), "VACUUM (ANALYZE) desk.checks")
	assert.NoError(t, err)
}
