package viewer

import (
	"context"
	"errors"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/present"
)

func TestAColleaguesFileComesIfItIsAskedFor(t *testing.T) {
	const size = 12 << 20
	// open shows a result whose file a colleague has shared; got is what getting it does.
	open := func(t *testing.T, got func(ctx context.Context, moved func(int64)) error) *fixture {
		c := samples(t)
		c.there = map[string]present.TheirFile{"fake.jpg": {By: plain.From("Ines"), Size: size}}
		d := setup(t, c, wideSize)
		d.Viewer.UI = d.Do
		d.GetFile = func(ctx context.Context, id string, moved func(int64)) error {
			assert.Equal(t, "fake.jpg", id)
			return got(ctx, moved)
		}
		d.see("fake.jpg")
		return d
	}
	t.Run("and not before", func(t *testing.T) {
		d := open(t, func(context.Context, func(int64)) error { t.Error("it is fetched"); return nil })
		d.WantWords("Ines has shared the file. It is not on this computer.", "Get the file ("+i18n.Size(size)+")")
	})
	t.Run("it is shown then", func(t *testing.T) {
		var d *fixture
		d = open(t, func(_ context.Context, moved func(int64)) error {
			moved(size)
			d.source.mu.Lock()
			defer d.source.mu.Unlock()
			d.source.there = nil
			return nil
		})
		cleared := d.picture.cleared
		d.Tap("Get the file (" + i18n.Size(size) + ")")
		d.Until("it is here", func() bool { return !d.theirs.root.Visible() })
		assert.True(t, d.picture.cleared > cleared, "what was shown in its place stays")
		assert.Equal(t, "fake.jpg", d.picture.shown)
	})
	t.Run("it says how far it is, and can be stopped", func(t *testing.T) {
		ended := make(chan struct{})
		d := open(t, func(ctx context.Context, moved func(int64)) error {
			moved(size / 2)
			<-ctx.Done()
			close(ended)
			return ctx.Err()
		})
		d.Tap("Get the file (" + i18n.Size(size) + ")")
		d.UntilWords("Getting the file: 50")
		d.Tap("Stop")
		<-ended
		d.WantWords("Get the file (" + i18n.Size(size) + ")")
	})
	t.Run("why it did not come is said, and it can be asked for again", func(t *testing.T) {
		d := open(t, func(context.Context, func(int64)) error { return errors.New("no route") })
		d.Tap("Get the file (" + i18n.Size(size) + ")")
		d.UntilWords("Get the file (" + i18n.Size(size) + ")")
		assert.True(t, d.said.Text() != "", "nothing is said")
	})
}
