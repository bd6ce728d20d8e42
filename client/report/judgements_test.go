package report_test

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/report"
	"assay/client/store"
	"assay/client/submission"
)

func TestTheReportSaysWhoSignedOff(t *testing.T) {
	f := setup(t)
	f.add("a", `{"requestId": "request-a", "overallStatus": "FAKE", "releaseVersion": "2.1"}`, nil)
	f.add("b", `{"requestId": "request-b", "overallStatus": "FAKE", "releaseVersion": "2.1"}`, nil)
	c, err := f.AddCase(t.Context(), store.Case{Title: "The flood"})
	assert.NoError(t, err)
	_, err = f.AddToCase(t.Context(), c.ID, []string{"a", "b"}, "Ines")
	assert.NoError(t, err)
	assert.NoError(t, f.JoinDesk(t.Context(), store.Membership{Member: "ines", Device: uuid.New()}))
	assert.NoError(t, f.SetDeskPeople(t.Context(), []store.DeskMember{{Name: "ines", Display: "Ines"}, {Name: "rui", Display: "Rui\u202e"}}, nil))
	assert.NoError(t, f.ShareCase(t.Context(), c.ID, desk.ShareAnswer))
	judged, err := f.AddFeedback(t.Context(), store.Feedback{Feedback: client.Feedback{RequestID: "request-a", Label: client.LabelManipulated, Comment: "The <b>waterline</b>."}})
	assert.NoError(t, err)
	judged.State = store.FeedbackSending
	assert.NoError(t, f.SaveFeedback(t.Context(), judged))
	page := func() string {
		of, err := report.ReadCase(t.Context(), f.Store, c)
		assert.NoError(t, err)
		return strings.Join(strings.Fields(f.page(report.Options{Case: of}, "a", "b").text.String()), " ")
	}
	says := func(t *testing.T, read string, want ...string) {
		t.Helper()
		for _, text := range want {
			if !strings.Contains(read, text) {
				t.Errorf("it does not say %q: %s", text, read)
			}
		}
	}

	t.Run("not signed off", func(t *testing.T) {
		read := page()
		says(t, read, "Manipulated: “The <b>waterline</b>.” Ines, ", "Not signed off")
		assert.Equal(t, 2, strings.Count(read, "Empty: nobody has signed.")) // under each result
	})
	// What Rui saw, and signed off on his own computer.
	events, err := f.Unsent(t.Context(), 100)
	assert.NoError(t, err)
	byID, seen := map[uuid.UUID]desk.Event{}, []string{}
	signOff := desk.Event{ID: uuid.New(), Author: "rui", Device: uuid.New(), Lamport: 100, Kind: desk.SignOff, At: time.Now()}
	for _, e := range events {
		if byID[e.ID] = e; e.Kind == desk.Judgement {
			signOff.Case, signOff.About = e.Case, e.ID
			for _, of := range []desk.Event{e, byID[e.About]} {
				seen = append(seen, hex.EncodeToString(desk.Digest(of.Subject, of.Body)))
			}
		}
	}
	signOff.Body, err = json.Marshal(desk.Body{At: time.Date(2026, time.November, 21, 12, 0, 0, 0, time.Local), Seen: seen})
	assert.NoError(t, err)
	assert.NoError(t, f.Receive(t.Context(), []store.Received{{Event: signOff}}, "1", ""))
	t.Run("signed off, in the case and under its result", func(t *testing.T) {
		read := page()
		says(t, read, "Signed off by Rui\ufffd, ", "Sign-off by a second person Name Rui\ufffd Date and time ")
		assert.Equal(t, 1, strings.Count(read, "Empty: nobody has signed."))
	})
	t.Run("as a PDF likewise", func(t *testing.T) {
		of, err := report.ReadCase(t.Context(), f.Store, c)
		assert.NoError(t, err)
		said := words(tool(t, "pdftotext", "-raw", f.pdf(report.Options{Case: of}, "a", "b"), "-"))
		for _, want := range []string{"Manipulated: “The <b>waterline</b>.”", "Signed off by Rui", "Sign-off by a second person Name Rui"} {
			if !strings.Contains(said, words(want)) {
				t.Errorf("it does not say %q: %s", want, said)
			}
		}
	})
	t.Run("void once there is another answer", func(t *testing.T) {
		sub, _, err := f.Get(t.Context(), "a")
		assert.NoError(t, err)
		again := submission.Submission{ID: "c", Name: "c.jpg", Gate: submission.GateSend, State: submission.Done, Step: submission.Answered, Type: client.Image, SHA256: sub.SHA256, RequestID: "request-c", Accepted: time.Now(), Answered: time.Now(), Result: new(client.Result)}
		raw := `{"requestId": "request-c", "overallStatus": "AUTHENTIC", "releaseVersion": "3.0"}`
		assert.NoError(t, json.Unmarshal([]byte(raw), again.Result))
		again.Result.Raw = json.RawMessage(raw)
		_, err = f.Add(t.Context(), []submission.Submission{again})
		assert.NoError(t, err)
		_, err = f.AddToCase(t.Context(), c.ID, []string{"c"}, "Ines")
		assert.NoError(t, err)
		read := page()
		says(t, read, "Signed off by Rui\ufffd for release 2.1. There is another answer now. Not signed off")
		assert.Equal(t, 2, strings.Count(read, "Empty: nobody has signed."))
	})
}
