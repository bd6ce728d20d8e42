package tree

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/gui/look"
	"assay/gui/present"
)

func TestNotices(t *testing.T) {
	t.Run("no such document", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = `{}`
		d.show("a")
		d.choice.Select(1)
		d.Until("it is said", func() bool { return d.shows("The service sent no details of the analysis.") })
		if d.card.Visible() || d.foot.Visible() {
			t.Error("an empty tree stands under it")
		}
	})
	t.Run("no link to it", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.fail = &client.Error{Kind: client.KindAnswer, Err: client.ErrNoArtifact}
		d.Show(present.Viewer{ID: "a"})
		d.Until("it is said", func() bool { return d.shows("The service has no such data for this result.") })
	})
	t.Run("a failure, and another try", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = `{"fine":1}`
		d.fail = errors.New("The disk can't be read.") //nolint:revive,staticcheck // a sentence, as the files' own errors are
		d.Show(present.Viewer{ID: "a"})
		d.Until("it is said", func() bool { return d.shows("The disk can't be read.") })
		d.fail = nil
		d.notice.Action().Tapped(nil)
		d.Until("it is read", func() bool { return d.shows("fine") })
		if d.notice.Visible() {
			t.Error("the notice stays")
		}
	})
	t.Run("broken off: what can be read is shown", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = `{"good":[1,2],"bad":tr`
		d.show("a")
		if !d.shows("This document breaks off at line 1, character 21.") || !d.shows("good") || !d.shows("Not readable from here on") {
			t.Errorf("%q", d.texts())
		}
	})
	t.Run("no JSON at all: its text", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = "<html>Log in to the hotel's network</html>"
		d.show("a")
		if !d.shows("This document is not JSON.") || !d.shows("<html>Log in to the hotel's network</html>") {
			t.Errorf("%q", d.texts())
		}
		d.copyValue()
		d.Until("it is copied", func() bool { return d.clipboard() == d.answer["a"] })
	})
	t.Run("empty", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = ""
		d.show("a")
		if !d.shows("This document is empty.") || d.card.Visible() {
			t.Errorf("%q", d.texts())
		}
	})
	t.Run("while it reads, with the size of a large one", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = "[" + `"` + strings.Repeat("x", 5<<20) + `"]`
		d.Show(present.Viewer{ID: "a"})
		if !d.shows("Reading…") {
			t.Errorf("%q", d.texts())
		}
		d.Until("its size is said", func() bool { return d.shows("Reading 5 MB…") })
		d.Until("it is read", func() bool { return d.open != nil })
		if d.notice.Visible() {
			t.Error("the notice stays")
		}
	})
}

func TestShow(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"], d.answer["b"], d.details["b"] = `{"first":{"x":1}}`, `{"second":1}`, `{"details":1}`
	d.show("a")
	t.Run("another result never stands under the one before", func(t *testing.T) {
		d.Show(present.Viewer{ID: "b"})
		if d.shows("first") {
			t.Error("it does")
		}
		d.Until("it is read", func() bool { return d.shows("second") })
	})
	t.Run("one that was left does not come back", func(t *testing.T) {
		d.Show(present.Viewer{ID: "a"})
		d.Show(present.Viewer{ID: "b"})
		d.Until("it is read", func() bool { return d.open != nil })
		if d.shows("first") || !d.shows("second") {
			t.Errorf("%q", d.texts())
		}
	})
	t.Run("the same one, unchanged, is left as it is", func(t *testing.T) {
		loads := d.loads
		d.Show(present.Viewer{ID: "b"})
		if d.loads != loads || d.open == nil {
			t.Error("it is read again")
		}
	})
	t.Run("the same one with more in it is shown at the same place", func(*testing.T) {
		d.Show(present.Viewer{ID: "a"})
		d.Until("it is read", func() bool { return d.open != nil })
		d.Reveal("first.x")
		d.Until("it is revealed", func() bool { return d.path.Text() == "first.x" })
		d.answer["a"] = `{"more":17,"first":{"x":2}}`
		d.Show(present.Viewer{ID: "a", Facts: "answered"})
		d.Until("it is read again", func() bool { return d.shows("more") && d.path.Text() == "first.x" })
	})
	t.Run("keeps to the same kind of document", func(*testing.T) {
		d.choice.Select(1)
		d.Show(present.Viewer{ID: "b"})
		d.Until("it is read", func() bool { return d.shows("details") })
	})
	t.Run("a clip has its sound's too", func(t *testing.T) {
		if len(d.choice.Options()) != 2 {
			t.Errorf("%q", d.choice.Options())
		}
		d.Show(present.Viewer{ID: "c", Medium: present.Clip})
		if len(d.choice.Options()) != 3 {
			t.Errorf("%q", d.choice.Options())
		}
	})
	t.Run("Clear lets go of everything", func(t *testing.T) {
		d.Clear()
		if d.open != nil || d.text != nil || d.rows.document != nil || d.card.Visible() || d.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) {
			t.Error("something is left")
		}
	})
}
