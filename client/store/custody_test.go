package store_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assay/client/assert"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
)

func TestCustodyLog(t *testing.T) {
	s := setup(t)
	pulled := answered(t, "pulled", client.Authentic)
	pulled.Source, pulled.Path = submission.Service, ""
	add(t, s, waiting("a"), pulled)
	sub := answered(t, "a", client.Fake)
	sub.Path, sub.SHA256, sub.Size = `C:\secret folder\Ä "a".jpg`, strings.Repeat("0f", 32), 12
	sub.Upload = client.Upload{SignedURL: "https://storage.example/?signature=secret", Issued: noon}
	assert.NoError(t, s.Answer(t.Context(), sub, "answered"))
	entries, err := s.Custody(t.Context(), "a")
	assert.NoError(t, err)
	if len(entries) != 2 || entries[0].Seq != 1 || entries[1].Seq != 3 || entries[0].Previous != "" || !entries[1].At.Equal(noon) {
		t.Fatalf("%+v", entries)
	}
	t.Run("says what was known, and nothing secret", func(t *testing.T) {
		changes, err := s.History(t.Context(), "a")
		assert.NoError(t, err)
		want := `{"name":"a.jpg","file":"Ä \"a\".jpg","source":"dropped","sha256":"` + sub.SHA256 + `","size":12,"requestId":"request-a","status":"FAKE",` +
			`"answerSha256":"` + changes[0].RawSHA256 + `"}`
		assert.Equal(t, want, string(entries[1].Facts))
	})
	t.Run("can be verified by others", func(t *testing.T) {
		of, err := s.Custody(t.Context(), "pulled")
		assert.NoError(t, err)
		if of[0].Event != custody.Pulled {
			t.Error(of[0].Event)
		}
		previous := ""
		for _, e := range []custody.Entry{entries[0], of[0], entries[1]} {
			text, err := json.Marshal(e)
			assert.NoError(t, err)
			var read custody.Entry
			assert.NoError(t, json.Unmarshal(text, &read))
			if e.Previous != previous || e.Sum() != e.Hash || read.Sum() != e.Hash || len(e.Hash) != 64 {
				t.Errorf("%+v", e)
			}
			previous = e.Hash
		}
		assert.NoError(t, s.VerifyCustody(t.Context()))
	})
}

func TestTamperingWithTheCustodyLogIsFound(t *testing.T) {
	for name, tc := range map[string]struct {
		statement string
		broken    int64 // 0: it cannot be seen
	}{
		"a changed event":             {"UPDATE custody SET deed = 'rejected' WHERE seq = 4", 4},
		"changed facts":               {"UPDATE custody SET facts = '{}' WHERE seq = 2", 2},
		"a changed time":              {"UPDATE custody SET at = at + 1 WHERE seq = 1", 1},
		"another submission":          {"UPDATE custody SET submission = 'b' WHERE seq = 3", 3},
		"an entry left out":           {"DELETE FROM custody WHERE seq = 3", 3},
		"the first left out":          {"DELETE FROM custody WHERE seq = 1", 1},
		"a changed hash":              {"UPDATE custody SET hash = zeroblob(32) WHERE seq = 5", 5},
		"a changed link":              {"UPDATE custody SET previous = zeroblob(32) WHERE seq = 5", 5},
		"an entry of another type":    {"UPDATE custody SET facts = x'00ff' WHERE seq = 2", 2},
		"a time that is none":         {"UPDATE custody SET at = 'noon' WHERE seq = 2", 2},
		"the last left out":           {"DELETE FROM custody WHERE seq = 6", 6},
		"all of them left out":        {"DELETE FROM custody", 1},
		"a changed hash of the tree":  {"UPDATE custody_tree SET hashes = zeroblob(32) WHERE seq = 5", 5},
		"a hash of the tree left out": {"DELETE FROM custody_tree WHERE leaf = 1", 2},
		"the tree left out":           {"DELETE FROM custody_tree", 1},
		"the last left out of both":   {"DELETE FROM custody WHERE seq = 6; DELETE FROM custody_tree WHERE seq = 6", 0},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			s, err := store.Open(t.Context(), folder, store.Options{})
			assert.NoError(t, err)
			for _, id := range []string{"a", "b"} {
				sub := add(t, s, waiting(id))[0]
				assert.NoError(t, s.Save(t.Context(), sub, "sent"))
				assert.NoError(t, s.Answer(t.Context(), answered(t, id, client.Fake), "answered"))
			}
			assert.NoError(t, s.VerifyCustody(t.Context()))
			assert.NoError(t, s.Close())
			tamper(t, folder, tc.statement)
			s = open(t, folder, store.Options{})
			for range 2 {
				err = s.VerifyCustody(t.Context())
				var broken *custody.Broken
				switch {
				case tc.broken == 0:
					assert.NoError(t, err)
				case !errors.As(err, &broken):
					t.Error(err)
				case broken.Seq != tc.broken:
					t.Error("found at", broken.Seq)
				}
				add(t, s, waiting(uuid.NewString())) // and the log goes on
			}
		})
	}
}
