package picture

import (
	"image"
	"io/fs"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
)

// setupAhead shows a picture, "one", and keeps another, "two", which is not shown yet.
func setupAhead(t *testing.T) *fixture {
	b := setup(t, paneSize)
	b.open(image.Pt(40, 30))
	b.picture("two", guitest.PNG(t, scene(image.Pt(80, 30))))
	return b
}

// readAhead has the pane read a picture ahead, once it has been there for a moment.
func (b *fixture) readAhead(id string) {
	b.ReadAhead(id)
	b.tick()
}

// holdAhead has the pane read a picture ahead, which does not come before release is called.
func (b *fixture) holdAhead(id string) (release func()) {
	b.t.Helper()
	held := make(chan struct{})
	b.change(func() { b.hold["kept "+id] = held })
	b.readAhead(id)
	b.Until("it is being read", func() bool { return len(b.calls("kept "+id)) == 1 })
	return func() { close(held) }
}

// isRead waits until the picture of the next submission is decoded.
func (b *fixture) isRead() {
	b.t.Helper()
	b.Until("it is decoded ahead", func() bool { return b.next != nil && b.next.read })
}

func TestThePictureThatIsLikelyToBeNextIsReadAhead(t *testing.T) {
	t.Run("so that it shows at once", func(t *testing.T) {
		b := setupAhead(t)
		b.readAhead("two")
		b.isRead()
		if b.stage.photo.Source != image.Pt(40, 30) {
			t.Errorf("%v is shown before it was asked for", b.stage.photo.Source)
		}
		b.Show(viewer("two"))
		if photo, _ := b.layers(); photo == nil || b.stage.photo.Source != image.Pt(80, 30) || !drawn(b.stage) {
			t.Error("it is not on the screen")
		}
		b.settle()
		assert.Equal(t, []string{"original one"}, b.calls("original"))
	})
	t.Run("once the one that is shown is there", func(t *testing.T) {
		b := setupAhead(t)
		held := make(chan struct{})
		b.picture("three", guitest.PNG(t, scene(image.Pt(60, 30))))
		b.change(func() { b.hold["original three"] = held })
		b.Show(viewer("three"))
		b.readAhead("two")
		b.Until("the first one is being read", func() bool { return len(b.calls("original three")) == 1 })
		if calls := b.calls("kept"); calls != nil {
			t.Errorf("%v beside it", calls)
		}
		close(held)
		b.settle()
		b.tick()
		b.isRead()
	})
	t.Run("and not at all by a person who goes on at once", func(t *testing.T) {
		b := setupAhead(t)
		b.ReadAhead("two")
		b.Show(viewer("two"))
		b.tick()
		b.settle()
		assert.Equal(t, []string{"original one", "original two"}, b.calls("original"))
		if calls := b.calls("kept"); calls != nil {
			t.Errorf("%v is read", calls)
		}
	})
	t.Run("and shows when it is there, where it is shown sooner", func(t *testing.T) {
		b := setupAhead(t)
		release := b.holdAhead("two")
		b.Show(viewer("two"))
		if b.stage.photo != nil {
			t.Error("another picture stays")
		}
		release()
		b.settle()
		if b.stage.photo == nil || b.stage.photo.Source != image.Pt(80, 30) || len(b.calls("original two")) != 0 {
			t.Errorf("%v, %v", b.stage.photo, b.calls(""))
		}
	})
	t.Run("from this computer alone: where it is not there, it is fetched when it is shown", func(t *testing.T) {
		b := setupAhead(t)
		b.change(func() { b.fails["kept two"] = fs.ErrNotExist })
		b.readAhead("two")
		b.isRead()
		if calls := b.calls("original two"); calls != nil {
			t.Errorf("fetched unasked: %v", calls)
		}
		b.Show(viewer("two"))
		b.settle()
		if b.stage.photo == nil || len(b.calls("original two")) != 1 {
			t.Errorf("%v", b.calls(""))
		}
	})
	t.Run("and forgotten when another one is likelier, or none is", func(t *testing.T) {
		b := setupAhead(t)
		b.holdAhead("two")
		b.picture("three", guitest.PNG(t, scene(image.Pt(60, 30))))
		b.readAhead("three")
		b.Until("the first one is no longer read", func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.ended == 1
		})
		b.isRead()
		b.ReadAhead("")
		b.Show(viewer("three"))
		b.settle()
		assert.Equal(t, []string{"original one", "original three"}, b.calls("original"))
	})
}
