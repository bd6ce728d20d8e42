package gui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
)

func TestRecordsOfANewerAssayAreSaidInTheWindow(t *testing.T) {
	const why = "Assay's history was made by a newer Assay (9.8.7)."
	s := setupShell(t, setupHost(t, 1), false, func(p *Params) { p.Refused = why })
	said := guitest.Read(s.window.Content())
	if !slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, why) }) {
		t.Errorf("it shows %q", said)
	}
	if s.app != nil || s.first != nil {
		t.Error("there are other screens")
	}
	if guitest.ButtonIn(s.window.Content(), "Close") == nil {
		t.Error("it can't be closed")
	}
	for _, size := range []fyne.Size{guitest.Smallest, fyne.NewSize(1280, 800)} {
		if least := contentOf(s.window).MinSize(); least.Width > size.Width || least.Height > size.Height {
			t.Errorf("it wants %v of %v", least, size)
		}
	}
}

// TestUnsavedHoldsTheWindow: where something is being written, the window does not end for another Assay.
func TestUnsavedHoldsTheWindow(t *testing.T) {
	s := setupShell(t, setupHost(t, 1), true, nil)
	unsaved := func() bool {
		said := make(chan string, 1)
		go func() { said <- s.unsaved(t.Context()) }()
		var sentence string
		s.Until("it is asked", func() bool {
			select {
			case sentence = <-said:
				return true
			default:
				return false
			}
		})
		return sentence != ""
	}
	if unsaved() {
		t.Error("nothing is written, and it stays")
	}
	s.app.rail.Select(screens.Cases)
	if unsaved() {
		t.Error("a screen holds it")
	}
	s.app.sheet.Ask("Sure?", "", "Yes", func() {})
	if !unsaved() {
		t.Error("a question is open, and it goes")
	}
	s.app.sheet.Close()
	field := kit.NewField("A note", nil)
	window := s.window.Content()
	s.window.SetContent(field)
	s.window.Canvas().Focus(field)
	if unsaved() {
		t.Error("an empty field holds it")
	}
	test.Type(field, "half a sentence")
	if !unsaved() {
		t.Error("somebody writes, and it goes")
	}
	s.window.SetContent(window)
	if unsaved() {
		t.Error("the field is gone, and it stays")
	}

	t.Run("in the first run, what is filled in", func(t *testing.T) {
		s := setupShell(t, setupHost(t, 1), false, nil)
		if s.writes() {
			t.Error("nothing is filled in")
		}
		for _, field := range guitest.InSight[*kit.Field](s.window.Content()) {
			field.SetText("https://api.example.org")
			break
		}
		if !s.writes() {
			t.Error("an address is filled in, and it goes")
		}
	})
}
