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
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

func TestOneClick(t *testing.T) {
	t.Run("keeps the judgement, counts the seconds to undo, and undo takes it back", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		if !s.agree.Visible() || s.agree.Disabled() || s.text.Text() != "What does the desk think?" {
			t.Fatal("it does not ask")
		}
		s.click(s.agree.Tapped)
		s.wantLast(`give CONFIRMATION MANIPULATED ""`)
		if s.text.Text() != "You agreed: sent in 5 s" || s.agree.Visible() || !s.undoIt.Visible() {
			t.Errorf("it says %q", s.text.Text())
		}
		s.source.now = noon.Add(2 * time.Second)
		s.ticks()
		if s.text.Text() != "You agreed: sent in 3 s" {
			t.Errorf("it says %q", s.text.Text())
		}
		s.click(s.undoIt.Tapped)
		s.wantLast("undo f1")
		if !s.agree.Visible() || s.ticks != nil {
			t.Error("it does not ask again")
		}
	})
	t.Run("a chip changes the label while it can be taken back", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click(s.agree.Tapped)
		if s.labelPlaces[0].Visible() || !s.labelPlaces[1].Visible() || !s.labels[2].On() {
			t.Error("Real is offered, or another label chosen")
		}
		s.click(s.labels[1].Tapped)
		s.wantLast(`change f1 CONFIRMATION SYNTHETIC ""`)
		if !s.labels[1].On() || s.labels[2].On() {
			t.Error("the chips do not show it")
		}
	})
	t.Run("a disagreement is a false alarm", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click(s.disagree.Tapped)
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
		s.click(s.agree.Tapped)
		if !s.problem.Visible() || s.problem.Text() != "The disk is full." || s.agree.Disabled() {
			t.Errorf("it says %q", s.problem.Text())
		}
	})
	t.Run("a provisional result, and one without a verdict, say why not", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		v := present.Viewer{ID: "s1"}
		v.Verdict.Provisional = true
		s.Show(v)
		s.pump(1)
		if !s.agree.Disabled() || !s.other.Disabled() || !strings.Contains(s.agree.ToolTip(), "still at work") {
			t.Errorf("%q", s.agree.ToolTip())
		}
		s.show(client.NotApplicable)
		if !s.agree.Disabled() || s.other.Disabled() || !strings.Contains(s.agree.ToolTip(), "no verdict") {
			t.Errorf("%q", s.agree.ToolTip())
		}
	})
	t.Run("what goes along is said once", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.source.given.NoticeSeen = false
		s.show(client.Fake)
		if !s.notice.Visible() || s.notice.Text() != FeedbackNotice {
			t.Error("it is not said")
		}
		s.click(s.agree.Tapped)
		if s.said != 1 || !s.notice.Visible() {
			t.Errorf("OnNoticeShown %d times, visible %v", s.said, s.notice.Visible())
		}
		s.source.given.NoticeSeen = true
		s.click(s.undoIt.Tapped)
		if s.notice.Visible() {
			t.Error("it is said again")
		}
	})
}

func TestComment(t *testing.T) {
	begin := func(t *testing.T) *fixture {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click(s.agree.Tapped)
		s.click(s.addComment.Tapped)
		return s
	}
	t.Run("holds the judgement back, and Enter sends it along", func(t *testing.T) {
		s := begin(t)
		s.wantLast("hold f1")
		if s.window.Canvas().Focused() != s.comment || s.text.Text() != "You agreed: sent once the comment is done" {
			t.Errorf("it says %q", s.text.Text())
		}
		test.Type(s.comment, "The shadows.")
		s.comment.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		s.pump(2)
		s.wantLast(`change f1 CONFIRMATION MANIPULATED "The shadows."`)
		if s.commentLine.Visible() || s.addComment.Label() != "Edit comment…" {
			t.Error("the field stays")
		}
		if s.window.Canvas().Focused() != s.undoIt {
			t.Error("the focus is lost")
		}
	})
	t.Run("Esc leaves it", func(t *testing.T) {
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
	s.other.Tapped(nil)
	if !s.form.root.Visible() {
		t.Fatal("there is no form")
	}
	s.form.labels[1].Tapped(nil)
	s.form.categories[1].Tapped(nil)
	s.window.Canvas().Focus(s.form.comment)
	test.Type(s.form.comment, "A known clip.")
	s.form.comment.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.pump(2)
	s.wantLast(`give FALSE_NEGATIVE SYNTHETIC "A known clip."`)
	if s.form.root.Visible() {
		t.Error("the form stays")
	}
	if s.window.Canvas().Focused() != s.undoIt {
		t.Error("the focus is lost")
	}
}

func TestStates(t *testing.T) {
	stand := func(t *testing.T, state store.FeedbackState, problem string) *fixture {
		s := setup(t, look.ModeLight, 876)
		s.source.setState(state, problem)
		s.show(client.Fake)
		return s
	}
	t.Run("F4 a refusal is shown in the service's words, and OK asks again", func(t *testing.T) {
		s := stand(t, store.FeedbackRefused, "Media result does not exist!")
		if !strings.HasSuffix(s.long.Text(), ": Media result does not exist!") || s.again.Visible() || !s.leave.Visible() {
			t.Errorf("it says %q", s.long.Text())
		}
		s.leave.Tapped(nil)
		if !s.line.Visible() || !s.agree.Visible() {
			t.Error("it does not ask")
		}
	})
	t.Run("an unknown outcome is sent again only by a click", func(t *testing.T) {
		s := stand(t, store.FeedbackUnknown, "No answer.")
		if s.long.Text() != "It is not known whether the service has this. Send again?" || s.takeBack.Visible() {
			t.Errorf("it says %q", s.long.Text())
		}
		s.click(s.again.Tapped)
		s.wantLast("retry f1")
	})
	t.Run("F5 what waits for the network says so, and can be taken back", func(t *testing.T) {
		s := stand(t, store.FeedbackWaiting, "The service could not be reached.")
		if !strings.Contains(s.long.Text(), "kept, and sent later. The service could not be reached.") || !s.again.Visible() {
			t.Errorf("it says %q", s.long.Text())
		}
		s.click(s.takeBack.Tapped)
		s.wantLast("undo f1")
	})
	t.Run("what the service has is listed", func(t *testing.T) {
		s := stand(t, store.FeedbackSent, "")
		if s.beneath.Text() != "You agreed on 21 Nov, 12:00" || !s.agree.Visible() {
			t.Errorf("it says %q", s.beneath.Text())
		}
	})
}

func TestKeys(t *testing.T) {
	s := setup(t, look.ModeLight, 876)
	if s.TypedRune('f') {
		t.Error("F stands for something before anything is shown")
	}
	s.show(client.Fake)
	t.Run("a letter alone stands for nothing outside the bar", func(t *testing.T) {
		if s.TypedRune('a') || s.source.last() != "" {
			t.Error(s.source.last())
		}
	})
	t.Run("F then A agrees, and U takes it back", func(t *testing.T) {
		if !s.TypedRune('f') || s.window.Canvas().Focused() != s.agree {
			t.Fatal("the bar has not the focus")
		}
		s.TypedRune('a')
		s.pump(2)
		s.wantLast(`give CONFIRMATION MANIPULATED ""`)
		if s.window.Canvas().Focused() != s.undoIt {
			t.Error("the focus is lost")
		}
		s.TypedRune('u')
		s.pump(2)
		s.wantLast("undo f1")
	})
	t.Run("F then O opens the form, and Esc closes it", func(t *testing.T) {
		s.TypedRune('f')
		s.TypedRune('o')
		if !s.form.root.Visible() {
			t.Fatal("there is no form")
		}
		if !s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) || s.form.root.Visible() {
			t.Error("the form stays")
		}
	})
}

func TestTheKeyboardAfterFeedback(t *testing.T) {
	// given is the bar with feedback that was given by keyboard and is on its way to the service.
	given := func(t *testing.T) *fixture {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.TypedRune('f')
		s.TypedRune('a')
		s.pump(2)
		return s
	}
	becomes := func(s *fixture, state store.FeedbackState, problem string) {
		s.source.setState(state, problem)
		s.Reload()
		s.pump(1)
	}
	wantFocus := func(s *fixture, when string, want fyne.Focusable) {
		s.t.Helper()
		if got := s.window.Canvas().Focused(); got != want {
			button, _ := got.(*kit.Button)
			if button == nil {
				s.t.Errorf("%s it is with %T", when, got)
				return
			}
			s.t.Errorf("%s it is with %q", when, button.Label())
		}
	}
	t.Run("stays with what can be done, and comes back once the service has it", func(t *testing.T) {
		s := given(t)
		wantFocus(s, "while it can be taken back", s.undoIt)
		s.source.now = noon.Add(6 * time.Second)
		s.ticks()
		s.pump(1)
		wantFocus(s, "when it is about to be sent", s.takeBack)
		becomes(s, store.FeedbackSending, "")
		wantFocus(s, "while nothing can be done", nil)
		becomes(s, store.FeedbackSent, "")
		wantFocus(s, "once it was sent", s.other) // and no answer: the same key, meant to undo, would give another one
	})
	t.Run("goes to what a refusal asks for", func(t *testing.T) {
		s := given(t)
		becomes(s, store.FeedbackSending, "")
		becomes(s, store.FeedbackRefused, "No.")
		wantFocus(s, "after a refusal", s.leave)
		s.leave.Tapped(nil)
		wantFocus(s, "after that", s.other)
	})
	t.Run("is left where it went meanwhile", func(t *testing.T) {
		s := given(t)
		becomes(s, store.FeedbackSending, "")
		s.window.Canvas().Focus(s.scan)
		becomes(s, store.FeedbackSending, "")
		s.window.Canvas().Unfocus()
		becomes(s, store.FeedbackSent, "")
		wantFocus(s, "after it was elsewhere", nil)
	})
	t.Run("does not come back after Esc, or for another result", func(t *testing.T) {
		for name, leave := range map[string]func(s *fixture){
			"Esc": func(s *fixture) {
				if !s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) {
					s.t.Error("Esc stands for nothing")
				}
			},
			"another result": func(s *fixture) { s.Clear(); s.show(client.Fake) },
		} {
			s := given(t)
			becomes(s, store.FeedbackSending, "")
			leave(s)
			becomes(s, store.FeedbackSent, "")
			wantFocus(s, "after "+name, nil)
		}
	})
	t.Run("is not taken by who judges with the mouse", func(t *testing.T) {
		s := setup(t, look.ModeLight, 876)
		s.show(client.Fake)
		s.click(s.agree.Tapped)
		becomes(s, store.FeedbackSending, "")
		becomes(s, store.FeedbackSent, "")
		wantFocus(s, "after a click", nil)
	})
}

// TestEverythingIsTranslated shows the bar in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	for name, prepare := range map[string]func(s *fixture){
		"asks":    func(s *fixture) { s.source.given.NoticeSeen = false },
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
