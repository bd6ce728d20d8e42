package inbox

import (
	"testing"
	"time"

	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"assay/client/submission"
	"assay/gui/guitest"
)

func TestNoRowMovesUnderThePointer(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a", "b", "c")...)
	d.SelectOption(FilterUnderWay.Words())
	var later func()
	d.after = func(_ time.Duration, do func()) func() { later = do; return func() {} }
	row := d.rowOf("b")
	row.MouseIn(&desktop.MouseEvent{})
	answer := func(s *submission.Submission) {
		s.State, s.Result = submission.Done, inboxResult(t, `{"overallStatus":"FAKE"}`)
	}
	d.change(0, answer)
	if got := d.shownIDs(); got != "a b c" {
		t.Errorf("it shows %q", got)
	}
	if !shows(d.rowOf("a"), RowOf(d.all[0]).State) {
		t.Error("the answer is not seen meanwhile")
	}
	t.Run("nor under one that is over a button", func(t *testing.T) {
		row.MouseOut()
		row.ending.MouseIn(&desktop.MouseEvent{})
		if !d.table.AnyShown((*rowWidget).underPointer) {
			t.Error("it counts as gone")
		}
		row.ending.MouseOut()
	})
	t.Run("once it has left, they do", func(t *testing.T) {
		later()
		if got := d.shownIDs(); got != "b c" {
			t.Errorf("it shows %q", got)
		}
		d.change(1, answer)
		if got := d.shownIDs(); got != "c" {
			t.Errorf("it shows %q", got)
		}
	})
	t.Run("what is handed over comes at once", func(t *testing.T) {
		d.rowOf("c").MouseIn(&desktop.MouseEvent{})
		d.show(append(d.all, waiting("d")...)...)
		if d.findRow("d") == nil {
			t.Errorf("it shows %q", d.shownIDs())
		}
	})
}

func TestTheBoxIsThereWhereItIsOfUse(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a", "b")...)
	d.after = func(time.Duration, func()) func() { return func() {} }
	row := d.rowOf("a")
	if row.box.Visible() {
		t.Error("it is there without need")
	}
	row.MouseIn(&desktop.MouseEvent{})
	if !row.box.Visible() {
		t.Error("it is not there under the pointer")
	}
	row.MouseOut()
	test.TapAt(row, row.box.Position().AddXY(4, 4))
	if !row.box.Visible() || !d.rowOf("b").box.Visible() || d.selectedIDs() != "a" {
		t.Errorf("selected is %q", d.selectedIDs())
	}
}
