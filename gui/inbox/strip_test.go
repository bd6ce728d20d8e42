package inbox

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

func TestNoNoticeMovesARow(t *testing.T) {
	for _, size := range []fyne.Size{guitest.Smallest, guitest.Usual} {
		d := setup(t, size)
		d.show(waiting("a", "b")...)
		at := func() float32 {
			return fyne.CurrentApp().Driver().AbsolutePositionForObject(d.rowOf("b")).Y
		}
		before := at()
		still := func(what, words string) {
			t.Helper()
			d.WantWords(words)
			if now := at(); now != before {
				t.Errorf("%v: %s moves a row from %g to %g", size, what, before, now)
			}
		}
		d.Say(i18n.T("To paste pictures and files, install the program wl-paste (package wl-clipboard). Or drop them on this window."))
		still("a message", d.said)
		d.queue = intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim("The service did not accept the key. Everything waits for a key that works.")}
		d.show(d.all...)
		still("a message with an obstacle", d.said)
		d.Tap("Dismiss")
		still("an obstacle", "The service did not accept the key. Everything waits for a key that works.")
		d.queue = intake.QueueStatus{}
		d.all[0] = heldRows("a")[0]
		d.show(d.all...)
		still("what waits for the person", i18n.N(1, "%s file waits for your decision", "%s files wait for your decision"))
	}
}

func TestTheFieldForALinkStaysWhileOneIsTyped(t *testing.T) {
	d := setup(t, guitest.Smallest)
	d.show(waiting("a")...)
	field := d.Field("Paste a link")
	d.Canvas().Focus(field)
	d.refuses = true
	d.Type("no link")
	d.Press(fyne.KeyReturn)
	d.WantWords(i18n.T(noLink))
	if !field.Visible() || d.Canvas().Focused() != field {
		t.Error("the field is gone")
	}
}

func TestTheStripSaysWhatHappensToFiles(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a")...)
	for _, c := range []struct {
		now          Sending
		words, label string
		asked        string
	}{
		{Sending{Files: submission.GateSend, Copies: submission.CopiesAlways}, "Files are sent at once · HEIC, TIFF, mkv and others as a copy", "Ask me first", "asks-first true"},
		{Sending{Files: submission.GateSend}, "as a copy, if you agree", "Ask me first", "asks-first true"},
		{Sending{Files: submission.GateAsk}, "Files wait for your OK", "Send at once", "asks-first false"},
		{Sending{Files: submission.GateSend, Sandbox: true}, "Files are checked at once, on this computer", "Ask me first", "asks-first true"},
		{Sending{Files: submission.GateAsk, Sandbox: true}, "Files wait for your OK, and stay on this computer", "Check at once", "asks-first false"},
	} {
		d.SetSending(c.now)
		d.WantWords(c.words)
		d.Tap(c.label)
		if got := d.Take(); got != c.asked {
			t.Errorf("%+v asked for %q", c.now, got)
		}
	}
	for _, locked := range []Sending{{Files: submission.GateSend, Fixed: true}, {Files: submission.GateAsk, Fixed: true}, {Files: submission.GateNever}} {
		d.SetSending(locked)
		if links := guitest.InSight[*kit.Button](d.strip.body); len(links) != 2 { // the folder's, and that for files
			t.Errorf("%+v can be changed: there are %d buttons", locked, len(links))
		}
	}
}

func TestTheEmptySandboxOffersWhatToTry(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.Tap("Try a sample picture")
	d.Tap("Connect to a service…")
	if got := d.Take(); got != "sample; settings" {
		t.Errorf("asked for %q", got)
	}
}
