package cases

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// The fixture is the screen's Desk: the store's part is real, and the server's is a list.

func (d *fixture) Colleagues(ctx context.Context) (all []Colleague, joined bool, err error) {
	_, joined, err = d.store.Desk(ctx)
	if err != nil || !joined {
		return nil, false, err
	}
	return []Colleague{{"rui", "Rui Costa"}, {"zoe", "Zoe, of whom the whole name is much longer than there is room for in a line"}}, true, nil
}

func (d *fixture) Sharing(ctx context.Context, of string) (store.Sharing, error) {
	return d.store.SharingOf(ctx, of)
}

func (d *fixture) Share(ctx context.Context, of string, share desk.Share, with []InCase) (problem, err error) {
	problem = d.Note(ctx, "share "+string(share))
	d.people = append([]InCase{{"ines", LevelOwner}}, with...)
	return problem, d.store.ShareCase(ctx, of, share)
}

func (d *fixture) ShareItems(ctx context.Context, of string, items []string, share desk.Share) error {
	if err := d.Note(ctx, "share "+strings.Join(items, " ")+" "+string(share)); err != nil {
		return err
	}
	return d.store.AddToDesk(ctx, of, items, share)
}

func (d *fixture) ShareFiles(ctx context.Context, of string, items []string) error {
	if err := d.Note(ctx, "files "+strings.Join(items, " ")); err != nil {
		return err
	}
	return d.store.ShareOriginal(ctx, of, items[0])
}

func (d *fixture) People(ctx context.Context, _ string) ([]InCase, string, error) {
	return slices.Clone(d.people), "ines", d.Note(ctx, "people")
}

func (d *fixture) SetLevel(ctx context.Context, _ string, who InCase) error {
	return d.Note(ctx, "level "+who.Login+" "+string(who.Level))
}

func (d *fixture) Leave(ctx context.Context, of string) error {
	if err := d.Note(ctx, "leave"); err != nil {
		return err
	}
	return d.store.LeaveCase(ctx, of)
}

func (d *fixture) LookedAt(ctx context.Context, of string, last int64) error {
	return d.store.LookedAt(ctx, of, last)
}

// join has this computer join a desk, of which Rui is a member, too.
func (d *fixture) join() {
	d.T.Helper()
	d.joinAt("postgres://ines@desk.example/assay")
}

func (d *fixture) joinAt(address string) {
	d.T.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	assert.NoError(d.T, err)
	d.colleague, d.device = key, uuid.New()
	assert.NoError(d.T, d.store.JoinDesk(d.T.Context(), store.Membership{Address: address, Member: "ines", Device: uuid.New(), Epoch: "1"}))
	assert.NoError(d.T, d.store.SetDeskPeople(d.T.Context(), []store.DeskMember{{Name: "ines", Display: "Ines", Role: "editor"}, {Name: "rui", Display: "Rui Costa", Role: "editor"}},
		[]store.DeskDevice{{ID: d.device, Member: "rui", Key: public}}))
}

// rui is what he does in a case, which the desk then tells of.
func (d *fixture) rui(caseID string, lamport int64, kind desk.Kind, body desk.Body) {
	d.T.Helper()
	d.ruiAbout(uuid.Nil, caseID, lamport, kind, body)
}

func (d *fixture) ruiAbout(about uuid.UUID, caseID string, lamport int64, kind desk.Kind, body desk.Body) {
	d.T.Helper()
	d.now = d.now.Add(time.Second)
	said, err := json.Marshal(body)
	assert.NoError(d.T, err)
	e := desk.Event{ID: uuid.New(), Case: desk.IDOf(caseID), Author: "rui", Device: d.device, Lamport: lamport, Kind: kind, About: about, Body: said, At: d.now}
	e.Sign(d.colleague)
	assert.NoError(d.T, d.store.Receive(d.T.Context(), []store.Received{{Event: e}}, "1", ""))
}

// ofGate keeps an answered submission with a gate.
func (d *fixture) ofGate(name string, gate submission.Gate) {
	d.T.Helper()
	raw := `{"requestId": "` + name + `", "overallStatus": "FAKE", "releaseVersion": "2.1"}`
	r := new(client.Result)
	assert.NoError(d.T, json.Unmarshal([]byte(raw), r))
	r.Raw = json.RawMessage(raw)
	_, err := d.store.Add(d.T.Context(), []submission.Submission{{ID: name, Name: name, Path: "/in/" + name, Gate: gate, State: submission.Done, Step: submission.Answered,
		SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(name))), RequestID: name, Result: r, Accepted: d.now, Answered: d.now}})
	assert.NoError(d.T, err)
}

func TestWithoutADeskNothingOfItIsShown(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.gather("Harbour statement", d.submit("pier.jpg")...)
	d.read()
	d.WantNoWords("Share…", "People…", "shared")
	d.Canvas().Unfocus()
	d.Type("s")
	if d.Sheet.Open() {
		t.Error("a sheet is open")
	}
	for _, key := range d.Shortcuts() {
		assert.Equal(t, false, key.Keys == "S")
	}
}

func TestACaseIsShared(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	d.ofGate("open.jpg", submission.GateSend)
	d.ofGate("asks.jpg", submission.GateAsk)
	d.ofGate("source.jpg", submission.GateNever)
	id := d.gather("Harbour statement", "open.jpg", "asks.jpg", "source.jpg")
	assert.NoError(t, d.store.AddCaseNote(t.Context(), id, store.CaseNote{Text: "a note", By: "Ines"}))
	d.read()
	d.Run("the sheet says what goes and what stays, before anything does", func(t *testing.T) {
		d.Tap("Share…")
		d.UntilWords("Goes to the desk")
		d.WantWords("Share “Harbour statement”", "The title and the tags", "1 entry: notes", "1 result", "What is done in the case from now on",
			"Stays on this computer", "The files themselves", "1 result that Assay asks about, until you share it", "1 result that never leaves this computer. Nobody is told of it.",
			"All but the name", "Rui Costa")
		events, err := d.store.Unsent(t.Context(), 10)
		assert.NoError(t, err)
		assert.Equal(t, 0, len(events))
	})
	d.Run("with those that are chosen, and as much as is chosen", func(t *testing.T) {
		d.Click("Rui Costa")
		for _, box := range checksIn(d) {
			if box.ToolTip() == "Rui Costa" {
				box.Tapped(nil)
			}
		}
		d.Tap("Share")
		d.idle()
		d.wantCall(t, "share answer")
		assert.Equal(t, []InCase{{"ines", LevelOwner}, {"rui", LevelEditor}}, d.people)
		d.WantWords("People…", "shared · ", "entries not shared yet", "1 result is not shared until you share it.", "1 result never leaves this computer.")
	})
	d.Run("those that ask are shared one by one; those that never leave are not even offered", func(t *testing.T) {
		d.Tap("Share…")
		d.UntilWords("Share results")
		d.WantWords("asks.jpg")
		d.WantNoWords("source.jpg")
		assert.Equal(t, true, d.Button("Share").Disabled())
		checksIn(d)[0].Tapped(nil)
		d.Tap("Share")
		d.idle()
		d.wantCall(t, "share asks.jpg answer")
		d.WantNoWords("until you share")
		d.WantWords("1 result never leaves this computer.")
	})
	d.Run("its people, and what they may do", func(*testing.T) {
		d.Canvas().Unfocus()
		d.Type("s")
		d.UntilWords("You own this case")
		d.WantWords("ines (you)", "owner", "Rui Costa", "can write")
		d.people[1].Level = LevelReader
		for _, s := range selectsIn(d) {
			if strings.Contains(s.AccessibilityLabel(), "Rui Costa") {
				s.Select(1)
			}
		}
		d.UntilWords("Rui Costa is in the case: can read.")
		d.Fail("level", guitest.Sentence("The desk can't be reached."))
		selectsIn(d)[0].Select(0)
		d.UntilWords("That could not be changed. The desk can't be reached.")
		d.WantWords("can read") // as it is
	})
	d.Run("for how long the desk keeps it", func(t *testing.T) {
		d.WantWords("Kept at the desk after the last entry", "Always")
		all := selectsIn(d)
		all[len(all)-1].Select(2)
		d.idle()
		c, err := d.store.CaseByID(t.Context(), d.pane.of.ID)
		assert.NoError(t, err)
		assert.Equal(t, 90, c.Desk.Keep)
		d.WantWords("90 days")
		d.people[0].Level = LevelReader
		d.Sheet.Close()
		d.Canvas().Unfocus()
		d.UntilWords("The desk keeps this case for 90 days after its last entry") // in what happened
		d.Type("s")
		d.UntilWords("The owners of the case let people in.")
		d.WantWords("90 days")
		assert.Equal(t, 0, len(selectsIn(d)))
	})
	d.Run("it is left after a question, and stays as one's own", func(t *testing.T) {
		d.Tap("Leave the case…")
		d.WantWords("What is in the case stays on this computer")
		d.Tap("Leave")
		d.idle()
		d.wantCall(t, "leave")
		d.WantWords("Share…", "3 items")
	})
}

func TestWhenTheDeskCantBeReached(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	d.gather("Harbour statement")
	d.read()
	d.Fail("share", guitest.Sentence("The desk can't be reached. Assay goes on without it and tries again."))
	d.Tap("Share…")
	d.UntilWords("Goes to the desk")
	checksIn(d)[0].Tapped(nil)
	d.Tap("Share")
	d.idle()
	d.WantWords("Assay goes on without it and tries again. Nobody was let in yet", "People…")
	d.Fail("people", guitest.Sentence("The desk can't be reached."))
	d.Tap("People…")
	d.UntilWords("The desk can't be reached.")
	d.Fail("people", nil)
	d.Tap("Try again")
	d.UntilWords("You own this case")
	d.people = nil
	d.Sheet.Close()
	d.Tap("People…")
	d.UntilWords("You are no longer in this case at the desk. What is here stays.")
}

func TestWhatColleaguesDoIsNew(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	other := d.gather("Square at night")
	id := d.gather("Harbour statement")
	for _, each := range []string{other, id} {
		assert.NoError(t, d.store.ShareCase(t.Context(), each, desk.ShareAnswer))
	}
	d.read()
	d.WantNoWords("new")
	fresh := func() (all []int) {
		d.idle()
		for _, row := range guitest.InSight[*entryRow](d.list.table.Object()) {
			all = append(all, row.entry.New)
		}
		return all
	}
	d.Run("in the list, with who did it last, and in what happened", func(t *testing.T) {
		d.rui(other, 10, desk.Note, desk.Body{Text: "seen from the tower"})
		d.read()
		assert.Equal(t, []string{"Square at night", "Harbour statement"}, d.titles())
		assert.Equal(t, []int{1, 0}, fresh())
		d.WantWords("1 new", "last: Rui Costa")
		d.Click("Square at night")
		d.idle()
		d.WantWords("seen from the tower")
		assert.Equal(t, true, d.pane.feed.shown[0].New)
	})
	d.Run("until another case was looked at, also after a restart", func(t *testing.T) {
		d.read()
		assert.Equal(t, []int{1, 0}, fresh())
		d.rui(other, 11, desk.Note, desk.Body{Text: "and from the bridge"})
		d.read()
		assert.Equal(t, []int{2, 0}, fresh())
		c, err := d.store.CaseByID(t.Context(), other)
		assert.NoError(t, err)
		assert.Equal(t, 0, c.Desk.New)
		d.Click("Harbour statement")
		assert.Equal(t, []int{0, 0}, fresh())
	})
	d.Run("not while the screen is out of sight", func(t *testing.T) {
		d.root.Hide()
		d.rui(id, 12, desk.Note, desk.Body{Text: "the crane is new"})
		d.read()
		d.root.Show()
		d.Came()
		d.idle()
		assert.Equal(t, true, d.pane.feed.shown[0].New)
		d.Came()
		d.idle()
		assert.Equal(t, false, d.pane.feed.shown[0].New)
	})
	d.Run("cases stay where they are while the pointer is over them", func(t *testing.T) {
		before := d.titles()
		row := guitest.InSight[*entryRow](d.list.table.Object())[0]
		row.MouseIn(nil)
		d.rui(other, 13, desk.Note, desk.Body{Text: "once more"})
		d.read()
		assert.Equal(t, before, d.titles())
		d.later()
		assert.Equal(t, before, d.titles())
		row.MouseOut()
		d.later()
		assert.Equal(t, []string{before[1], before[0]}, d.titles())
	})
}

// TestNothingMovesUnderThePointer holds that what a colleague does waits while the pointer is over something that can be clicked, but for what happened.
func TestNothingMovesUnderThePointer(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	id := d.gather("Harbour")
	assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
	d.read()
	d.pane.conclusion.write.MouseIn(nil)
	d.rui(id, 10, desk.Task, desk.Body{Text: "Where was this taken?"})
	d.read()
	d.WantWords("Asked: Where was this taken?")
	assert.Equal(t, 0, len(d.pane.questions.shown))
	d.later()
	assert.Equal(t, 0, len(d.pane.questions.shown))
	d.pane.conclusion.write.MouseOut()
	d.later()
	assert.Equal(t, 1, len(d.pane.questions.shown))
	d.Run("what the person does is there at once", func(t *testing.T) {
		d.pane.conclusion.write.MouseIn(nil)
		d.do("", func(ctx context.Context) error { return d.Records.Change(ctx, id, asked("When?", "Ines")) }, nil)
		d.idle()
		assert.Equal(t, 2, len(d.pane.questions.shown))
	})
}

// TestWhatLostIsStillSaid holds that of two titles and two conclusions of one time, the one that does not count is in what happened, and says so.
func TestWhatLostIsStillSaid(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	id := d.gather("Harbour")
	assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
	assert.NoError(t, d.store.ChangeCase(t.Context(), id, renamed("Harbour, by Ines", "Ines")))
	assert.NoError(t, d.store.ChangeCase(t.Context(), id, drawn("We run it.", "Ines")))
	d.rui(id, 40, desk.Title, desk.Body{Text: "Harbour, by Rui", At: testNow.Add(-time.Minute)})
	d.rui(id, 41, desk.Conclusion, desk.Body{Text: "We don't.", At: testNow.Add(-time.Minute)})
	d.read()
	assert.Equal(t, "Harbour, by Rui", d.pane.of.Title)
	assert.Equal(t, "We don't.", d.pane.of.Conclusion.Text)
	d.WantWords("New title: Harbour, by Ines", "The title is “Harbour, by Rui” now: somebody changed it at the same time.", "New title: Harbour, by Rui",
		"Wrote the conclusion: We run it.", "The conclusion is another one now: somebody wrote it at the same time.")
}

func TestWhatIsReadOfAFeedStaysInPlace(t *testing.T) {
	d := setup(t, fyne.NewSize(1280, 400))
	d.join()
	id := d.gather("Harbour")
	assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
	for i := range int64(20) {
		d.rui(id, 10+i, desk.Note, desk.Body{Text: strings.Repeat("note ", int(i)+1)})
	}
	d.read()
	feed := d.pane.feed
	feed.scroll.ScrollToOffset(fyne.NewPos(0, 200))
	before := feed.column.Objects[8].Position().Y - feed.scroll.Offset.Y
	d.rui(id, 50, desk.Note, desk.Body{Text: "one more, on top"})
	d.read()
	assert.Equal(t, before, feed.column.Objects[9].Position().Y-feed.scroll.Offset.Y)
}

func checksIn(d *fixture) []*kit.Check   { return guitest.InSight[*kit.Check](d.Top()) }
func selectsIn(d *fixture) []*kit.Select { return guitest.InSight[*kit.Select](d.Top()) }

// wantCall holds that the screen asked for this.
func (d *fixture) wantCall(t *testing.T, want string) {
	t.Helper()
	if !d.Has(want) {
		t.Errorf("it did not %s", want)
	}
}

func TestAFileItselfIsSharedByOnesOwnAct(t *testing.T) {
	shared := func(address string) *fixture {
		d := setup(t, guitest.Usual)
		d.joinAt(address)
		d.ofGate("open.jpg", submission.GateSend)
		d.ofGate("source.jpg", submission.GateNever)
		id := d.gather("Harbour statement", "open.jpg", "source.jpg")
		assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
		d.read()
		return d
	}
	t.Run("where the desk has no place for files, it is not offered", func(*testing.T) {
		shared("postgres://ines@desk.example/assay").WantNoWords("Share a file…")
	})
	t.Run("it is said what goes, and nothing goes before", func(t *testing.T) {
		d := shared("postgres://ines@desk.example/assay?files=https://files.example.org/desk")
		d.Tap("Share a file…")
		d.UntilWords("Share a file with “Harbour statement”")
		d.WantWords("open.jpg", "The file as it is, with all that it says of itself", "It is kept in https://files.example.org/desk, encrypted.", "Everybody in the case can get it.", "What the file is called, and where it is")
		assert.Equal(t, 1, len(checksIn(d))) // and none for what never leaves
		if !d.Button("Share").Disabled() {
			t.Error("nothing is chosen, and it can be shared")
		}
		checksIn(d)[0].Tapped(nil)
		d.Tap("Share")
		d.Until("it is shared", func() bool { return d.Has("files open.jpg") })
		d.read()
		d.WantNoWords("Share a file…")
	})
}
