package inbox

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

// waiting makes submissions that wait, by their IDs, which are their names too.
func waiting(ids ...string) []submission.Submission {
	var all []submission.Submission
	for _, id := range ids {
		all = append(all, submission.Submission{ID: id, Name: id, State: submission.Waiting, Accepted: inboxNow})
	}
	return all
}

func TestInboxIsADropTargetUntilThereIsSomething(t *testing.T) {
	d := setup(t, guitest.Usual)
	if d.Filled() || !d.empty.Visible() || d.filled.Visible() {
		t.Fatal("the empty inbox is not the drop target")
	}
	d.show(waiting("a")...)
	if !d.Filled() || d.empty.Visible() || !d.filled.Visible() {
		t.Error("the table is not shown")
	}
	d.show()
	if d.Filled() || !d.empty.Visible() || d.filled.Visible() {
		t.Error("emptied, it is not the drop target again")
	}
	t.Run("the ways in are there in both", func(t *testing.T) {
		for i, o := range []fyne.CanvasObject{d.empty, d.filled} {
			d.show(waiting("a")[:i]...)
			for _, button := range guitest.InSight[*kit.Button](o) {
				if name := button.AccessibilityLabel(); strings.HasPrefix(name, "Choose") {
					test.Tap(button)
				}
			}
		}
		if got := d.Take(); got != "choose; choose-folder; choose-folder; choose" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestInboxTakesALink(t *testing.T) {
	d := setup(t, guitest.Usual)
	field := guitest.InSight[*widget.Entry](d.empty)[0]
	d.refuses = true
	field.SetText("no link")
	field.OnSubmitted("no link")
	if d.said.Text() != noLink || field.Text != "no link" {
		t.Errorf("it says %q, and the field %q", d.said.Text(), field.Text)
	}
	field.SetText("https://example.org/a")
	if d.said.Text() != "" {
		t.Error("the notice stays while the link is set right")
	}
	d.refuses = false
	d.Take()
	field.OnSubmitted(field.Text)
	if got := d.Take(); got != "paste https://example.org/a" || field.Text != "" {
		t.Errorf("asked for %q, the field has %q", got, field.Text)
	}
}

func TestInboxSays(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a")...)
	d.Say("12 files taken.")
	d.Say("3 files taken.")
	if d.said.Text() != "3 files taken." {
		t.Errorf("it says %q", d.said.Text())
	}
	t.Run("what arrives does not wipe it away", func(t *testing.T) {
		d.show(waiting("a", "b", "c")...)
		d.change(0, func(s *submission.Submission) { s.State = submission.Checking })
		if d.said.Text() != "3 files taken." {
			t.Errorf("it says %q", d.said.Text())
		}
	})
	t.Run("until it is dismissed", func(t *testing.T) {
		test.Tap(guitest.InSight[*kit.Button](d.said.Box)[0])
		if d.said.Text() != "" {
			t.Error("it is still there")
		}
	})
	t.Run("or until the person goes on", func(t *testing.T) {
		for name, do := range map[string]func(){
			"acts on a row": func() { test.Tap(d.rowOf("a").ending) },
			"filters":       func() { d.filters.tabs.Select(1) },
			"pauses all":    func() { test.Tap(d.whole.buttons[PauseAll]) },
			"presses Esc":   func() { d.key(fyne.KeyEscape) },
		} {
			d.Say("Said.")
			do()
			if d.said.Text() != "" {
				t.Errorf("it stays when one %s", name)
			}
		}
	})
}

func TestInboxSaysWhyEverythingStands(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.queue = intake.QueueStatus{Cause: intake.NoQuota, Reason: i18n.Verbatim("The uploads are used up.")}
	d.show(waiting("a")...)
	if d.queue.Reason.String() != d.stands.Text() {
		t.Fatalf("it says %q", d.stands.Text())
	}
	test.Tap(guitest.InSight[*kit.Button](d.stands.Box)[0])
	if got := d.Take(); got != "resume-all" {
		t.Errorf("what helps asked for %q", got)
	}
	d.queue = intake.QueueStatus{Cause: intake.NoNetwork, Reason: i18n.Verbatim("Not reached.")}
	d.show(d.all...)
	if d.stands.Text() != "Not reached." || len(guitest.InSight[*kit.Button](d.stands.Box)) > 0 {
		t.Error("what passes by itself offers a button")
	}
	d.queue = intake.QueueStatus{}
	d.show(d.all...)
	if d.stands.Text() != "" {
		t.Error("it is still said")
	}
}

func TestInboxLineForTheWhole(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(everyState(t, 19)...)
	if d.whole.done.Text() != "10 of 19 done" || !strings.Contains(d.whole.detail.Text(), " left") || !d.whole.progress.Visible() {
		t.Errorf("%q, %q", d.whole.done.Text(), d.whole.detail.Text())
	}
	shown := func() string {
		var labels []string
		for _, b := range guitest.InSight[*kit.Button](d.whole.object) {
			labels = append(labels, b.Label())
			test.Tap(b)
		}
		return strings.Join(labels, ", ")
	}
	if got := shown(); got != "Pause all, Retry failed (2), Clear done (6)" {
		t.Errorf("it offers %s", got)
	}
	if got := d.Take(); got != "pause-all; retry-failed; clear-done" {
		t.Errorf("asked for %s", got)
	}
	d.queue = intake.QueueStatus{Cause: intake.PausedAll}
	d.show(waiting("a")...)
	if got := shown(); got != "Resume all" || d.Take() != "resume-all" || d.whole.progress.Visible() {
		t.Errorf("paused, it offers %s", got)
	}
}

func TestInboxRefreshesOneRowAlone(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a", "b", "c")...)
	row, filled := d.rowOf("b"), 0
	update := d.table.UpdateItem
	d.table.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { filled++; update(i, o) }
	d.change(1, func(s *submission.Submission) {
		s.State, s.Size, s.Sent, s.Rate = submission.Sending, 4<<20, 1<<20, 1<<20
	})
	if filled != 0 {
		t.Errorf("the list filled %d rows for one tick", filled)
	}
	if row != d.rowOf("b") || row.state.Text() != "Uploading" || row.detail.Text() != "1 MB/s · 3 s left" || guitest.Filled(row.progress) != 0.25 {
		t.Errorf("it shows %q, %q, %v", row.state.Text(), row.detail.Text(), guitest.Filled(row.progress))
	}
	t.Run("one out of sight waits until it is seen", func(t *testing.T) {
		var ids []string
		for i := range 100 {
			ids = append(ids, fmt.Sprint(i))
		}
		d.show(waiting(ids...)...)
		d.change(90, func(s *submission.Submission) { s.State = submission.Checking })
		d.table.ScrollTo(90)
		if got := d.rowOf("90").state.Text(); got != "Looking at the file" {
			t.Errorf("it shows %q", got)
		}
	})
}

func TestInboxRowActs(t *testing.T) {
	d := setup(t, guitest.Usual)
	fake := inboxResult(t, `{"overallStatus":"FAKE"}`)
	d.show(
		submission.Submission{ID: "under way", State: submission.Sending},
		submission.Submission{ID: "paused", State: submission.Sending, Paused: true},
		submission.Submission{ID: "failed", State: submission.Failed, Problem: i18n.Verbatim("No.")},
		submission.Submission{ID: "answered", State: submission.Done, Path: "/a", Result: fake},
		submission.Submission{ID: "before", State: submission.Done, Path: "/a", Earlier: "1", Result: fake},
		submission.Submission{ID: "cancelled", State: submission.Cancelled},
		submission.Submission{ID: "held", State: submission.Held, Gate: submission.GateAsk},
		submission.Submission{ID: "kept here", State: submission.Stays, Gate: submission.GateAsk},
		submission.Submission{ID: "stays", State: submission.Stays, Gate: submission.GateNever},
	)
	for id, want := range map[string]string{
		"under way": "pause under way; cancel under way",
		"paused":    "resume paused; cancel paused",
		"failed":    "retry failed; remove failed",
		"answered":  "open answered; remove answered",
		"before":    "scan-again before; open before; remove before",
		"cancelled": "retry cancelled; remove cancelled",
		"held":      "withhold held; allow held",
		"kept here": "allow kept here; remove kept here",
		"stays":     "remove stays",
	} {
		t.Run(id, func(t *testing.T) {
			for _, b := range guitest.InSight[*kit.Button](d.rowOf(id)) {
				if b.AccessibilityLabel() == "" {
					t.Error("a button without a name")
				}
				test.Tap(b)
			}
			if got := d.Take(); got != want {
				t.Errorf("asked for %q", got)
			}
		})
	}
	t.Run("a row that is used again acts for what it shows", func(t *testing.T) {
		row := d.rowOf("under way")
		row.set(Row{ID: "other", Actions: []present.Action{present.Retry}}, nil, false, false)
		d.show(append(d.all, submission.Submission{ID: "other", State: submission.Failed})...)
		test.Tap(d.rowOf("other").change)
		if got := d.Take(); got != "retry other" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestInboxFitsTheSmallestWindow(t *testing.T) {
	for _, language := range i18n.All() {
		t.Run(language.Text, func(t *testing.T) {
			i18ntest.Speak(t, language.Code)
			fitsTheSmallestWindow(t)
		})
	}
}

// fitsTheSmallestWindow shows the inbox beside a rail, in the language that is spoken.
func fitsTheSmallestWindow(t *testing.T) {
	d := setup(t, fyne.NewSize(900, 600))
	rail := kit.NewRail([]kit.RailItem{{Label: i18n.T("Inbox")}, {Label: i18n.T("Results")}, {Label: i18n.T("Folders")}, {Label: i18n.T("Settings")}}, func(int) {})
	least := 900 - rail.MinSize().Width
	for name, set := range map[string]func(){
		"empty":    func() { d.show() },
		"in use":   func() { d.show(everyState(t, 50)...) },
		"selected": func() { d.show(everyState(t, 50)...); d.SelectAll() },
		"held":     func() { d.show(heldFiles(50)...) },
		"of 10,000": func() {
			d.Update(nil, nil, SummaryOf(intake.Totals{All: 10_000, Ended: 9_876, Done: 8_765, Failed: 1_111, Bytes: 1 << 40, Sent: 1 << 39, Rate: 1},
				intake.QueueStatus{}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			set()
			d.Resize(fyne.NewSize(least, 600))
			if size := d.Object().MinSize(); size.Width > least || size.Height > 600 {
				t.Errorf("the inbox asks for %v, there is %g", size, least)
			}
			apart(t, d.whole.object.Objects)
			apart(t, d.filters.object.Objects)
			apart(t, d.column.Objects)
			apart(t, d.picked.bar.Objects)
			for _, row := range guitest.InSight[*rowWidget](d.table) {
				apart(t, test.WidgetRenderer(row).Objects()[4:]) // but for the grounds
			}
		})
	}
}

// apart fails where two visible objects lie on each other.
func apart(t *testing.T, objects []fyne.CanvasObject) {
	t.Helper()
	for i, a := range objects {
		for _, b := range objects[i+1:] {
			if !a.Visible() || !b.Visible() || a.Size().Width == 0 || b.Size().Width == 0 {
				continue
			}
			p, q := a.Position(), b.Position()
			across := min(p.X+a.Size().Width, q.X+b.Size().Width) - max(p.X, q.X)
			down := min(p.Y+a.Size().Height, q.Y+b.Size().Height) - max(p.Y, q.Y)
			if across > 0.5 && down > 2.5 { // lines of text may touch
				t.Errorf("%T at %v, %v and %T at %v, %v lie on each other", a, p, a.Size(), b, q, b.Size())
			}
		}
	}
}
