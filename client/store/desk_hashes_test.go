package store_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

// hashes are those that colleagues have shared, as one of them has them.
func (c *colleagues) hashes(i int) string {
	c.t.Helper()
	all, err := c.stores[i].DeskHashes(c.t.Context(), 0, 1000)
	assert.NoError(c.t, err)
	var lines []string
	for _, h := range all {
		lines = append(lines, fmt.Sprintf("%.6s %s %d %x", h.Content, h.Kind, h.Quality, h.Bits))
	}
	return strings.Join(lines, "\n")
}

func TestPerceptualHashesGoWhereTheAnswerGoes(t *testing.T) {
	c := newColleagues(t, "anna", "rui")
	anna, rui := c.stores[0], c.stores[1]
	id := newCase(t, anna, "A bridge")
	add(t, anna, ofGate(t, "bridge", submission.GateSend), ofGate(t, "doubtful", submission.GateAsk), ofGate(t, "asked", submission.GateAsk), ofGate(t, "source", submission.GateNever))
	for i, of := range []string{"bridge", "doubtful", "asked", "source"} {
		assert.NoError(t, anna.SetFingerprints(t.Context(), contentOf(of), []store.Fingerprint{
			{Kind: store.FrameFingerprint, Quality: 90, Bits: []byte{byte(i), 1}}, {Kind: store.PictureFingerprint, Quality: 80, Bits: []byte{byte(i), 2}},
			{Kind: store.SoundFingerprint, Quality: 100, Bits: []byte{byte(i), 3}},
		}))
	}
	_, err := anna.AddToCase(t.Context(), id, []string{"bridge", "doubtful", "asked", "source"}, "Anna")
	assert.NoError(t, err)
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
	assert.NoError(t, anna.AddToDesk(t.Context(), id, []string{"doubtful"}, desk.ShareStatus))
	c.sync()
	bridge := fmt.Sprintf("%[1]s picture 80 0002\n%[1]s frame 90 0001", contentOf("bridge")[:6])
	assert.Equal(t, bridge, c.hashes(1))
	assert.Equal(t, "", c.hashes(0)) // her own are hers

	t.Run("and by her word for one that asks", func(t *testing.T) {
		assert.NoError(t, anna.AddToDesk(t.Context(), id, []string{"asked"}, desk.ShareAll))
		c.sync()
		assert.Equal(t, fmt.Sprintf("%[1]s picture 80 0202\n%[1]s frame 90 0201\n", contentOf("asked")[:6])+bridge, c.hashes(1))
	})
	t.Run("and go with what is redacted", func(t *testing.T) {
		about := c.desk[slices.IndexFunc(c.desk, func(e desk.Event) bool {
			return e.Kind == desk.Result && hex.EncodeToString(e.Subject) == contentOf("asked")
		})]
		redact := desk.Event{ID: uuid.New(), Case: c.desk[0].Case, Author: "anna", Device: c.ids[0], Lamport: 99, Kind: desk.Redact, About: about.ID, Body: []byte("{}"), At: noon}
		assert.NoError(t, rui.Receive(t.Context(), []store.Received{{Event: redact}}, "", ""))
		assert.Equal(t, bridge, c.hashes(1))
	})
	t.Run("what is no hash, or is too much, is passed over", func(t *testing.T) {
		for _, hashes := range [][]desk.PDQ{
			{{Quality: 100}}, {{Hashes: make([]byte, desk.LongestPDQ+1)}}, make([]desk.PDQ, desk.MostPDQ+1),
		} {
			body, err := json.Marshal(desk.Body{Item: &desk.Item{Status: "FAKE", PDQ: hashes}})
			assert.NoError(t, err)
			e := desk.Event{ID: uuid.New(), Case: c.desk[0].Case, Author: "anna", Device: c.ids[0], Lamport: 100, Kind: desk.Result, Subject: bytes.Repeat([]byte{7}, 32), Body: body, At: noon}
			assert.NoError(t, rui.Receive(t.Context(), []store.Received{{Event: e}}, "", ""))
		}
		assert.Equal(t, bridge, c.hashes(1))
	})
	t.Run("and with the desk", func(t *testing.T) {
		assert.NoError(t, rui.LeaveDesk(t.Context()))
		assert.Equal(t, "", c.hashes(1))
	})
}
