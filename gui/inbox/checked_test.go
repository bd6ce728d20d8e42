package inbox

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

// showChecked shows submissions of which colleagues have said something.
func (d *fixture) showChecked(usable bool, all ...submission.Submission) {
	id := ""
	if usable {
		id = "rui's"
	}
	now := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)
	c, _ := present.CheckedOf([]store.Checked{{By: "Rui", At: now.Add(-time.Hour), Status: client.Fake, Release: "2.15.1", Case: "c1", Title: "The flood", ID: id}})
	d.all = all
	var ids []string
	var rows []Row
	for _, s := range all {
		s.Colleagues, s.Problem = submission.Checked, c.Asked
		row := RowOf(s)
		row.SetChecked(c, s, now)
		ids, rows = append(ids, s.ID), append(rows, row)
	}
	d.Update(ids, rows, d.overallNow())
}

func TestARowSaysWhoHasCheckedIt(t *testing.T) {
	gated := func(gate submission.Gate) submission.Submission {
		s := heldRows("a")[0]
		s.Gate = gate
		return s
	}
	for _, c := range []struct {
		name   string
		gate   submission.Gate
		usable bool
		press  string
		want   string
	}{
		{"their answer is one click away", submission.GateSend, true, "Use the answer", "take-over a"},
		{"and so is sending it", submission.GateSend, true, "Send anyway", "send-anyway a"},
		{"what asks for its own sake is looked at first", submission.GateAsk, true, "Send anyway…", "allow a"},
		{"also where only the verdict was shared", submission.GateAsk, false, "Send anyway…", "allow a"},
		{"or sent at once", submission.GateSend, false, "Send anyway", "send-anyway a"},
		{"the case is there to look into", submission.GateSend, true, "Open the case", "open-case a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := setup(t, guitest.Usual)
			d.showChecked(c.usable, gated(c.gate))
			d.WantWords("Checked by Rui, 24 Nov, 14:00: Likely manipulated", "release 2.15.1")
			d.WantNoWords("has already checked this file")
			if got := d.Button("Use the answer") != nil; got != c.usable {
				t.Errorf("their answer can be used: %v, want %v", got, c.usable)
			}
			d.Tap(c.press)
			if got := d.Take(); got != c.want {
				t.Errorf("asked for %q, want %q", got, c.want)
			}
		})
	}
	t.Run("several answers are used at once, and what nobody has checked goes on waiting", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.showChecked(true, heldRows("a", "b")...)
		plain := heldRows("c")[0]
		d.Update([]string{"a", "b", "c"}, []Row{RowOf(plain)}, d.overallNow())
		d.SelectAll()
		d.Tap("Use the answers")
		if got := d.Take(); got != "take-over a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("once it was decided, nothing of it is left", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		sent := gated(submission.GateSend)
		sent.State, sent.Allowed = submission.Sending, time.Now()
		d.showChecked(true, sent)
		if d.WantNoWords("Checked by Rui"); d.Button("Use the answer") != nil {
			t.Error("it still offers the answer")
		}
	})
	t.Run("why a copy could not be made is said in its place", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		s := gated(submission.GateAsk)
		c, _ := present.CheckedOf([]store.Checked{{By: "Rui", Status: client.Fake, ID: "r"}})
		s.Problem = i18n.Verbatim("No room.")
		row := RowOf(s)
		row.SetChecked(c, s, time.Now())
		d.Update([]string{"a"}, []Row{row}, d.overallNow())
		d.WantWords("No room.")
	})
	t.Run("everything has room in a narrow window", func(t *testing.T) {
		const rail = 72
		d := setup(t, guitest.Smallest.SubtractWidthHeight(rail, 0))
		d.showChecked(true, gated(submission.GateAsk))
		for _, words := range []string{"Use the answer", "Send anyway…", "Open the case"} {
			if d.Button(words) == nil {
				t.Errorf("%q is not in sight", words)
			}
		}
		for _, text := range guitest.InSight[*kit.Text](d.Top()) {
			if text.Text() == "Checked by Rui, 24 Nov, 14:00: Likely manipulated" && text.Size().Width < 200 {
				t.Errorf("who has checked it has only %v", text.Size().Width)
			}
		}
	})
	t.Run("an answer that was taken over says whose it is", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		done := heldRows("a")[0]
		done.State, done.Result = submission.Done, &client.Result{OverallStatus: client.Suspicious}
		done.AnsweredBy = submission.Colleague{Name: "Rui", At: time.Date(2026, 11, 22, 14, 2, 0, 0, time.Local)}
		d.show(done)
		d.WantWords("Suspicious", "Rui's answer, 22 Nov")
	})
}
