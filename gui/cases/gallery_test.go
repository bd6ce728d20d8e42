package cases

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/i18n/i18ntest"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/screens"
)

// fill makes a case in which the desk has done something of every kind.
func (d *fixture) fill(items int) (id string) {
	d.T.Helper()
	names := []string{"harbour-statement.jpg", "a name of a picture that an agency has sent with all that it knows of it, 2026-11-03 14.02.11.jpg", "صورة من الميناء.jpg", "编辑部素材.mp4"}
	for i := len(names); i < items; i++ {
		names = append(names, fmt.Sprintf("IMG_%04d.jpg", i))
	}
	for _, title := range []string{"Voice notes, 18 Nov", "Square at night, in a title that is longer than the list has room for"} {
		d.gather(title)
	}
	id = d.gather("Harbour statement", d.submit(names[:items]...)...)
	for _, e := range []store.CaseEvent{
		checked(store.CheckSource, "The press office denies it, and says that the minister was elsewhere at that time", "Maria"),
		checked(store.CheckEarlierCopy, "None before 3 Nov", "Jonas"),
		asked("Is the sound from the same day?", "Maria"),
		{ID: "question", Kind: store.CaseAsked, Text: "Where was this taken?", By: "Jonas"},
		answered("question", "Pier 4, seen from the ferry ramp", []evidence{{Kind: store.EvidenceLink, Value: "https://harbour.example/cams"}}, "Jonas"),
		tagged("harbour, elections", "Maria"),
		drawn("We don't run the picture. The press office denies the statement, and no copy older than 3 November was found.", "Maria"),
	} {
		assert.NoError(d.T, d.store.ChangeCase(d.T.Context(), id, e))
	}
	d.read()
	return id
}

// fillShared is fill, shared with Rui, who has done something in it and in others, of which there are many.
func (d *fixture) fillShared() {
	d.T.Helper()
	d.join()
	for i := range 48 {
		each := d.gather(fmt.Sprintf("Agency, week %d, with a title that is longer than the list has room for", i))
		if i%3 == 0 {
			assert.NoError(d.T, d.store.ShareCase(d.T.Context(), each, desk.ShareAnswer))
			d.rui(each, int64(i)+1, desk.Note, desk.Body{Text: "seen"})
		}
	}
	d.ofGate("asks-before-it-is-sent.jpg", submission.GateAsk)
	d.ofGate("a-source.jpg", submission.GateNever)
	id := d.fill(9)
	_, err := d.store.AddToCase(d.T.Context(), id, []string{"asks-before-it-is-sent.jpg", "a-source.jpg"}, "Maria")
	assert.NoError(d.T, err)
	assert.NoError(d.T, d.store.ShareCase(d.T.Context(), id, desk.ShareAnswer))
	d.rui(id, 500, desk.Note, desk.Body{Text: "The crane in the background was only put up in October, as the harbour's own pictures show."})
	d.rui(id, 501, desk.Check, desk.Body{Check: "place", Text: "Pier 4"})
	d.read()
	d.Show(id)
	d.idle()
}

// TestCasesGallery draws the screen as a person sees it.
func TestCasesGallery(t *testing.T) {
	typed := func(keys string) func(*fixture) {
		return func(d *fixture) {
			d.fill(9)
			d.Canvas().Unfocus()
			d.Type(keys)
			d.idle()
		}
	}
	guitest.Gallery(t, "cases", 1, []look.Mode{look.ModeLight, look.ModeDark}, []float32{1, 2}, []guitest.Scene[*fixture]{
		{Name: "filled", Set: func(d *fixture) { d.fill(9) }},
		{Name: "empty", Set: func(d *fixture) { d.read() }},
		{Name: "fresh", Set: func(d *fixture) { d.gather("Harbour statement"); d.read() }},
		{Name: "500", Set: func(d *fixture) { d.fill(500) }},
		{Name: "question", Set: typed("q")}, {Name: "conclusion", Set: typed("c")}, {Name: "elsewhere", Set: typed("l")},
		{Name: "add", Set: typed("a")}, {Name: "tags", Set: typed("t")},
		{Name: "judgements", Set: func(d *fixture) {
			ines := d.joinDesk()
			ines.did(desk.Judgement, ines.answered("FAKE", "2.1"), desk.Body{Label: "MANIPULATED", Text: "The crane is doubled."})
			d.read()
		}},
		{Name: "shared", Set: func(d *fixture) { d.fillShared() }},
		{Name: "viewers", Set: func(d *fixture) {
			d.fillShared()
			d.viewers = []string{"rui"}
			d.Look()
		}},
		{Name: "removed", Set: func(d *fixture) {
			d.fillShared()
			id := d.pane.of.ID
			assert.NoError(d.T, d.store.Redact(d.T.Context(), id, strings.Fields(d.pane.feed.shown[1].Entries)[0]))
			d.read()
		}},
		{Name: "remove", Set: func(d *fixture) {
			d.fillShared()
			d.askToRedact(d.pane.feed.shown[1])
			d.UntilWords("That something was here stays")
		}},
		{Name: "viewers-many", Set: func(d *fixture) {
			d.fillShared()
			d.viewers = []string{"rui", "zoe"}
			d.Look()
		}},
		{Name: "share", Set: func(d *fixture) {
			d.join()
			d.fill(9)
			d.Canvas().Unfocus()
			d.Type("s")
			d.UntilWords("Goes to the desk")
		}},
		{Name: "people", Set: func(d *fixture) {
			d.people = []InCase{{"ines", LevelOwner}, {"rui", LevelReviewer}}
			d.fillShared()
			d.Canvas().Unfocus()
			d.Type("s")
			d.UntilWords("You own this case")
		}},
		{Name: "share results", Set: func(d *fixture) { d.fillShared(); d.Screen.ShareItems(); d.UntilWords("Share results") }},
		{Name: "answer", Set: func(d *fixture) { d.fill(9); d.answer(d.pane.of.Questions[1]) }},
		{Name: "choose", Set: func(d *fixture) {
			d.fill(9)
			d.ChooseCase([]string{"harbour-statement.jpg"}, func(string, string) {})
			d.UntilWords("Voice notes")
			d.Type("Squ")
		}},
	}, func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, scale float32) *guitest.Frame {
		i18ntest.FromEnvironment(t)
		d := setup(t, size)
		d.SetMode(mode)
		d.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
		content, _ := guitest.WithRail(d.Object(), screens.Cases)
		d.SetContent(content)
		d.Resize(size)
		set(d)
		return d.Frame
	})
}

// TestCasesAreTranslated shows the screen in the pseudo language, in which a word that was forgotten stands out.
func TestCasesAreTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	d := setup(t, guitest.Usual)
	guitest.CheckTranslated(t, d.empty)
	guitest.CheckShortcutsTranslated(t, d.Shortcuts())
	d.by = "1"
	d.gather("1", d.submit("2")...)
	d.read()
	data := []string{"Maria", "Likely manipulated"}
	guitest.CheckTranslated(t, d.Object(), data...)
	for _, open := range []func(){d.NewCase, d.rename, d.tag, d.conclude, d.askQuestion, func() { d.check(d.pane.of.Checks[0]) }, func() { d.answer(Question{Text: "1", Asked: "2"}) }} {
		open()
		guitest.CheckTranslated(t, d.Top(), data...)
		d.Sheet.Close()
	}
	names := []string{"Google Images", "TinEye", "Bing Visual Search", "Yandex Images", "Google Fact Check Explorer"}
	d.LookElsewhere()
	guitest.CheckTranslated(t, d.Top(), names...)
	d.outcome(Pages[0], "")
	guitest.CheckTranslated(t, d.Top(), names...)
	d.AddItems()
	d.idle()
	guitest.CheckTranslated(t, d.Top(), append(data, "harbour-statement.jpg", "pier-earlier.jpg", "press-call-0412.mp4")...)
	d.ChooseCase([]string{"2"}, func(string, string) {})
	guitest.CheckTranslated(t, d.Top(), data...)
}
