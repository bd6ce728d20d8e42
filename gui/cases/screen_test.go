package cases

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
)

func TestTheListOfCases(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.Run("before the first one it says what a case is for", func(*testing.T) {
		d.read()
		d.WantTexts("Gather a story in a case", "Nothing of it leaves this computer.")
	})
	d.Run("a new one is made with a title, and shown", func(t *testing.T) {
		d.Tap("New case…")
		if b := d.Button("Create"); !b.Disabled() {
			t.Error("a case without a title can be made")
		}
		d.Type("Harbour statement")
		d.Press(fyne.KeyReturn)
		d.idle()
		assert.Equal(t, []string{"Harbour statement"}, d.titles())
		d.WantWords("Items", "no items", "Created the case", "This case is empty.")
	})
	d.Run("the one that was changed last is the first, and J and K go through them", func(t *testing.T) {
		d.gather("Voice notes")
		d.gather("Square at night")
		d.read()
		assert.Equal(t, []string{"Square at night", "Voice notes", "Harbour statement"}, d.titles())
		d.Canvas().Unfocus()
		d.Type("k")
		d.idle()
		if got := d.pane.of.Title; got != "Voice notes" {
			t.Errorf("%q is shown", got)
		}
		d.Type("kkk")
		d.idle()
		if got := d.pane.of.Title; got != "Square at night" {
			t.Errorf("%q is shown", got)
		}
	})
	d.Run("it is searched by the words of title and tags", func(t *testing.T) {
		assert.NoError(t, d.store.ChangeCase(t.Context(), d.all[1].ID, tagged("port, elections", "Maria")))
		d.read()
		d.Type("/elec")
		assert.Equal(t, []string{"Voice notes"}, d.titles())
		d.Type("xyz")
		d.WantTexts("No open case has this name.")
		d.Press(fyne.KeyEscape)
		if got := d.titles(); len(got) != 3 {
			t.Errorf("it lists %q", got)
		}
	})
	d.Run("one that is concluded is listed there", func(t *testing.T) {
		d.Canvas().Unfocus()
		d.SelectOption("Concluded")
		d.idle()
		d.WantWords("Open 2", "Concluded 1", "Concluded the case")
		assert.Equal(t, []string{"Square at night"}, d.titles())
		d.SelectOption("Open")
		d.idle()
		d.WantWords("Open 3", "Concluded 0", "Reopened the case")
	})
	d.Run("what can't be read is said, and what was read stays", func(*testing.T) {
		d.Fail("cases", guitest.Sentence("The disk does not answer."))
		d.read()
		d.WantWords("The cases can't be read. The disk does not answer.", "Square at night")
		d.Fail("cases", nil)
		d.Tap("Try again")
		d.idle()
		d.WantNoWords("The cases can't be read.")
	})
}

func TestTheItemsOfACase(t *testing.T) {
	d := setup(t, guitest.Usual)
	id := d.gather("Harbour statement", d.submit("pier.jpg", "crowd.png", "voice.ogg")...)
	d.read()
	d.Run("each has its name and its verdict, and a click opens its result", func(t *testing.T) {
		d.WantTexts("pier.jpg", "crowd.png", "voice.ogg", "Likely manipulated")
		d.Click("crowd.png")
		d.WantLast(t, "open crowd.png")
	})
	d.Run("keys go through them, and open one", func(t *testing.T) {
		d.Canvas().Focus(d.pane.items)
		d.Press(fyne.KeyHome, fyne.KeyRight, fyne.KeyRight, fyne.KeyReturn)
		d.WantLast(t, "open voice.ogg")
	})
	d.Run("one is taken out, and put back by U", func(t *testing.T) {
		d.Press(fyne.KeyHome)
		d.TakeOut()
		d.idle()
		d.WantWords("“pier.jpg” was removed from this case. It stays in Results.", "2 items", "Removed pier.jpg")
		d.WantNoWords("Show all")
		d.Canvas().Unfocus()
		d.Type("u")
		d.idle()
		d.WantWords("3 items")
		d.WantNoWords("is no longer in this case")
		assert.Equal(t, []store.CaseEventKind{store.CaseItemAdded, store.CaseItemRemoved, store.CaseItemAdded, store.CaseItemAdded, store.CaseItemAdded, store.CaseCreated}, d.happened(id))
	})
	d.Run("that can be undone for a while", func(t *testing.T) {
		d.Canvas().Focus(d.pane.items)
		d.Press(fyne.KeyHome)
		d.TakeOut()
		d.idle()
		d.later()
		d.WantNoWords("is no longer in this case")
		before := len(d.happened(id))
		d.Canvas().Unfocus()
		d.Type("u")
		d.idle()
		if n := len(d.happened(id)); n != before {
			t.Errorf("%d events, and then %d", before, n)
		}
	})
	d.Run("what can't be taken out is said to be there still", func(*testing.T) {
		d.Fail("remove", guitest.Sentence("The disk is full."))
		d.Canvas().Focus(d.pane.items)
		d.TakeOut()
		d.idle()
		d.WantWords("The item could not be removed. The disk is full.")
	})
}

// TestACaseOfHundreds holds that what is read and made grows with what is in sight, not with the case.
func TestACaseOfHundreds(t *testing.T) {
	d := setup(t, guitest.Usual)
	var names []string
	for i := range 500 {
		names = append(names, fmt.Sprintf("IMG_%04d.jpg", i))
	}
	d.gather("Agency, week 47", d.submit(names...)...)
	d.read()
	if n := len(d.itemsRead()); n > 2*d.pane.items.columns {
		t.Errorf("%d items were read for %d columns", n, d.pane.items.columns)
	}
	d.WantWords("500 items", "Show all 500", "Added 500 items: IMG_0000.jpg, IMG_0001.jpg, IMG_0002.jpg and 497 more")
	d.Tap("Show all 500")
	d.idle()
	if n := len(d.itemsRead()); n > 60 {
		t.Errorf("%d items were read", n)
	}
	d.Canvas().Focus(d.pane.items)
	d.Press(fyne.KeyEnd)
	d.idle()
	d.WantTexts("IMG_0499.jpg")
	if n := len(guitest.InSight[*tile](d.pane.items)); n > 80 {
		t.Errorf("%d tiles were made", n)
	}
	if n := len(d.itemsRead()); n > 140 {
		t.Errorf("%d items were read", n)
	}
}

func TestWhatTheDeskDoesInACase(t *testing.T) {
	d := setup(t, guitest.Usual)
	id := d.gather("Harbour statement", d.submit("pier.jpg")...)
	d.read()
	last := func(t *testing.T) store.CaseEvent {
		t.Helper()
		events, _, err := d.store.CaseEvents(t.Context(), id, store.CaseCursor{}, 1)
		assert.NoError(t, err)
		e := events[0]
		e.ID, e.At = "", testNow
		return e
	}
	d.Run("an empty check is filled in, by who says so", func(t *testing.T) {
		d.WantWords("0 of 9 done", "Source contacted", "empty")
		d.Click("Source contacted")
		d.Field("Even if nothing was found").SetText("Press office denies it")
		d.Field("Your name").SetText("Jonas")
		d.Tap("Save")
		d.idle()
		assert.Equal(t, store.CaseEvent{Kind: store.CaseChecked, Check: store.CheckSource, Text: "Press office denies it", By: "Jonas", At: testNow, Evidence: last(t).Evidence}, last(t))
		d.WantWords("1 of 9 done", "Press office denies it", "Finding for Source contacted: Press office denies it")
	})
	d.Run("what it found before stands in its sheet, and who it was is remembered", func(t *testing.T) {
		d.Click("Source contacted")
		d.WantWords("Findings so far", "Press office denies it", "Jonas, ")
		if b := d.Button("Save"); !b.Disabled() {
			t.Error("nothing can be noted")
		}
		d.Tap("Cancel")
	})
	d.Run("a question is asked, and answered with what the answer rests on", func(t *testing.T) {
		d.Canvas().Unfocus()
		d.Type("q")
		d.Field("For example: Where was this taken?").SetText("Where was this taken?")
		d.Tap("Ask")
		d.idle()
		d.WantWords("Where was this taken?", "Not answered yet")
		d.Click("Where was this taken?")
		d.Field("What is known").SetText("Pier 4, seen from the ferry ramp")
		d.Field("A link, or a note").SetText("https://harbour.example/cams")
		d.Tap("Add")
		d.Tap("Choose a file…")
		d.UntilWords("file with SHA-256 abababababababab…")
		d.Field("A link, or a note").SetText("the cranes' numbers")
		d.Tap("Save")
		d.idle()
		got := last(t)
		assert.Equal(t, []store.Evidence{{Kind: store.EvidenceLink, Value: "https://harbour.example/cams"},
			{Kind: store.EvidenceFile, Value: strings.Repeat("ab", 32)}, {Kind: store.EvidenceNote, Value: "the cranes' numbers"}}, got.Evidence)
		d.WantWords("Pier 4, seen from the ferry ramp", "Evidence: https://harbour.example/cams · file with SHA-256 abababababababab… · the cranes' numbers",
			"Answered “Where was this taken?”: Pier 4")
	})
	d.Run("the conclusion is the desk's own, and can be changed", func(t *testing.T) {
		d.WantWords("No conclusion yet.", "our own words, not the service's")
		d.Canvas().Unfocus()
		d.Type("c")
		d.Field("What the desk concludes and why").SetText("We don't run the picture.")
		d.Tap("Save")
		d.idle()
		d.WantWords("We don't run the picture.")
		d.WantNoWords("No conclusion yet.")
		if e := last(t); e.Kind != store.CaseDrawn || e.By != "Jonas" {
			t.Errorf("%+v", e)
		}
	})
	d.Run("a note is written at the foot of what happened", func(t *testing.T) {
		d.Canvas().Unfocus()
		d.Type("m")
		d.Type("Asked for the camera.")
		d.Press(fyne.KeyReturn)
		d.idle()
		d.WantWords("Asked for the camera.")
		if e := last(t); e.Kind != store.CaseNoted || d.pane.feed.field.Text != "" {
			t.Errorf("%+v, and %q is in the field", e, d.pane.feed.field.Text)
		}
	})
	d.Run("it is renamed, and has tags", func(*testing.T) {
		d.Canvas().Unfocus()
		d.Type("e")
		d.Field("For example: Harbour statement").SetText("Harbour, 3 November")
		d.Tap("Rename")
		d.idle()
		d.Canvas().Unfocus()
		d.Type("t")
		d.Field("For example: harbour, elections").SetText("port,  Elections, port")
		d.Tap("Save")
		d.idle()
		d.WantTexts("Harbour, 3 November", "port", "Elections", "New title: Harbour, 3 November", "Tags: port, Elections")
	})
	d.Run("a report is made of it", func(t *testing.T) {
		d.Tap("Report…")
		d.WantLast(t, "report")
	})
	d.Run("its results are scanned again", func(t *testing.T) {
		d.TapTip("Scan again…")
		d.WantLast(t, fmt.Sprint("scan again ", len(d.pane.of.Items)))
	})
}

func TestLookingElsewhere(t *testing.T) {
	d := setup(t, guitest.Usual)
	id := d.gather("Harbour statement", d.submit("pier.jpg")...)
	d.read()
	d.Tap("Look it up…")
	d.Run("the sheet says what leaves, and nothing is opened by itself", func(t *testing.T) {
		d.WantWords("Assay sends nothing to it", "Google Images", "TinEye", "Bing Visual Search", "Yandex Images", "Google Fact Check Explorer")
		if d.Has("browse " + Pages[0].URL) {
			t.Error("a page was opened")
		}
	})
	d.Run("a page opens without anything of the case in its address, and what was found is noted", func(t *testing.T) {
		for _, page := range Pages {
			if strings.ContainsAny(page.URL, "?#&=") {
				t.Errorf("%s opens with something in its address: %s", page.Name, page.URL)
			}
		}
		d.Press(fyne.KeyReturn)
		d.WantLast(t, "browse "+Pages[0].URL)
		d.WantWords("Google Images is open in your browser.")
		d.Field("Even if nothing was found").SetText("None before 3 Nov")
		d.Tap("Save")
		d.idle()
		notes, err := d.store.CaseNotes(t.Context(), id)
		assert.NoError(t, err)
		if len(notes) != 1 || notes[0].Kind != store.CheckEarlierCopy || notes[0].Text != "None before 3 Nov" || notes[0].By != "Maria" {
			t.Errorf("%+v", notes)
		}
	})
}

func TestAddingToACase(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.submit("harbour-statement.jpg", "pier-earlier.jpg", "press-call-0412.mp4")
	id := d.gather("Harbour statement", "pier-earlier.jpg")
	d.read()
	items := func(of string) []string {
		ids, err := d.store.CaseItems(d.T.Context(), of)
		assert.NoError(d.T, err)
		return ids
	}
	d.Run("results are ticked, but those that are in it", func(t *testing.T) {
		d.Tap("Add…")
		d.UntilWords("press-call-0412.mp4")
		d.WantWords("already in the case")
		if b := d.Button("Add"); !b.Disabled() {
			t.Error("nothing can be added")
		}
		d.Click("pier-earlier.jpg")
		d.Click("press-call-0412.mp4")
		d.Tap("Add 1")
		d.idle()
		assert.Equal(t, []string{"pier-earlier.jpg", "press-call-0412.mp4"}, items(id))
	})
	d.Run("they are searched", func(*testing.T) {
		d.Canvas().Unfocus()
		d.Type("a")
		d.UntilWords("press-call-0412.mp4")
		d.Type("harbour")
		d.Until("only that is listed", func() bool { return !strings.Contains(d.Words(), "press-call") })
		d.WantWords("harbour-statement.jpg")
		d.Type("x")
		d.UntilWords("Nothing found.")
	})
	d.Run("or files are chosen", func(t *testing.T) {
		d.Tap("Choose files…")
		d.WantLast(t, "files")
	})
	said := ""
	choose := func(ids ...string) {
		d.ChooseCase(ids, func(_, sentence string) { said = sentence })
		d.UntilWords("Harbour statement")
	}
	d.Run("elsewhere a case is chosen", func(t *testing.T) {
		choose("harbour-statement.jpg", "pier-earlier.jpg")
		d.Click("Harbour statement")
		d.Until("it is added", func() bool { return said != "" })
		assert.Equal(t, "1 item was added to “Harbour statement”. The others were already there.", said)
		assert.Equal(t, []string{"pier-earlier.jpg", "press-call-0412.mp4", "harbour-statement.jpg"}, items(id))
	})
	d.Run("or a new one is made, by its title", func(t *testing.T) {
		said = ""
		choose("harbour-statement.jpg")
		d.Type("Square at night")
		d.WantWords("New case “Square at night”")
		d.Press(fyne.KeyReturn)
		d.Until("it is added", func() bool { return said != "" })
		assert.Equal(t, "1 item was added to “Square at night”.", said)
		d.read()
		assert.Equal(t, []string{"Square at night", "Harbour statement"}, d.titles())
		assert.Equal(t, []string{"harbour-statement.jpg"}, items(d.all[0].ID))
	})
	d.Run("a failure is said, and the sheet stays", func(*testing.T) {
		d.Fail("add", guitest.Sentence("The disk is full."))
		choose("pier-earlier.jpg")
		d.Click("Harbour statement")
		d.UntilWords("The items could not be added. The disk is full.")
	})
}

func TestANarrowWindowHasTabs(t *testing.T) {
	d := setup(t, fyne.NewSize(828, 600))
	d.gather("Harbour statement", d.submit("pier.jpg")...)
	d.read()
	d.WantWords("Other checks")
	d.WantNoWords("Created the case")
	d.SelectOption("What happened")
	d.WantWords("Created the case")
	d.WantNoWords("Other checks")
	d.Resize(guitest.Usual)
	d.WantWords("Created the case", "Other checks")
}

// TestAVeryNarrowWindowShowsTheListOrTheCase has the width that is left beside the rail in a window of 900 at 200 %.
func TestAVeryNarrowWindowShowsTheListOrTheCase(t *testing.T) {
	d := setup(t, fyne.NewSize(402, 300))
	d.gather("Harbour statement", d.submit("pier.jpg")...)
	d.read()
	d.WantWords("Harbour statement", "Open")
	d.WantNoWords("Other checks")
	d.Click("Harbour statement")
	d.WantWords("Other checks")
	d.Tap("Cases")
	d.WantNoWords("Other checks")
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	d.WantWords("Other checks")
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.WantNoWords("Other checks")
	d.Resize(guitest.Usual)
	d.WantWords("Other checks")
	if guitest.ButtonIn(d.Object(), "Cases") != nil {
		t.Error("the way back stays where the list is beside the case")
	}
}

func TestEverythingIsReachedByTab(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.gather("Harbour statement", d.submit("pier.jpg")...)
	d.read()
	reached := d.Tab(60)
	for _, want := range []fyne.Focusable{d.list.search, d.list.table, d.pane.state, d.pane.items, d.pane.checks.shown[0], d.pane.conclusion.write, d.pane.feed.field} {
		if !slices.Contains(reached, want) {
			t.Errorf("%T is not reached", want)
		}
	}
}

// TestACaseHasRoomWhereTheTextIsLarge has the width that is left beside the rail in a window of 900 at 150 %, and of 1280 at 200 %.
func TestACaseHasRoomWhereTheTextIsLarge(t *testing.T) {
	for _, width := range []float32{548, 588} {
		d := setup(t, fyne.NewSize(width, 400))
		d.fill(4)
		if least := d.Object().MinSize().Width; least > width {
			t.Errorf("it is %g wide at least, not %g", least, width)
		}
		if !slices.Contains(guitest.Seen(d.pane.head), "Harbour statement") {
			t.Errorf("the title is cut at %g: %q", width, guitest.Seen(d.pane.head))
		}
		for _, b := range guitest.InSight[*kit.Button](d.pane.head) {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
			if at.X+b.Size().Width > width || at.Y+b.Size().Height > fyne.CurrentApp().Driver().AbsolutePositionForObject(d.pane.detail).Y {
				t.Errorf("%s lies at %v at %g", b.AccessibilityLabel(), at, width)
			}
		}
	}
}
