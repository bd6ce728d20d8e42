package folders

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/submission"
	"assay/gui/guitest"
)

const (
	onlyHint = "For example: *.jpg, IMG_*"
	skipHint = "For example: *_small.*, Drafts"
	unfold   = "More: case, names, waiting time, moving"
)

// choosesFiles opens the list of the files that are inside.
func (d *fixture) choosesFiles() {
	d.T.Helper()
	d.SelectOption("Choose…")
	d.Tap("Choose files…")
}

func TestFolderAdding(t *testing.T) {
	open := func(t *testing.T, inside Inside) *fixture {
		t.Helper()
		d := setup(t, guitest.Usual)
		d.inside = inside
		d.offered("/mnt/agency/in")
		return d
	}
	t.Run("a chosen or dropped folder opens the card, with what is inside", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.inside = manyFiles(1204, 1000)
		d.show(plainFolder("a", "/in/a"))
		d.Add()
		d.dialog("/mnt/agency/in")
		d.counted()
		d.WantWords("in", "/mnt/agency", d.inside.Words())
		d.WantNoWords("/in/a") // the list
		if asks, _ := d.Choice("Only new files"); d.Canvas().Focused() != asks {
			t.Error("the keyboard is elsewhere")
		}
	})
	t.Run("a dialog that was left opens nothing", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.Offer("")
		if d.editing() {
			t.Error("a card is open")
		}
	})
	t.Run("as it stands, only new files count and each is asked for", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.save()
		d.WantLast(t, "add /mnt/agency/in Ask first new []")
		if d.editing() {
			t.Error("the card stays")
		}
	})
	t.Run("all of them, sent", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.SelectOption("All of them")
		d.SelectOption(GateWords(submission.GateSend))
		d.WantWords(Begins(submission.GateSend)[All].Means)
		d.save()
		d.WantLast(t, "add /mnt/agency/in Send all []")
	})
	t.Run("those that are ticked", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.SelectOption("Choose…")
		d.WantWords(i18n.T("Choose at least one file, or “Only new files”."))
		if !d.saveButton().Disabled() {
			t.Error("nothing is ticked, and it can be added")
		}
		d.Tap("Choose files…")
		d.Press(fyne.KeyDown, fyne.KeySpace, fyne.KeyEnd, fyne.KeyReturn, fyne.KeyHome, fyne.KeyUp)
		d.WantWords(d.inside.Newest[0].Name)
		d.Press(fyne.KeyEscape)
		d.WantWords(ChosenWords(2, d.inside.Newest[1].Bytes+d.inside.Newest[2].Bytes))
		d.save()
		d.WantLast(t, "add /mnt/agency/in Ask first chosen [/in/IMG_9998.jpg "+d.inside.Newest[2].Path+"]")
	})
	t.Run("all that are listed, or none", func(t *testing.T) {
		d := open(t, manyFiles(1204, 1000))
		d.choosesFiles()
		d.WantWords(d.inside.Listed())
		d.Press(fyne.KeySpace)
		all, bytes := d.CheckOf(ChosenWords(1, d.inside.Newest[0].Bytes)), int64(0)
		for _, f := range d.inside.Newest {
			bytes += f.Bytes
		}
		test.Tap(all)
		if all.Label() != ChosenWords(1000, bytes) {
			t.Errorf("%q", all.Label())
		}
		test.Tap(all)
		if all.Label() != ChosenWords(0, 0) {
			t.Errorf("%q", all.Label())
		}
	})
	t.Run("a click on a file ticks it", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.choosesFiles()
		for _, file := range []int{1, 1, 0} {
			d.Click(d.inside.Newest[file].Name)
		}
		d.Tap("Done")
		d.save()
		d.WantLast(t, "add /mnt/agency/in Ask first chosen [/in/IMG_9999.jpg]")
	})
	t.Run("nothing inside asks nothing", func(t *testing.T) {
		d := open(t, Inside{})
		d.WantWords(Inside{}.Words())
		d.WantNoWords(i18n.T("Only new files"))
		if gate, _ := d.Choice(GateWords(submission.GateAsk)); d.saveButton().Disabled() || d.Canvas().Focused() != gate {
			t.Error("it can't be added, or the keyboard is left on what is hidden")
		}
	})
	t.Run("other types are counted again, and what was ticked and is gone is not taken", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.choosesFiles()
		test.Tap(d.CheckOf(ChosenWords(0, 0)))
		d.Tap("Done")
		d.Lock()
		d.inside = manyFiles(1, 1)
		d.Unlock()
		test.Tap(d.CheckOf("Clips"))
		d.counted()
		d.save()
		d.WantLast(t, "add /mnt/agency/in Ask first chosen [/in/IMG_9999.jpg]")
	})
	t.Run("counting can be stopped, begun again, and is not waited for", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.Hold = make(chan struct{})
		d.Offer("/mnt/agency/in")
		if asks, _ := d.Choice("Choose…"); !guitest.Dimmed(asks, i18n.T("Choose…")) || d.saveButton().Disabled() {
			t.Error("it does not show that it is counting")
		}
		d.WantWords(i18n.T("Counting the files inside…"))
		<-d.Begun
		d.Tap("Stop")
		d.WantWords(i18n.T("The files were not counted."))
		d.WantNoWords(i18n.T("Counting the files inside…"))
		<-d.Ended // its worker was cancelled
		close(d.Hold)
		d.Tap("Count the files inside")
		d.counted()
		d.WantWords(Inside{}.Words())
	})
	t.Run("Esc ends the counting", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.Hold = make(chan struct{})
		d.Offer("/mnt/agency/in")
		<-d.Begun
		d.Press(fyne.KeyEscape)
		if d.editing() {
			t.Error("the card stays")
		}
		<-d.Ended // its worker was cancelled
	})
	t.Run("a folder that can't be watched says why, and can be tried again", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		const why = guitest.Sentence("It is not there.")
		d.Fail("look", why)
		d.offered("/mnt/agency/in")
		d.WantWords(why.Sentence())
		d.WantNoWords(i18n.T("Only new files"))
		if !d.saveButton().Disabled() {
			t.Error("it can be added")
		}
		d.Fail("look", nil)
		d.Tap("Try again")
		d.counted()
		d.WantNoWords(why.Sentence())
		if d.saveButton().Disabled() {
			t.Error("it can't be added still")
		}
	})
	t.Run("what could not be added is said in the card, which stays as it was filled in", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		const why = guitest.Sentence("It is on another disk.")
		d.Fail("add", why)
		d.SelectOption(GateWords(submission.GateNever))
		d.Tap("Watch this folder")
		if b := d.saveButton(); !b.Disabled() || b.Label() != i18n.T("Adding…") {
			t.Error("it can be added twice")
		}
		d.idle()
		d.WantWords(why.Sentence())
		if d.saveButton().Disabled() || !d.OptionSelected(GateWords(submission.GateNever)) {
			t.Error("it can't be tried again as it was")
		}
	})
	t.Run("another folder that is dropped takes the card's place", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.offered("/mnt/other")
		d.WantWords("other")
		d.WantNoWords("agency")
	})
}

func TestFolderChanging(t *testing.T) {
	open := func(t *testing.T, change func(f *clientfolders.Folder)) *fixture {
		t.Helper()
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in/a")
		if change != nil {
			change(&f)
		}
		d.show(f)
		d.Tap("Change… (Enter)")
		return d
	}
	t.Run("shows the settings as they are, and asks nothing of what is inside", func(t *testing.T) {
		d := open(t, func(f *clientfolders.Folder) { f.Only, f.Quiet, f.Gate = []string{"*.jpg"}, 5e9, "never" })
		_, quiet := Quiets(5e9)
		if !d.OptionSelected(GateWords(submission.GateNever)) || !d.OptionSelected(quiet[2]) || d.saveButton().Label() != i18n.T("Save") || d.Take() != "" {
			t.Error("they are others")
		}
		d.WantNoWords(i18n.T("Files already inside"))
		d.Field(onlyHint).TypedRune('_')
		d.save()
		d.WantLast(t, `change a to Never leaves, only "_*.jpg"`) // it was typed into what was set before
	})
	t.Run("says the whole of what goes wrong with the folder", func(t *testing.T) {
		const problem = "Files could not be moved to “Done”: it is on another disk. Choose a folder on the same one."
		d := open(t, func(f *clientfolders.Folder) { f.Problem = i18n.Verbatim(problem) })
		d.WantWords(problem)
	})
	t.Run("what was not changed before is folded away", func(t *testing.T) {
		d := open(t, nil)
		d.WantNoWords(i18n.T("Only names like"))
		d.Tap(unfold)
		d.WantWords(i18n.T("Only names like"))
	})
	t.Run("what is unfolded comes into sight where there is little room", func(t *testing.T) {
		d := open(t, nil)
		d.Resize(fyne.NewSize(800, 500))
		d.Tap(unfold)
		if field := d.Field(skipHint); !d.inScroll(field) || !d.inScroll(d.Button(unfold)) {
			t.Error("the field, or what unfolds it, is out of sight")
		}
	})
	t.Run("saves what was filled in", func(t *testing.T) {
		d := open(t, nil)
		d.SelectOption(GateWords(submission.GateSend))
		d.Tap(unfold)
		test.Type(d.Field(onlyHint), "*.png")
		d.save()
		d.WantLast(t, `change a to Send, only "*.png"`)
	})
	t.Run("leaves it paused that was paused meanwhile", func(t *testing.T) {
		d := open(t, nil)
		paused := plainFolder("a", "/in/a")
		paused.Paused = true
		d.show(paused)
		d.save()
		d.WantLast(t, `change a to Ask first, only "", paused`)
	})
	t.Run("refuses where it happened, and beside the button", func(t *testing.T) {
		d := open(t, nil)
		d.Tap(unfold)
		field := d.Field(skipHint)
		test.Type(field, "[a")
		_, refused := Form{Pictures: true, Skip: "[a"}.Settings()
		if n := strings.Count(d.Words(), refused.Skip); n != 2 || !d.saveButton().Disabled() {
			t.Errorf("it is said %d times", n)
		}
		d.saveButton().Tapped(nil)
		field.SetText("")
		d.WantNoWords(refused.Skip)
		if d.saveButton().Disabled() || d.Take() != "" {
			t.Error("it refuses on")
		}
		for _, kind := range []string{"Pictures", "Clips", "Recordings", "Texts"} {
			test.Tap(d.CheckOf(kind))
		}
		_, refused = Form{}.Settings()
		d.WantWords(refused.Types)
		if !d.saveButton().Disabled() {
			t.Error("a folder of which nothing counts can be saved")
		}
	})
	for _, language := range i18n.All() {
		t.Run("a long reason has room at the foot, in the language "+language.Code, func(t *testing.T) {
			i18ntest.Speak(t, language.Code)
			d := setup(t, fyne.NewSize(828, 600))
			d.inside = manyFiles(3, 3)
			d.offered("/in/a")
			d.Tap(unfold)
			d.Field(onlyHint).SetText("Agency/Incoming/Photographs of the day/*.jpg")
			at := func(o fyne.CanvasObject) fyne.Position {
				return fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
			}
			why, frame := d.card.why, d.card.frame
			if why.Text() != d.card.more.onlyProblem.Text() || why.Size().Height < why.MinSize().Height || why.Size().Width < 160 {
				t.Errorf("%q has %v of %v", why.Text(), why.Size(), why.MinSize())
			}
			for _, o := range d.card.foot.Objects {
				if end := at(o).Y + o.Size().Height; end > at(frame).Y+frame.Size().Height-8 {
					t.Errorf("%T ends at %g, the card at %g", o, end, at(frame).Y+frame.Size().Height)
				}
			}
			if right := at(why).X + why.Size().Width; right > at(d.card.foot.Objects[1]).X {
				t.Error("it lies under a button")
			}
			d.Field(onlyHint).SetText("")
			if why.Visible() {
				t.Error("it stays")
			}
		})
	}
	t.Run("a reason without end is shortened at the foot, and stands in full under its field", func(t *testing.T) {
		d := open(t, nil)
		d.Tap(unfold)
		endless := strings.Repeat("folder/", 100)
		d.Field(onlyHint).SetText(endless)
		_, refused := Form{Pictures: true, Only: endless}.Settings()
		if shortened := briefly(refused.Only); len(shortened) > 250 {
			t.Errorf("%q", shortened)
		} else {
			d.WantWords(shortened, refused.Only)
		}
	})
	t.Run("files stay where they are unless a folder is chosen for them", func(t *testing.T) {
		d := open(t, nil)
		const never = "Assay never moves, renames or deletes your files, unless you choose a folder here."
		d.Tap(unfold)
		d.WantWords(i18n.T(never))
		d.Tap("Choose a folder…")
		d.dialog("/in/done")
		d.WantNoWords(i18n.T(never))
		leave, choose := d.Button("Don't move"), d.Button("Choose a folder…")
		if leave == nil || leave.Position().X < choose.Position().X+choose.Size().Width || !d.inScroll(leave) {
			t.Fatal("the button that takes it back is cut off")
		}
		test.Tap(leave)
		d.WantWords(i18n.T(never))
		d.Tap("Choose a folder…")
		d.dialog("/in/done")
		d.save()
		d.WantLast(t, `change a to Ask first, only "", moved to /in/done`)
	})
	t.Run("Esc leaves it from any field, without a change", func(t *testing.T) {
		d := open(t, nil)
		d.Tap(unfold)
		d.Canvas().Unfocus()
		controls := len(d.Tab(40))
		for n := range controls {
			d.Press(fyne.KeyEscape)
			if d.editing() {
				t.Fatalf("control %d keeps Esc", n)
			}
			d.Tap("Change… (Enter)")
			d.Tap(unfold)
			d.Canvas().Unfocus()
			d.Tab(n + 1)
		}
		if asked := d.Take(); controls < 10 || asked != "" {
			t.Errorf("%d controls; asked for %q", controls, asked)
		}
	})
	t.Run("a control that the keyboard reaches comes into sight", func(t *testing.T) {
		d := setup(t, fyne.NewSize(828, 600))
		d.inside = manyFiles(3, 3)
		d.offered("/in/a")
		d.Tap(unfold)
		d.Canvas().Unfocus()
		reached := []fyne.Focusable{}
		for range 40 {
			at := d.Tab(1)[0]
			if slices.Contains(reached, at) {
				break
			}
			reached = append(reached, at)
			if o := at.(fyne.CanvasObject); slices.Contains(guitest.InSight[fyne.CanvasObject](d.scroll()), o) && !d.inScroll(o) {
				t.Errorf("%T is out of sight", o)
			}
		}
		begins, _ := d.Choice("Only new files")
		asks, _ := d.Choice(GateWords(submission.GateAsk))
		quiet, _ := d.Choice("Automatic")
		for _, o := range []fyne.Focusable{begins, asks, d.CheckOf("Include subfolders"), d.Field(onlyHint), quiet, d.saveButton()} {
			if !slices.Contains(reached, o) {
				t.Errorf("Tab never reaches %T", o)
			}
		}
	})
	t.Run("its files go into a case that was chosen, and into none again", func(t *testing.T) {
		d := open(t, nil)
		d.Tap(i18n.T("More: case, names, waiting time, moving"))
		d.Tap(i18n.T("Choose a case…"))
		d.picked("case-1", "The flood")
		d.WantWords("The flood")
		d.save()
		d.WantLast(t, `change a to Ask first, only "", into case-1`)
		f := plainFolder("a", "/in/a")
		f.Case = "case-1"
		row := RowOf(f)
		row.SetCase("The flood, \u202eday 1", true)
		d.Update([]Row{row})
		d.WantWords("case “The flood, \ufffdday 1”")
		d.Tap("Change… (Enter)") // it is unfolded, since it was set
		d.WantWords("The flood, \ufffdday 1", i18n.T("Move answered files to"))
		d.Tap(i18n.T("No case"))
		d.WantWords(i18n.T("They are in no case"))
		d.save()
		d.WantLast(t, `change a to Ask first, only ""`)
	})
	t.Run("a case that is gone is said in its row, and where another is chosen", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in/a")
		f.Case = "case-1"
		row := RowOf(f)
		row.SetCase("", false)
		if row.Problem != clientfolders.CaseGone.String() || row.Symbol != SymbolWarns {
			t.Errorf("%+v", row)
		}
		f.Problem = clientfolders.CaseGone // once a file has come
		if row = RowOf(f); row.Problem != clientfolders.CaseGone.String() {
			t.Errorf("%+v", row)
		}
		row.SetCase("", false)
		assert.Equal(t, clientfolders.CaseGone.String(), row.Problem)
		d.Update([]Row{row})
		d.Tap("Change… (Enter)")
		d.WantWords(i18n.T("That case is gone"))
	})
	t.Run("a folder that is removed meanwhile is said so by what it answers", func(t *testing.T) {
		d := open(t, nil)
		d.Fail("change", errPlain)
		d.save()
		d.WantWords(errPlain.Error())
	})
}

// scroll is what the form of the card lies in.
func (d *fixture) scroll() *container.Scroll {
	return guitest.InSight[*container.Scroll](d.Top())[0]
}

// inScroll reports whether the whole of a control of the card's form is in sight.
func (d *fixture) inScroll(o fyne.CanvasObject) bool {
	top := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y }
	scroll := d.scroll()
	return top(o) >= top(scroll) && top(o)+o.Size().Height <= top(scroll)+scroll.Size().Height
}

func TestTheGateOfAFolderThatITHasLocked(t *testing.T) {
	t.Run("a new folder begins with what the settings say", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.begins = submission.GateNever
		d.offered("/mnt/agency/in")
		d.save()
		d.WantLast(t, "add /mnt/agency/in Never leaves new []")
	})
	t.Run("what is forbidden can't be chosen, and the card says who has set it", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.lock = submission.GateAsk
		d.offered("/mnt/agency/in")
		offered, _ := d.Choice(GateWords(submission.GateSend))
		for i, gate := range Gates() {
			if got := guitest.Dimmed(offered, gate.Words); got != (gates[i] == submission.GateSend) {
				t.Errorf("%q: dimmed %v", gate.Words, got)
			}
		}
		d.SelectOption(GateWords(submission.GateSend))
		d.WantWords(Form{Lock: submission.GateAsk}.LockWords())
		if !d.OptionSelected(GateWords(submission.GateAsk)) {
			t.Error("another was chosen")
		}
	})
	t.Run("where nobody can tell what IT has set, the card says that, and not that IT has set it", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in")
		f.Gate, f.Lock, f.LocksUnread = submission.GateSend, submission.GateAsk, true
		d.show(f)
		d.Tap("Change… (Enter)")
		d.WantWords(i18n.T("The settings of this computer's administrators can't be read, so Assay asks first."))
		d.WantNoWords(Form{Lock: submission.GateAsk}.LockWords())
		if !d.OptionSelected(GateWords(submission.GateAsk)) {
			t.Error("what is chosen is another than what holds")
		}
	})
	t.Run("a folder's own choice stays kept, and what holds is shown", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		f := clientfolders.Folder{ID: "a", Settings: clientfolders.Settings{Path: "/in", Gate: submission.GateSend}, Lock: submission.GateNever}
		d.show(f)
		d.WantWords(GateWords(submission.GateNever))
		d.WantNoWords(GateWords(submission.GateSend))
		d.Tap("Change… (Enter)")
		d.WantWords(Form{Lock: submission.GateNever}.LockWords())
		if !d.OptionSelected(GateWords(submission.GateNever)) {
			t.Error("what is chosen is another than what holds")
		}
		d.save()
		d.WantLast(t, `change a to Send, only ""`)
	})
}
