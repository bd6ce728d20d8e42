package cases

import (
	"encoding/json"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
)

// colleague is somebody at the desk, whose events this person's records have received.
type colleague struct {
	*fixture
	device, of uuid.UUID
	lamport    int64
}

// joinDesk makes this person a reviewer at a desk, with a colleague who has shared a case with a picture.
func (d *fixture) joinDesk() *colleague {
	d.T.Helper()
	c := &colleague{fixture: d, device: uuid.New(), of: uuid.New()}
	assert.NoError(d.T, d.store.JoinDesk(d.T.Context(), store.Membership{Member: "maria", Device: uuid.New()}))
	assert.NoError(d.T, d.store.SetDeskPeople(d.T.Context(), []store.DeskMember{{Name: "maria", Display: "Maria", Role: "reviewer"}, {Name: "ines", Display: "Ines", Role: "editor"}}, nil))
	c.did(desk.Title, uuid.Nil, desk.Body{Text: "Harbour statement"})
	return c
}

// did is what the colleague has done; it returns the event.
func (c *colleague) did(kind desk.Kind, about uuid.UUID, body desk.Body) uuid.UUID {
	c.T.Helper()
	c.lamport++
	body.At = c.now.UTC()
	text, err := json.Marshal(body)
	assert.NoError(c.T, err)
	e := desk.Event{ID: uuid.New(), Case: c.of, Author: "ines", Device: c.device, Lamport: c.lamport, Kind: kind, About: about, Body: text, At: c.now}
	if kind == desk.Result {
		e.Subject = make([]byte, 32)
	}
	e.Digest = desk.Digest(e.Subject, e.Body)
	assert.NoError(c.T, c.store.Receive(c.T.Context(), []store.Received{{Event: e}}, "1", ""))
	c.now = c.now.Add(time.Second)
	return e.ID
}

// answered is that the colleague has an answer on the picture.
func (c *colleague) answered(status, release string) uuid.UUID {
	c.T.Helper()
	raw, err := json.Marshal(map[string]string{"requestId": "request-" + release, "overallStatus": status, "releaseVersion": release})
	assert.NoError(c.T, err)
	return c.did(desk.Result, uuid.Nil, desk.Body{Item: &desk.Item{RequestID: "request-" + release, Status: status, Release: release, Type: "IMAGE", Name: "crane.jpg", Answered: c.now.UTC(), Result: raw}})
}

func TestAColleaguesJudgementIsSignedOff(t *testing.T) {
	d := setup(t, fyne.NewSize(1280, 1100))
	ines := d.joinDesk()
	d.read()
	d.WantWords("Nobody has judged a result in this case yet.")
	ines.did(desk.Judgement, ines.answered("FAKE", "2.1"), desk.Body{Label: "MANIPULATED", Text: "The crane is doubled."})
	d.read()
	d.Run("who judged, and that nobody has signed it off", func(*testing.T) {
		d.WantWords("crane.jpg", "Judged by Ines: Manipulated", "The crane is doubled.", "Likely manipulated · release 2.1", "Not signed off", "Judgement: Manipulated. The crane is doubled.", "1 judgement waits for your sign-off.")
	})
	d.Run("a case that requires it can't be concluded before", func(t *testing.T) {
		d.Tap("Require sign-off")
		d.idle()
		d.WantWords("Don't require sign-off", "Sign-off by a second person is required now")
		d.move(true)
		d.idle()
		d.WantWords("This case can't be concluded yet: a second person has to sign off every judgement in it.")
		assert.Equal(t, 0, d.pane.state.Selected())
		d.Say("")
	})
	d.Run("an answer that came since it was shown is not signed off unseen", func(*testing.T) {
		shown := d.pane.of.Judgements[0]
		ines.answered("AUTHENTIC", "3.0")
		d.signOff(shown)
		d.idle()
		d.WantWords("The judgement or the answer has changed since you looked.", "Not signed off")
		d.Say("")
	})
	d.Run("one click signs it off", func(*testing.T) {
		d.Tap("Sign off")
		d.idle()
		d.WantWords("Signed off by Maria, ", "Signed off the judgement of Ines: Manipulated")
		d.WantNoWords("Not signed off", "waits for your sign-off")
		if d.Button("Sign off") != nil {
			t.Error("it is still to be signed off")
		}
	})
	d.Run("void once there is another answer", func(*testing.T) {
		ines.answered("FAKE", "4.0")
		d.read()
		d.WantWords("Signed off by Maria for release 3.0. There is another answer now.", "Not signed off")
	})
	d.Run("then the case can be concluded", func(t *testing.T) {
		d.Tap("Sign off")
		d.idle()
		d.move(true)
		d.idle()
		assert.Equal(t, true, d.pane.of.Concluded)
	})
}

func TestOnesOwnCaseHasNoJudgements(t *testing.T) {
	d := setup(t, fyne.NewSize(1280, 1100))
	d.fill(3)
	d.WantNoWords("Judgements", "Require sign-off")
}
