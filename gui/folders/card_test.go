package folders

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

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
		d.Add()
		d.dialog("/mnt/agency/in")
		d.Until("the folder was looked at", func() bool { return d.card.inside.state == looked })
		if d.card.name.Text() != "in" || d.card.inside.words.Text() != "1,204 files, 8.3 GB" || d.list.Visible() {
			t.Errorf("%q, %q", d.card.name.Text(), d.card.inside.words.Text())
		}
		if d.Canvas().Focused() != d.card.inside.begin {
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
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast("add /mnt/agency/in Ask first new []")
		if d.editing() {
			t.Error("the card stays")
		}
	})
	t.Run("all of them, sent", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.card.inside.begin.Select(int(All))
		d.card.gate.Select(gateIndex(submission.GateSend))
		d.WantWords(Begins(submission.GateSend)[All].Means)
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast("add /mnt/agency/in Send all []")
	})
	t.Run("those that are ticked", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.card.inside.begin.Select(int(Choose))
		if !d.card.save.Disabled() || d.card.why.Text() == "" {
			t.Error("nothing is ticked, and it can be added")
		}
		d.card.inside.chooseFiles.Tapped(nil)
		list := d.card.inside.chooser.list
		if !d.card.choosing() || d.Canvas().Focused() != list {
			t.Fatal("the list is not shown, or not focused")
		}
		for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeySpace, fyne.KeyEnd, fyne.KeyReturn, fyne.KeyHome, fyne.KeyUp} {
			list.TypedKey(&fyne.KeyEvent{Name: key})
		}
		list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.card.choosing() || !d.editing() || d.card.inside.chosenWords.Text() != "2 chosen, 3.3 MB" {
			t.Errorf("%q", d.card.inside.chosenWords.Text())
		}
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast("add /mnt/agency/in Ask first chosen [/in/IMG_9998.jpg " + d.inside.Newest[2].Path + "]")
	})
	t.Run("all that are listed, or none", func(t *testing.T) {
		d := open(t, manyFiles(1204, 1000))
		h := d.card.inside.chooser
		h.toggle(4)
		h.all.Tapped(nil)
		if h.count != 1000 || h.all.Label() != "1,000 chosen, 4.6 GB" || h.listed.Text() != "The newest 1,000 of 1,204 are listed." {
			t.Errorf("%q, %q", h.all.Label(), h.listed.Text())
		}
		h.all.Tapped(nil)
		if len(h.paths()) != 0 || h.all.Label() != "None chosen" {
			t.Errorf("%q", h.all.Label())
		}
	})
	t.Run("a click on a file ticks it", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.card.choose(true)
		d.card.inside.chooser.list.Select(1)
		d.card.inside.chooser.list.Select(1)
		d.card.inside.chooser.list.Select(0)
		if got := d.card.inside.chooser.paths(); len(got) != 1 || got[0] != "/in/IMG_9999.jpg" {
			t.Error(got)
		}
	})
	t.Run("nothing inside asks nothing", func(t *testing.T) {
		d := open(t, Inside{})
		if d.card.inside.begin.Visible() || d.card.inside.words.Text() != "Nothing that counts is inside yet." || d.card.save.Disabled() {
			t.Errorf("%q", d.card.inside.words.Text())
		}
		if d.Canvas().Focused() != d.card.gate {
			t.Error("the keyboard is left on what is hidden")
		}
	})
	t.Run("other types are counted anew, and what was ticked and is gone is not taken", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.card.inside.begin.Select(int(Choose))
		d.card.inside.chooser.tickAll(true)
		d.mu.Lock()
		d.inside = manyFiles(1, 1)
		d.mu.Unlock()
		d.card.kinds[1].Tapped(nil)
		d.Until("it was counted anew", func() bool { return d.card.inside.state == looked })
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast("add /mnt/agency/in Ask first chosen [/in/IMG_9999.jpg]")
	})
	t.Run("counting can be stopped, begun again, and is not waited for", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.hold = make(chan struct{})
		d.Offer("/mnt/agency/in")
		if i := d.card.inside; !i.runLine.Visible() || i.words.Visible() || !guitest.Dimmed(i.begin, Begins(submission.GateAsk)[Choose].Words) || d.card.save.Disabled() {
			t.Error("it does not show that it is counting")
		}
		<-d.begun
		d.card.inside.stop()
		d.card.changed(false)
		if i := d.card.inside; i.runLine.Visible() || !i.again.Visible() || i.words.Text() != "It was not counted." {
			t.Error("it does not show that it was stopped")
		}
		<-d.ended // its worker was told
		close(d.hold)
		d.card.inside.again.Tapped(nil)
		d.Until("it was counted", func() bool { return d.card.inside.state == looked })
	})
	t.Run("Esc ends the counting", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.hold = make(chan struct{})
		d.Offer("/mnt/agency/in")
		<-d.begun
		d.keys(fyne.KeyEscape)
		if d.editing() {
			t.Error("the card stays")
		}
		<-d.ended // its worker was told
	})
	t.Run("a folder that can't be watched says why, and can be tried again", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.unread = guitest.Sentence("It is not there.")
		d.offered("/mnt/agency/in")
		i := d.card.inside
		if !i.problem.Visible() || i.problem.Text() != "It is not there." || !d.card.save.Disabled() || i.begin.Visible() {
			t.Errorf("it says %q", i.problem.Text())
		}
		d.mu.Lock()
		d.unread = nil
		d.mu.Unlock()
		i.problem.Action().Tapped(nil)
		d.Until("it was counted", func() bool { return i.state == looked })
		if i.problem.Visible() || d.card.save.Disabled() {
			t.Error("the problem stays")
		}
	})
	t.Run("what could not be added is said in the card, which stays as it was filled in", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.failing = guitest.Sentence("It is on another disk.")
		d.card.gate.Select(gateIndex(submission.GateNever))
		d.card.save.Tapped(nil)
		if !d.card.save.Disabled() || d.card.save.Label() != "Adding…" {
			t.Error("it can be added twice")
		}
		d.idle()
		if !d.editing() || !d.card.problem.Visible() || d.card.problem.Text() != "It is on another disk." || d.card.save.Disabled() ||
			d.card.form.Gate != submission.GateNever {
			t.Errorf("it says %q", d.card.problem.Text())
		}
	})
	t.Run("another folder that is dropped takes the card's place", func(t *testing.T) {
		d := open(t, manyFiles(3, 3))
		d.offered("/mnt/other")
		if d.card.name.Text() != "other" || len(d.root.Objects) != 2 {
			t.Errorf("%q, %d objects", d.card.name.Text(), len(d.root.Objects))
		}
	})
}

func TestFolderChanging(t *testing.T) {
	open := func(t *testing.T, change func(s *clientfolders.Settings)) *fixture {
		t.Helper()
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in/a")
		if change != nil {
			change(&f.Settings)
		}
		d.show(f)
		d.visible("a").change.Tapped(nil)
		return d
	}
	t.Run("shows the settings as they are, and asks nothing of what is inside", func(t *testing.T) {
		d := open(t, func(s *clientfolders.Settings) { s.Only, s.Quiet, s.Gate = []string{"*.jpg"}, 5e9, "never" })
		c := d.card
		if c.inside != nil || c.gate.Selected() != gateIndex(submission.GateNever) || c.more.only.Text != "*.jpg" || !c.more.content.Visible() ||
			c.more.quiets[c.more.quiet.Selected()] != 5e9 || c.save.Label() != "Save" || len(d.actions) != 0 {
			t.Errorf("%+v", c.form)
		}
		c.more.only.TypedRune('_')
		if got := c.form.Only; got != "_*.jpg" {
			t.Errorf("typing into what was set before makes it %q", got)
		}
	})
	t.Run("says the whole of what goes wrong with the folder", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		f := plainFolder("a", "/in/a")
		f.Problem = "Files could not be moved to “Done”: it is on another disk. Choose a folder on the same one."
		d.show(f)
		d.visible("a").change.Tapped(nil)
		sections := d.card.body.Objects[0].(*fyne.Container)
		if notice, ok := sections.Objects[0].(*kit.Notice); !ok || notice.Text() != f.Problem {
			t.Error("it does not")
		}
	})
	t.Run("what was not changed before is folded away", func(t *testing.T) {
		d := open(t, nil)
		if d.card.more.content.Visible() {
			t.Error("it is not")
		}
		d.card.more.unfold.Tapped(nil)
		if !d.card.more.content.Visible() {
			t.Error("it stays so")
		}
	})
	t.Run("what is unfolded comes into sight where there is little room", func(t *testing.T) {
		d := open(t, nil)
		d.Resize(fyne.NewSize(800, 500))
		d.card.more.unfold.Tapped(nil)
		top := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y }
		field, seen := d.card.more.skip, d.card.scroll
		if bottom := top(field) + field.Size().Height; bottom > top(seen)+seen.Size().Height || top(d.card.more.unfold) < top(seen) {
			t.Errorf("a field ends at %g, and %g to %g is in sight", bottom, top(seen), top(seen)+seen.Size().Height)
		}
	})
	t.Run("saves what was filled in", func(t *testing.T) {
		d := open(t, nil)
		d.card.gate.Select(gateIndex(submission.GateSend))
		d.card.more.fold(false)
		test.Type(d.card.more.only, "*.png")
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast(`change a to Send, only "*.png"`)
	})
	t.Run("leaves it paused that was paused meanwhile", func(t *testing.T) {
		d := open(t, nil)
		paused := plainFolder("a", "/in/a")
		paused.Paused = true
		d.show(paused)
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast(`change a to Ask first, only "", paused`)
	})
	t.Run("refuses where it happened, and beside the button", func(t *testing.T) {
		d := open(t, nil)
		d.card.more.fold(false)
		test.Type(d.card.more.skip, "[a")
		if !d.card.more.skipProblem.Visible() || d.card.more.onlyProblem.Visible() || !d.card.save.Disabled() || d.card.why.Text() != d.card.more.skipProblem.Text() {
			t.Errorf("it says %q", d.card.more.skipProblem.Text())
		}
		d.card.save.Tapped(nil)
		d.card.more.skip.SetText("")
		if d.card.more.skipProblem.Visible() || d.card.save.Disabled() || len(d.actions) != 0 {
			t.Error("it refuses on")
		}
		for _, kind := range d.card.kinds[:4] {
			kind.Tapped(nil)
		}
		if !d.card.kindsProblem.Visible() || !d.card.save.Disabled() {
			t.Error("a folder of which nothing counts can be saved")
		}
	})
	for _, language := range i18n.All() {
		t.Run("a long reason has room at the foot, in the language "+language.Code, func(t *testing.T) {
			i18ntest.Speak(t, language.Code)
			d := setup(t, fyne.NewSize(828, 600))
			d.inside = manyFiles(3, 3)
			d.offered("/in/a")
			d.card.more.fold(false)
			d.card.more.only.SetText("Agency/Incoming/Photographs of the day/*.jpg")
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
			d.card.more.only.SetText("")
			if why.Visible() {
				t.Error("it stays")
			}
		})
	}
	t.Run("a reason without end is shortened at the foot, and stands in full under its field", func(t *testing.T) {
		d := open(t, nil)
		d.card.more.fold(false)
		d.card.more.only.SetText(strings.Repeat("folder/", 100))
		why, whole := d.card.why.Text(), d.card.more.onlyProblem.Text()
		if _, end, cut := strings.Cut(why, "…"); !cut || len(why) > 250 || !strings.HasSuffix(whole, end) || len(whole) < 700 {
			t.Errorf("%q of %q", why, whole)
		}
	})
	t.Run("files stay where they are unless a folder is chosen for them", func(t *testing.T) {
		d := open(t, nil)
		if got := d.card.more.moveMeans.Text(); !strings.HasPrefix(got, "Assay never moves, renames or deletes your files") {
			t.Errorf("it says %q", got)
		}
		d.card.more.fold(false)
		d.card.screen.Choose(d.card.more.move)
		d.dialog("/in/done")
		if d.card.form.MoveTo != "/in/done" || !d.card.more.stay.Visible() || strings.HasPrefix(d.card.more.moveMeans.Text(), "Assay never moves") {
			t.Errorf("%q", d.card.more.moveMeans.Text())
		}
		if buttons := d.card.more.moveRow; d.card.more.stay.Position().X+d.card.more.stay.Size().Width > buttons.Size().Width-buttons.Objects[1].Position().X+0.5 {
			t.Error("the button that takes it back is cut off")
		}
		d.card.more.stay.Tapped(nil)
		if d.card.form.MoveTo != "" || d.card.more.stay.Visible() {
			t.Error("they are moved on")
		}
	})
	t.Run("Esc leaves it from any field, without a change", func(t *testing.T) {
		d := open(t, nil)
		d.card.more.fold(false)
		for _, from := range []fyne.Focusable{d.card.gate, d.card.kinds[0], d.card.more.only, d.card.more.quiet, d.card.more.unfold, d.card.save} {
			if !d.editing() {
				d.visible("a").change.Tapped(nil)
			}
			from.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			if d.editing() {
				t.Errorf("%T keeps Esc", from)
			}
		}
		if len(d.actions) != 0 {
			t.Error(d.actions)
		}
	})
	t.Run("a control that the keyboard reaches comes into sight", func(t *testing.T) {
		d := setup(t, fyne.NewSize(828, 600))
		d.inside = manyFiles(3, 3)
		d.offered("/in/a")
		d.card.more.fold(false)
		c, seen := d.Canvas(), map[fyne.Focusable]bool{}
		for range 40 {
			c.(interface{ FocusNext() }).FocusNext()
			o := c.Focused()
			if o == nil || seen[o] {
				continue
			}
			seen[o] = true
			if !inBody(d.card, o.(fyne.CanvasObject)) {
				continue
			}
			top := fyne.CurrentApp().Driver().AbsolutePositionForObject(o.(fyne.CanvasObject)).Y
			first := fyne.CurrentApp().Driver().AbsolutePositionForObject(d.card.scroll).Y
			if top < first || top+o.(fyne.CanvasObject).Size().Height > first+d.card.scroll.Size().Height {
				t.Errorf("%T at %g is out of %g to %g", o, top, first, first+d.card.scroll.Size().Height)
			}
		}
		for _, o := range []fyne.Focusable{d.card.inside.begin, d.card.gate, d.card.kinds[4], d.card.more.only, d.card.more.quiet, d.card.save} {
			if !seen[o] {
				t.Errorf("Tab never reaches %T", o)
			}
		}
	})
	t.Run("a folder that is removed meanwhile is said so by what it answers", func(t *testing.T) {
		d := open(t, nil)
		d.failing = errPlain
		d.card.save.Tapped(nil)
		d.idle()
		if d.card.problem.Text() != "It did not work." {
			t.Errorf("it says %q", d.card.problem.Text())
		}
	})
}

// inBody reports whether a control is in the scrolled part of the card.
func inBody(c *card, o fyne.CanvasObject) bool {
	return slices.Contains(guitest.InSight[fyne.CanvasObject](c.body), o)
}

func TestTheGateOfAFolderThatITHasLocked(t *testing.T) {
	shown := func(d *fixture) string { return strings.Join(guitest.Texts(d.Object()), "\n") }
	t.Run("a new folder begins with what the settings say", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.begins = submission.GateNever
		d.offered("/mnt/agency/in")
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast("add /mnt/agency/in Never leaves new []")
	})
	t.Run("what is forbidden can't be chosen, and the card says who has set it", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.lock = submission.GateAsk
		d.offered("/mnt/agency/in")
		for i, gate := range Gates() {
			if got := guitest.Dimmed(d.card.gate, gate.Words); got != (gates[i] == submission.GateSend) {
				t.Errorf("%q: dimmed %v", gate.Words, got)
			}
		}
		d.card.gate.Select(gateIndex(submission.GateSend))
		if d.card.gate.Selected() != gateIndex(submission.GateAsk) || !strings.Contains(shown(d), "Your organisation's IT has set that files of watched folders wait") {
			t.Errorf("option %d; it shows %s", d.card.gate.Selected(), shown(d))
		}
	})
	t.Run("a folder's own choice stays kept, and what holds is shown", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		row := RowOf(clientfolders.Folder{ID: "a", Settings: clientfolders.Settings{Path: "/in", Gate: submission.GateSend}, Lock: submission.GateNever})
		d.Update([]Row{row})
		if said := shown(d); !strings.Contains(said, "Never leaves") || strings.Contains(said, "Send") {
			t.Errorf("the row shows %s", said)
		}
		d.change("a")
		if d.card.gate.Selected() != gateIndex(submission.GateNever) || !strings.Contains(shown(d), "never leave this computer") {
			t.Errorf("option %d; it shows %s", d.card.gate.Selected(), shown(d))
		}
		d.card.save.Tapped(nil)
		d.idle()
		d.wantLast(`change a to Send, only ""`)
	})
}
