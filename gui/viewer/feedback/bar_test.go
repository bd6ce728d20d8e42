package feedback

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/i18n/i18ntest"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

func TestOneClick(t *testing.T) {
	t.Run("keeps the judgement, counts the seconds to undo, and undo takes it back", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.WantTexts("What does the desk think?")
		s.click("Agree")
		s.wantLast(`give CONFIRMATION MANIPULATED ""`)
		s.WantTexts("You agreed: sent in 5 s")
		if s.Button("Agree") != nil {
			t.Error("it asks on")
		}
		s.source.now = noon.Add(2 * time.Second)
		s.ticks()
		s.WantTexts("You agreed: sent in 3 s")
		s.click("Undo")
		s.wantLast("undo f1")
		if s.Button("Agree") == nil || s.ticks != nil {
			t.Error("it does not ask again")
		}
	})
	t.Run("a chip changes the label while it can be taken back", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click("Agree")
		if s.chip(verdict.Label(client.LabelReal)) != nil || !s.chip(verdict.Label(client.LabelManipulated)).On() {
			t.Error("Real is offered, or another label chosen")
		}
		s.chip(verdict.Label(client.LabelSynthetic)).Tapped(nil)
		s.pump(2)
		s.wantLast(`change f1 CONFIRMATION SYNTHETIC ""`)
		if !s.chip(verdict.Label(client.LabelSynthetic)).On() || s.chip(verdict.Label(client.LabelManipulated)).On() {
			t.Error("the chips do not show it")
		}
	})
	t.Run("a disagreement is a false alarm", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click("Disagree")
		s.wantLast(`give FALSE_POSITIVE REAL ""`)
	})
	t.Run("a second click before the first is kept gives nothing twice", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.agree.Tapped(nil)
		s.agree.Tapped(nil)
		s.disagree.Tapped(nil)
		s.pump(2)
		if len(s.source.actions) != 1 {
			t.Error(s.source.actions)
		}
	})
	t.Run("what could not be kept is said, and the bar asks on", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.source.failing = errors.New("The disk is full.") //nolint:revive,staticcheck // as a person reads it
		s.click("Agree")
		s.WantWords("The disk is full.")
		if s.Button("Agree").Disabled() {
			t.Error("it can't be tried again")
		}
	})
	t.Run("a provisional result, and one without a verdict, say why not", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		v := present.Viewer{ID: "s1"}
		v.Verdict.Provisional = true
		s.Show(v)
		s.pump(1)
		if agree := s.Button("Agree"); !agree.Disabled() || !s.Button("Other…").Disabled() || !strings.Contains(agree.ToolTip(), "still running") {
			t.Errorf("%q", agree.ToolTip())
		}
		s.show(client.NotApplicable)
		if agree := s.Button("Agree"); !agree.Disabled() || s.Button("Other…").Disabled() || !strings.Contains(agree.ToolTip(), "no verdict") {
			t.Errorf("%q", agree.ToolTip())
		}
	})
	t.Run("what goes along is said at every feedback, and not in the sandbox, where nothing leaves", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.WantWords(FeedbackNotice)
		high := s.root.MinSize().Height
		s.click("Agree")
		s.WantWords(FeedbackNotice)
		if now := s.root.MinSize().Height; now != high {
			t.Errorf("%v high, and %v before", now, high)
		}
		s.click("Undo")
		s.WantWords(FeedbackNotice)
		s.Sandbox = true
		s.refresh()
		s.WantNoWords(FeedbackNotice)
	})
}

func TestComment(t *testing.T) {
	begin := func(t *testing.T) *fixture {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click("Agree")
		s.click("Add a comment…")
		return s
	}
	t.Run("holds the judgement back, and Enter sends it along", func(t *testing.T) {
		s := begin(t)
		s.wantLast("hold f1")
		s.WantTexts("You agreed: sent once you finish the comment")
		if s.Canvas().Focused() != s.comment {
			t.Error("the comment has not the keyboard")
		}
		test.Type(s.comment, "The shadows.")
		s.comment.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		s.pump(2)
		s.wantLast(`change f1 CONFIRMATION MANIPULATED "The shadows."`)
		if s.commentLine.Visible() || s.Button("Edit comment…") == nil {
			t.Error("the field stays")
		}
		s.wantFocus("after the comment", "Undo")
	})
	t.Run("Esc discards it", func(t *testing.T) {
		s := begin(t)
		test.Type(s.comment, "Nothing.")
		s.comment.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		s.pump(2)
		s.wantLast("release f1")
		if s.commentLine.Visible() {
			t.Error("the field stays")
		}
	})
	t.Run("another result lets the judgement go on without it", func(t *testing.T) {
		s := begin(t)
		s.Clear()
		s.pump(1)
		s.wantLast("release f1")
	})
}

func TestOther(t *testing.T) {
	s := setup(t, look.ModeLight, 876)
	s.show(client.UnableToEvaluate)
	s.Tap("Other…")
	s.chip(verdict.Label(client.LabelSynthetic)).Tapped(nil)
	s.chip(CategoryWord(client.FalseNegative)).Tapped(nil)
	s.Canvas().Focus(s.form.comment)
	test.Type(s.form.comment, "A known clip.")
	s.form.comment.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.pump(2)
	s.wantLast(`give FALSE_NEGATIVE SYNTHETIC "A known clip."`)
	if s.Button("Send") != nil {
		t.Error("the form stays")
	}
	s.wantFocus("after the form", "Undo")
}

func TestStates(t *testing.T) {
	stand := func(t *testing.T, state store.FeedbackState, problem string) *fixture {
		s := setup(t, look.ModeLight, 876)
		s.source.setState(state, problem)
		s.show(client.Fake)
		return s
	}
	t.Run("F4 a refusal is shown in the service's words, and OK asks again", func(t *testing.T) {
		s := stand(t, store.FeedbackRefused, "The service says: “Media result does not exist!”")
		s.WantWords("this. The service says: “Media result does not exist!”")
		if s.again.Visible() {
			t.Error("it can be sent again")
		}
		s.Tap("OK")
		if s.Button("Agree") == nil {
			t.Error("it does not ask")
		}
	})
	t.Run("an unknown outcome is sent again only by a click", func(t *testing.T) {
		s := stand(t, store.FeedbackUnknown, "No answer.")
		s.WantTexts("Assay doesn't know whether the service has this. Send again?")
		if s.Button("Undo") != nil {
			t.Error("it can be taken back")
		}
		s.click(s.again.Label())
		s.wantLast("retry f1")
	})
	t.Run("F5 what waits for the network says so, and can be taken back", func(t *testing.T) {
		s := stand(t, store.FeedbackWaiting, "The service could not be reached.")
		s.WantWords("kept, and sent later. The service could not be reached.")
		if !s.again.Visible() {
			t.Error("it can't be sent now")
		}
		s.click("Undo")
		s.wantLast("undo f1")
	})
	t.Run("what the service has is listed", func(t *testing.T) {
		s := stand(t, store.FeedbackSent, "")
		s.WantWords("You agreed on 21 Nov, 12:00")
		if s.Button("Agree") == nil {
			t.Error("it does not ask")
		}
	})
}

func TestKeys(t *testing.T) {
	s := setup(t, look.ModeLight, 876)
	if s.TypedRune('v') {
		t.Error("V stands for something before anything is shown")
	}
	s.show(client.Fake)
	t.Run("a letter alone stands for nothing outside the bar", func(t *testing.T) {
		if s.TypedRune('a') || s.source.last() != "" {
			t.Error(s.source.last())
		}
	})
	t.Run("V goes to the bar, where the space bar agrees and takes it back", func(t *testing.T) {
		if !s.TypedRune('v') {
			t.Fatal("V stands for nothing")
		}
		s.wantFocus("after V", "Agree")
		s.Press(fyne.KeySpace)
		s.pump(2)
		s.wantLast(`give CONFIRMATION MANIPULATED ""`)
		s.wantFocus("after that", "Undo")
		s.Press(fyne.KeySpace)
		s.pump(2)
		s.wantLast("undo f1")
	})
	t.Run("no letter gives feedback, in the bar or out of it", func(t *testing.T) {
		before := s.source.last()
		s.TypedRune('v')
		for r := 'a'; r <= 'z'; r++ {
			if s.TypedRune(r) != (r == 'v') || s.source.last() != before {
				t.Errorf("%q: %s", r, s.source.last())
			}
		}
	})
	t.Run("Esc closes the form", func(t *testing.T) {
		s.Button("Other…").OnTapped()
		if s.Button("Send") == nil {
			t.Fatal("there is no form")
		}
		if !s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) || s.Button("Send") != nil {
			t.Error("the form stays")
		}
	})
}

func TestTheKeyboardAfterFeedback(t *testing.T) {
	// given is the bar with feedback that was given by keyboard and is on its way to the service.
	given := func(t *testing.T) *fixture {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.TypedRune('v')
		s.Press(fyne.KeySpace)
		s.pump(2)
		return s
	}
	becomes := func(s *fixture, state store.FeedbackState, problem string) {
		s.source.setState(state, problem)
		s.Reload()
		s.pump(1)
	}
	t.Run("stays with what can be done, and comes back once the service has it", func(t *testing.T) {
		s := given(t)
		s.wantFocus("while it can be taken back", "Undo")
		s.source.now = noon.Add(6 * time.Second)
		s.ticks()
		s.pump(1)
		s.wantFocus("when it is about to be sent", "Undo")
		becomes(s, store.FeedbackSending, "")
		s.wantFocus("while nothing can be done", "")
		becomes(s, store.FeedbackSent, "")
		s.wantFocus("once it was sent", "Other…") // and no answer: the same key, meant to undo, would give another one
	})
	t.Run("goes to what a refusal asks for", func(t *testing.T) {
		s := given(t)
		becomes(s, store.FeedbackSending, "")
		becomes(s, store.FeedbackRefused, "No.")
		s.wantFocus("after a refusal", "OK")
		s.Tap("OK")
		s.wantFocus("after that", "Other…")
	})
	t.Run("is left where it went meanwhile", func(t *testing.T) {
		s := given(t)
		becomes(s, store.FeedbackSending, "")
		s.Canvas().Focus(s.scan)
		becomes(s, store.FeedbackSending, "")
		s.Canvas().Unfocus()
		becomes(s, store.FeedbackSent, "")
		s.wantFocus("after it was elsewhere", "")
	})
	t.Run("does not come back after Esc, or for another result", func(t *testing.T) {
		for name, leave := range map[string]func(s *fixture){
			"Esc": func(s *fixture) {
				if !s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) {
					s.T.Error("Esc stands for nothing")
				}
			},
			"another result": func(s *fixture) { s.Clear(); s.show(client.Fake) },
		} {
			s := given(t)
			becomes(s, store.FeedbackSending, "")
			leave(s)
			becomes(s, store.FeedbackSent, "")
			s.wantFocus("after "+name, "")
		}
	})
	t.Run("is not taken by who judges with the mouse", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click("Agree")
		becomes(s, store.FeedbackSending, "")
		becomes(s, store.FeedbackSent, "")
		s.wantFocus("after a click", "")
	})
}

// TestEverythingIsTranslated shows the bar in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	for name, prepare := range map[string]func(s *fixture){
		"asks":    func(*fixture) {},
		"earlier": func(s *fixture) { s.source.setState(store.FeedbackSent, "") },
		"undo": func(s *fixture) {
			s.source.setState(store.FeedbackWaiting, "")
			s.source.given.All[0].Due = noon.Add(4 * time.Second)
			s.source.given.All[0].Comment = "REASON"
		},
		"waits":   func(s *fixture) { s.source.setState(store.FeedbackWaiting, "REASON") },
		"sending": func(s *fixture) { s.source.setState(store.FeedbackSending, "") },
		"refused": func(s *fixture) { s.source.setState(store.FeedbackRefused, "REASON") },
		"unknown": func(s *fixture) { s.source.setState(store.FeedbackUnknown, "REASON") },
	} {
		t.Run(name, func(t *testing.T) {
			for _, status := range []client.Status{client.Fake, client.Authentic, client.NotApplicable} {
				s := setup(t, look.ModeLight, 876)
				prepare(s)
				s.show(status)
				guitest.CheckTranslated(t, s.Object(), "REASON")
				if s.source.given.All == nil && status == client.Fake {
					s.source.failing = errors.New("REASON")
					s.agree.Tapped(nil)
					s.pump(2)
					guitest.CheckTranslated(t, s.Object(), "REASON")
				}
				for _, c := range s.Shortcuts() {
					guitest.CheckTextsTranslated(t, []string{c.Keys, c.Does})
				}
			}
		})
	}
}
