package inbox

import (
	"fmt"
	"slices"
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
	for range 2 {
		d.WantWords(i18n.T("Drop something to check"))
		d.Tap("Choose files…")
		d.Tap("Choose a folder…")
		d.show(waiting("a")...)
		d.WantWords("a")
		d.WantNoWords(i18n.T("Drop something to check"))
		d.Tap("Choose files…")
		d.Tap("Choose a folder…")
		d.show()
	}
	if got := d.Take(); got != "choose; choose-folder; choose; choose-folder; choose; choose-folder; choose; choose-folder" {
		t.Errorf("asked for %q", got)
	}
}

func TestInboxTakesALink(t *testing.T) {
	d := setup(t, guitest.Usual)
	field := d.Field("Paste a link")
	d.Canvas().Focus(field)
	d.refuses = true
	d.Type("no link")
	d.Press(fyne.KeyReturn)
	d.WantWords(i18n.T(noLink))
	if got := d.Take(); got != "paste no link" || !slices.Contains(guitest.Seen(field), "no link") {
		t.Errorf("asked for %q, the field shows %q", got, guitest.Seen(field))
	}
	field.SetText("https://example.org/a")
	d.WantNoWords(i18n.T(noLink)) // it is being set right
	d.refuses = false
	d.Press(fyne.KeyReturn)
	if got := d.Take(); got != "paste https://example.org/a" || slices.Contains(guitest.Seen(field), "https://example.org/a") {
		t.Errorf("asked for %q, the field shows %q", got, guitest.Seen(field))
	}
}

func TestInboxSays(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a")...)
	d.Say("12 files added.")
	d.Say("3 files added.")
	d.WantWords("3 files added.")
	d.WantNoWords("12 files added.")
	t.Run("what arrives does not wipe it away", func(*testing.T) {
		d.show(waiting("a", "b", "c")...)
		d.change(0, func(s *submission.Submission) { s.State = submission.Checking })
		d.WantWords("3 files added.")
	})
	t.Run("until it is dismissed", func(*testing.T) {
		d.Tap("Dismiss")
		d.WantNoWords("3 files added.")
	})
	t.Run("or until the person goes on", func(*testing.T) {
		for _, goOn := range []func(){
			func() { d.TapIn(d.rowOf("a"), "Cancel") },
			func() { d.SelectOption(FilterUnderWay.Words()) },
			func() { d.Tap("Pause all") },
			func() { d.Press(fyne.KeyEscape) },
		} {
			d.Say("Said.")
			d.WantWords("Said.")
			goOn()
			d.WantNoWords("Said.")
		}
	})
}

func TestInboxSaysWhyEverythingStands(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.queue = intake.QueueStatus{Cause: intake.NoQuota, Reason: i18n.Verbatim("The uploads are used up.")}
	helps := d.overallNow().HelpWords
	d.show(waiting("a")...)
	d.WantWords("The uploads are used up.")
	d.Tap(helps)
	if got := d.Take(); got != "resume-all" {
		t.Errorf("what helps asked for %q", got)
	}
	d.queue = intake.QueueStatus{Cause: intake.NoNetwork, Reason: i18n.Verbatim("Not reached.")}
	d.show(d.all...)
	d.WantWords("Not reached.")
	if d.Button(helps) != nil {
		t.Error("what passes by itself offers a button")
	}
	d.queue = intake.QueueStatus{}
	d.show(d.all...)
	d.WantNoWords("Not reached.")
}

func TestInboxLineForTheWhole(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(everyState(t, 19)...)
	whole := d.overallNow()
	d.WantWords(whole.Counts, whole.Detail)
	if line := guitest.InSight[*kit.Progress](d.summary.object); len(line) != 1 || guitest.Filled(line[0]) != float32(*whole.Progress) {
		t.Error("the line is not filled as far")
	}
	for _, label := range []string{"Pause all", i18n.F("Try failed again (%s)", "2"), i18n.F("Clear done (%s)", "6")} {
		d.Tap(label)
	}
	if got := d.Take(); got != "pause-all; retry-failed; clear-done" {
		t.Errorf("asked for %s", got)
	}
	for width := float32(700); width < 1200; width += 3 {
		d.Resize(fyne.NewSize(width, 600))
		for _, text := range guitest.Seen(d.summary.object) {
			if strings.HasSuffix(text, "…") && len([]rune(text)) < 4 {
				t.Errorf("%g wide, it says %q", width, text)
			}
		}
	}
	d.Resize(guitest.Usual)
	d.queue = intake.QueueStatus{Cause: intake.PausedAll}
	d.show(waiting("a")...)
	d.Tap("Resume all")
	if got := d.Take(); got != "resume-all" || len(guitest.InSight[*kit.Button](d.summary.object)) != 1 || len(guitest.InSight[*kit.Progress](d.summary.object)) > 0 {
		t.Errorf("paused, asked for %s", got)
	}
}

// shows reports whether a row shows all of these texts.
func shows(row *rowWidget, texts ...string) bool {
	seen := guitest.Seen(row)
	return !slices.ContainsFunc(texts, func(text string) bool { return !slices.Contains(seen, text) })
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
	want, line := RowOf(d.all[1]), guitest.InSight[*kit.Progress](row)
	if !shows(row, want.State, want.Detail) || row != d.rowOf("b") || len(line) != 1 || guitest.Filled(line[0]) != 0.25 {
		t.Errorf("it shows %q", guitest.Seen(row))
	}
	t.Run("one out of sight waits until it is seen", func(t *testing.T) {
		var ids []string
		for i := range 100 {
			ids = append(ids, fmt.Sprint(i))
		}
		d.show(waiting(ids...)...)
		d.change(90, func(s *submission.Submission) { s.State = submission.Checking })
		d.table.ScrollTo(90)
		if row := d.rowOf("90"); !shows(row, RowOf(d.all[90]).State) {
			t.Errorf("it shows %q", guitest.Seen(row))
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
		d.TapIn(d.rowOf("other"), "Try again")
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
			apart(t, d.summary.object.Objects)
			apart(t, d.filters.object.Objects)
			apart(t, d.column.Objects)
			apart(t, d.selected.bar.Objects)
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
