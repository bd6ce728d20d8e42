package report

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/report"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
)

func TestPreview(t *testing.T) {
	t.Run("a page has the words of the report in their order", func(t *testing.T) {
		d := setup(t)
		d.show(one())
		d.WantWords("Report on harbour-statement.jpg", "Evidence report", "name-0.jpg", "Likely manipulated", "88 of 100", "5,204,118 bytes", "As received, made smaller.", "Other checks", "empty")
		if words := d.Words(); strings.Index(words, "Likely manipulated") > strings.Index(words, "Other checks") {
			t.Error("the verdict does not come first")
		}
	})
	t.Run("a timeline has a bar, with its ends and its parts", func(t *testing.T) {
		d := setup(t)
		timeline := report.Table{
			Heading: "Audio, as reported per part", Class: "timeline", Rows: []report.Row{{{Text: "00:00.0–00:02.0"}, {Text: "Likely manipulated", Class: "fake"}, {Text: "score 0.91"}, {Text: "chunks[0]", Mono: true}}},
			Lane: &report.Lane{Begin: "00:00.0", End: "00:08.0", Spans: []report.LaneSpan{{From: 0, Width: 25, Class: "fake"}, {From: 75, Width: 25}}},
		}
		d.Show(&memorySource{about: one(), more: []report.Table{timeline}})
		d.Until("the preview is there", d.shown)
		d.WantWords("Audio, as reported per part", "00:00.0", "00:08.0", "score 0.91", "chunks[0]")
	})
	t.Run("follows each choice", func(t *testing.T) {
		d := setup(t)
		source := d.show(one())
		assert.Equal(t, report.MediaReceived, source.options().Media)
		d.SelectOption(i18n.T("None, only their SHA-256"))
		d.Until("it is read again", func() bool { return source.options().Media == report.MediaNone })
		d.chooseFormat(".csv")
		d.UntilWords("request-0")
		d.WantWords("request_id", "=1+1")
		d.WantNoWords(i18n.T("Pictures"))
		d.chooseFormat(".json")
		d.UntilWords(`{"schema": "assay.report/1"`)
		d.WantWords(i18n.T("This is only the beginning of the file."))
	})
	t.Run("goes in another language, with neutral names, without notes and heatmaps", func(t *testing.T) {
		d := setup(t)
		source := d.show(one())
		d.SelectOption(i18n.T("Neutral names"))
		d.SelectOption("Deutsch")
		test.Tap(d.CheckOf(i18n.T("Notes and tags")))
		test.Tap(d.CheckOf(i18n.T("Heatmaps")))
		d.Until("all of it is asked for", func() bool { return len(source.options().Without) == 2 })
		o := source.options()
		if diff := cmp.Diff(report.Options{Replace: true, Media: report.MediaReceived, Names: report.NamesNeutral, Language: "de", Made: testNow,
			Without: []report.Part{report.PartNotes, report.PartHeatmaps}}, o, cmpopts.IgnoreUnexported(report.Options{})); diff != "" {
			t.Error(diff)
		}
		d.Tap("Save…")
		d.UntilWords("Saved as")
		d.Tap("Close")
		again := d.show(one())
		assert.Equal(t, "de", again.options().Language)
		assert.Equal(t, report.NamesNeutral, again.options().Names)
	})
	t.Run("what was shown stays until the next is there", func(t *testing.T) {
		d := setup(t)
		source := d.show(one())
		source.Fail("table", errors.New("broken"))
		d.chooseFormat(".csv")
		d.WantWords("name-0.jpg")
		d.Until("it says why", func() bool { return !guitest.Reads(d.Top(), "name-0.jpg") })
	})
	t.Run("all pages can be turned, with keys and buttons, the case's own first", func(t *testing.T) {
		d := setup(t)
		d.show(Subject{Case: true, Name: "Harbour", Results: 3})
		d.WantWords("Report on the case “Harbour”", "Case: Harbour", "1 of 4")
		d.Tap("Next")
		d.UntilWords("name-1.jpg")
		d.Canvas().Focus(nil)
		d.Press(fyne.KeyRight, fyne.KeyRight, fyne.KeyRight)
		d.UntilWords("name-3.jpg")
		d.WantWords("4 of 4")
		if d.Button("Next") == nil || !d.Button("Next").Disabled() {
			t.Error("there is a page after the last")
		}
		d.Tap("Previous")
		d.UntilWords("name-2.jpg")
	})
	t.Run("of a long table the first rows, and how many more there are", func(t *testing.T) {
		d := setup(t)
		d.show(Subject{Table: true, Results: 100_000})
		d.WantWords("Export 100,000 results", "request-0", "request-19", "and 99,980 more rows")
		d.WantNoWords("request-20", ".pdf", ".html")
		d.Canvas().Focus(nil)
		at := func() (x float32) {
			for _, scroll := range guitest.InSight[*container.Scroll](d.Top()) {
				x = max(x, scroll.Offset.X)
			}
			return x
		}
		d.Press(fyne.KeyRight, fyne.KeyRight)
		if right := at(); right <= 0 {
			t.Error("the keys do not reach the columns at the right")
		}
		d.Press(fyne.KeyLeft, fyne.KeyLeft, fyne.KeyLeft)
		assert.Equal(t, float32(0), at())
	})
	t.Run("without any answer nothing can be written", func(t *testing.T) {
		d := setup(t)
		d.show(Subject{Case: true, Name: "Empty", Unanswered: 2})
		d.WantWords(i18n.T("There is no answer yet, so there is nothing to save."), "2 items of the case have no answer and are left out.")
		if !d.Button("Save…").Disabled() {
			t.Error("it can be saved")
		}
	})
}

func TestDefaults(t *testing.T) {
	t.Run("of sensitive material are careful, whatever was chosen before, and say so in one line", func(t *testing.T) {
		for _, c := range []struct {
			about Subject
			media report.Media
			names report.Names
			says  string
		}{
			{Subject{Name: "a.jpg", Results: 1, Sensitive: 1}, report.MediaNone, report.NamesNeutral, "This file is sensitive: its picture, its name, all notes and tags are left out unless you choose otherwise."},
			{Subject{Results: 5, Sensitive: 2}, "", "", "2 of the files are sensitive: their pictures, their names, all notes and tags are left out unless you choose otherwise."},
		} {
			d := setup(t)
			d.Kept = Choice{Format: ".pdf", Media: report.MediaReceived}
			source := d.show(c.about)
			d.WantWords(c.says)
			assert.Equal(t, c.media, source.options().Media)
			assert.Equal(t, c.names, source.options().Names)
			assert.Equal(t, []report.Part{report.PartNotes}, source.options().Without)
			d.SelectOption(i18n.T("As received, made smaller"))
			d.at = "/out/x"
			d.Tap("Save…")
			d.UntilWords("Saved as x.pdf.")
			assert.Equal(t, report.MediaReceived, source.options().Media)
			assert.Equal(t, Choice{Format: ".pdf", Media: report.MediaReceived}, d.kept[0]) // as before, but for what was chosen here
		}
	})
	t.Run("are what was chosen last, but not for sensitive material", func(t *testing.T) {
		d := setup(t)
		d.show(one())
		d.chooseFormat(".pdf")
		d.SelectOption(i18n.T("None, only their SHA-256"))
		d.Tap("Save…")
		d.UntilWords("Saved as")
		d.Tap("Close")
		source := d.show(one())
		assert.Equal(t, report.MediaNone, source.options().Media)
		d.Tap("Save…")
		d.UntilWords("Saved as chosen.html.pdf")
		d.Tap("Close")
		d.show(Subject{Name: "a.jpg", Results: 1, Sensitive: 1})
		d.SelectOption(i18n.T("As received, made smaller"))
		d.Tap("Save…")
		d.UntilWords("Saved as")
		assert.Equal(t, report.MediaNone, d.kept[len(d.kept)-1].Media)
	})
	t.Run("provisional results are named so, and are not the final report", func(t *testing.T) {
		d := setup(t)
		d.show(Subject{Results: 3, Provisional: 1})
		d.WantWords("1 result is provisional: not all models have finished. The report says so and is not final.")
	})
	t.Run("the suggested name tells nothing of a sensitive file", func(t *testing.T) {
		d := setup(t)
		d.at = ""
		for about, want := range map[Subject]string{
			one(): "where report harbour-statement 2026-11-22.html",
			{Name: "harbour-statement.jpg", Results: 1, Sensitive: 1}: "where report results 2026-11-22.html",
			{Name: `a/b\c:"d".`, Case: true, Results: 2}:              "where report a-b-c--d 2026-11-22.html",
			{Results: 2}: "where report results 2026-11-22.html",
		} {
			d.show(about)
			d.Tap("Save…")
			assert.Equal(t, want, d.Take())
			d.Tap("Close")
		}
	})
}

func TestSaving(t *testing.T) {
	t.Run("says how far it is, and afterwards where it is", func(t *testing.T) {
		d := setup(t)
		source := d.slow(40)
		d.WantWords("0 of 40 results saved")
		if d.Button("Save…") != nil || d.Button("Close") != nil {
			t.Error("it can be saved or closed meanwhile without a word")
		}
		for range 20 {
			source.gate <- struct{}{}
		}
		d.clock.Advance(time.Second)
		source.gate <- struct{}{}
		d.Until("it says how far it is", func() bool { return !guitest.Reads(d.Top(), "0 of 40") || guitest.Reads(d.Top(), "20 of 40") })
		close(source.gate)
		d.UntilWords("Saved as chosen.html.")
		if d.Canvas().Focused() != d.Button("Close") {
			t.Errorf("the keyboard is at %T", d.Canvas().Focused())
		}
		d.Take()
		d.Tap("Show in folder")
		d.Tap("Open")
		assert.Equal(t, "reveal /out/chosen.html; open /out/chosen.html", d.Take())
	})
	t.Run("stops, and leaves the choice for another attempt", func(t *testing.T) {
		d := setup(t)
		source := d.slow(40)
		source.gate <- struct{}{}
		d.Tap("Stop")
		d.WantWords(i18n.T("Stopped. Nothing was saved."))
		<-source.ended
		close(source.gate)
		d.Tap("Save…")
		d.UntilWords("Saved as chosen.html.")
	})
	t.Run("ends when the sheet is closed", func(t *testing.T) {
		d := setup(t)
		source := d.slow(40)
		source.gate <- struct{}{}
		d.Frame.Sheet.Close()
		<-source.ended
	})
	t.Run("says why it failed, until something is changed", func(t *testing.T) {
		d := setup(t)
		source := d.show(one())
		source.failed = &report.Error{Text: "The disk of /out is full. Nothing was written."}
		d.Tap("Save…")
		d.UntilWords("The disk of /out is full. Nothing was written.")
		d.chooseFormat(".pdf")
		d.WantNoWords("is full")
	})
	t.Run("a bundle has only hashes until files are chosen, and tells what came of it", func(t *testing.T) {
		d := setup(t)
		d.authorities, d.at = []string{"stamps.example"}, "/out/evidence"
		source := d.show(one())
		d.chooseFormat(".zip")
		d.WantNoWords("stamps.example")
		test.Tap(d.CheckOf(i18n.T("Add a time stamp")))
		d.WantWords("For the time stamp, only a hash goes to stamps.example.")
		source.notes = []string{"Sealed with the key SHA256:abc.", "The heatmap of a-img could not be had."}
		d.Tap("Save…")
		d.UntilWords("Saved as evidence.zip. Sealed with the key SHA256:abc. The heatmap of a-img could not be had.")
		if source.how.Media != report.MediaNone || !source.how.Stamp || source.how.Unsealed {
			t.Errorf("%+v", source.how)
		}
		d.SelectOption(i18n.T("As received and as sent"))
		d.Tap("Save…")
		d.UntilWords("Saved as")
		if source.how.Media != report.MediaBoth {
			t.Errorf("%+v", source.how)
		}
	})
	t.Run("a bundle goes without a seal only where there is no key, and only if that is chosen", func(t *testing.T) {
		d := setup(t)
		d.at = "/out/evidence.zip"
		source := d.show(one())
		d.chooseFormat(".zip")
		d.WantNoWords(i18n.T("Leave out the seal"))
		source.failed = &report.Error{Text: "There is no keychain.", Err: ErrNoKey}
		d.Tap("Save…")
		d.UntilWords("There is no keychain.")
		test.Tap(d.CheckOf(i18n.T("Leave out the seal")))
		source.failed = nil
		d.Tap("Save…")
		d.UntilWords("Saved as")
		if !source.how.Unsealed {
			t.Errorf("%+v", source.how)
		}
	})
	t.Run("the file's name gets the ending of its format", func(t *testing.T) {
		for at, want := range map[string]string{"/out/a": "/out/a.pdf", "/out/a.pdf": "/out/a.pdf", "/out/a.PDF": "/out/a.PDF", "/out/a.b": "/out/a.b.pdf"} {
			d := setup(t)
			source := d.show(one())
			d.chooseFormat(".pdf")
			d.at = at
			d.Tap("Save…")
			d.UntilWords("Saved as")
			assert.Equal(t, want, source.path)
		}
	})
	t.Run("in the browser it is a private file, and what was saved stays as it is", func(t *testing.T) {
		d := setup(t)
		source := d.show(one())
		d.Tap("Open in the browser")
		if source.path != "/private/report.html" || len(d.kept) != 0 {
			t.Errorf("%q, kept %v", source.path, d.kept)
		}
	})
	t.Run("a cancelled dialog changes nothing", func(t *testing.T) {
		d := setup(t)
		source := d.show(one())
		d.at = ""
		d.Tap("Save…")
		if source.Has("write") || d.Button("Save…").Disabled() {
			t.Error("it was written")
		}
	})
}

func TestWordsOfTheSheet(t *testing.T) {
	i18ntest.Pseudo(t)
	d := setup(t)
	data := []string{"harbour-statement.jpg", "Evidence report", "made today", "name-0.jpg", "Likely manipulated", "The service's status: FAKE", "88", "of 100 · ensemble", "0 no indication", "100 strong indication", "strong", "indication", "of", "ensemble", "100",
		"Size", "5,204,118 bytes", "Other checks", "Check", "What was found", "Who, when", "Place", "empty", "As received, made smaller.", "·", ".html", ".pdf", ".xlsx", ".csv", ".json", ".ndjson", ".zip", "English"}
	d.show(Subject{Name: "harbour-statement.jpg", Results: 1, Sensitive: 1, Provisional: 1})
	guitest.CheckTranslated(t, d.Canvas().Overlays().Top(), data...)
}

// TestLargeTextLeavesTheButtonsFree holds that in a low window, as with large text, nothing that scrolls reaches below the buttons.
func TestLargeTextLeavesTheButtonsFree(t *testing.T) {
	d := setupAt(t, fyne.NewSize(600, 400)) // the smallest window at 150 %
	d.show(one())
	driver := fyne.CurrentApp().Driver()
	save := driver.AbsolutePositionForObject(d.Button("Save…")).Y
	for _, scroll := range guitest.InSight[*container.Scroll](d.Top()) {
		if end := driver.AbsolutePositionForObject(scroll).Y + scroll.Size().Height; end > save {
			t.Errorf("it reaches to %v, the buttons begin at %v", end, save)
		}
	}
}

// TestLargeTextLeavesRoomForThePreview holds that in a small window with large text the preview has more than half of the width, and its words a margin.
func TestLargeTextLeavesRoomForThePreview(t *testing.T) {
	for name, size := range map[string]fyne.Size{"150": {Width: 600, Height: 400}, "200": {Width: 450, Height: 300}} {
		d := setupAt(t, size)
		source := &memorySource{about: Subject{Name: "harbour-statement.jpg", Results: 1, Provisional: 1}, remark: "The verdict is provisional."}
		d.Show(source)
		d.Until("the preview is there", d.shown)
		guitest.Keep(t, d.Frame, "report-room-"+name)
		left := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X }
		scrolls := guitest.InSight[*container.Scroll](d.Top())
		choices, preview := scrolls[1], scrolls[2] // within that of the sheet
		if name == "150" && preview.Size().Width < 1.3*choices.Size().Width {
			t.Errorf("the preview is %g wide, the choices are %g", preview.Size().Width, choices.Size().Width)
		}
		for _, scroll := range scrolls {
			if least := scroll.Content.MinSize().Width; least > scroll.Size().Width {
				t.Errorf("at %s %%, %g wide is shown in %g", name, least, scroll.Size().Width)
			}
		}
		for _, p := range guitest.InSight[*kit.Paragraph](preview) {
			if end := left(p) + p.Size().Width; end > left(preview)+preview.Size().Width-10 {
				t.Errorf("at %s %%, %q ends at %g, the preview at %g", name, p.Text(), end, left(preview)+preview.Size().Width)
			}
		}
		for _, o := range guitest.InSight[fyne.Focusable](choices) {
			control := o.(fyne.CanvasObject)
			if end := left(control) + control.Size().Width; end > left(choices)+choices.Size().Width {
				t.Errorf("at %s %%, %q ends at %g, the choices at %g", name, guitest.Words(control), end, left(choices)+choices.Size().Width)
			}
		}
	}
}

// TestReportGallery draws the sheet as a person sees it.
func TestReportGallery(t *testing.T) {
	guitest.Gallery(t, "report", 1, []look.Mode{look.ModeLight, look.ModeDark}, []float32{1}, []guitest.Scene[*fixture]{
		{Name: "one", Set: func(d *fixture) { d.show(one()) }},
		{Name: "sensitive", Set: func(d *fixture) {
			d.show(Subject{Name: strings.Repeat("a very long name of a file ", 7), Results: 1, Sensitive: 1, Provisional: 1})
		}},
		{Name: "table", Set: func(d *fixture) { d.show(Subject{Table: true, Results: 100_000}) }},
		{Name: "json", Set: func(d *fixture) {
			d.show(one())
			d.chooseFormat(".json")
			d.UntilWords("schema")
		}},
		{Name: "fifty", Set: func(d *fixture) { d.show(Subject{Case: true, Name: "Harbour", Results: 50, Unanswered: 1}) }},
		{Name: "saved", Set: func(d *fixture) {
			d.show(one())
			d.Tap("Save…")
			d.UntilWords("Saved as")
		}},
		{Name: "failed", Set: func(d *fixture) {
			source := d.show(one())
			source.failed = &report.Error{Text: "The disk of /media/desk/evidence is full. Nothing was written."}
			d.Tap("Save…")
			d.UntilWords("is full")
		}},
	}, func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, _ float32) *guitest.Frame {
		t.Cleanup(func() { _ = i18n.Use("en", "") })
		d := setupAt(t, size)
		d.SetMode(mode)
		set(d)
		return d.Frame
	})
}
