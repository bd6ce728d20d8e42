package screen

import (
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	"assay/gui/present"
)

// slowViewer holds the viewer's reading back until it is let go.
type slowViewer struct {
	drawer
	hold chan struct{}
	fail error
}

func (s slowViewer) Viewer(ctx context.Context, id string) (present.Viewer, bool, error) {
	if s.fail != nil {
		return present.Viewer{}, false, s.fail
	}
	select {
	case <-s.hold:
	case <-ctx.Done():
		return present.Viewer{}, false, ctx.Err()
	}
	return s.drawer.Viewer(ctx, id)
}

func TestTheViewerReadsOnWorkers(t *testing.T) {
	t.Run("and shows nothing of another result meanwhile", func(t *testing.T) {
		s := newShelf(10)
		files := slowViewer{drawer: drawer{s}, hold: make(chan struct{}, 10)}
		d := setup(t, s, files, fyne.NewSize(1208, 800))
		files.hold <- struct{}{}
		d.pump("the first is shown", func() bool { return d.Viewer().body.Visible() })
		d.Move(1)
		if d.Viewer().body.Visible() {
			t.Error("the verdict of another stands beside the chosen row")
		}
		d.Move(1)
		files.hold <- struct{}{}
		files.hold <- struct{}{} // the reading that was cancelled may take one
		d.pump("the last chosen is shown", func() bool { return d.Viewer().body.Visible() })
		if got := d.Viewer().shown.ID; got != "id-000002" {
			t.Errorf("%q is shown", got)
		}
	})
	t.Run("and says when it can't", func(t *testing.T) {
		s := newShelf(10)
		d := setup(t, s, slowViewer{drawer: drawer{s}, fail: errors.New("the disk is gone")}, fyne.NewSize(1208, 800))
		d.pump("it is said", func() bool { return d.Viewer().unread.Visible() })
		if got := d.Viewer().unread.Text(); !strings.Contains(got, "the disk is gone") || d.Viewer().body.Visible() {
			t.Errorf("it says %q", got)
		}
	})
}

// cabinet holds files and kept thumbnails by ID, and notes what is opened.
type cabinet struct {
	own, kept map[string]string // paths
	hold      chan struct{}     // each file is opened when it is let go; nil: at once
	mu        sync.Mutex
	opened    []string
}

func (c *cabinet) open(ctx context.Context, what string, paths map[string]string, id string) (*os.File, error) {
	if c.hold != nil {
		select {
		case <-c.hold:
		case <-ctx.Done():
		}
	}
	c.mu.Lock()
	c.opened = append(c.opened, what+" "+id)
	c.mu.Unlock()
	path, ok := paths[id]
	if !ok {
		return nil, os.ErrNotExist
	}
	return os.Open(path)
}

func (c *cabinet) OpenFile(ctx context.Context, id string) (*os.File, error) {
	return c.open(ctx, "own", c.own, id)
}

func (c *cabinet) OpenThumbnail(ctx context.Context, id string) (*os.File, error) {
	return c.open(ctx, "kept", c.kept, id)
}

func TestThumbs(t *testing.T) {
	dir := t.TempDir()
	picture := func(name string, width int) string {
		path := filepath.Join(dir, name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(png.Encode(file, image.NewNRGBA(image.Rect(0, 0, width, 90))), file.Close()); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own, kept := picture("own.png", 90), picture("kept.png", 180)
	broken := filepath.Join(dir, "broken.png")
	if err := os.WriteFile(broken, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &cabinet{own: map[string]string{"both": own, "own": own, "broken": broken}, kept: map[string]string{"both": kept, "kept": kept, "broken": kept, "clip": kept}}
	start := func(t *testing.T, c *cabinet) (*Thumbs, func(what string, until func() bool)) {
		t.Helper()
		ui := make(chan func(), 1000)
		workers := NewWorkers(2, func(f func()) { ui <- f })
		t.Cleanup(workers.Close)
		return NewThumbs(workers, c), func(what string, until func() bool) {
			t.Helper()
			limit := time.After(20 * time.Second)
			for !until() {
				select {
				case f := <-ui:
					f()
				case <-limit:
					t.Fatalf("it never came to this: %s", what)
				}
			}
		}
	}
	t.Run("come from the person's own file, else from what was kept, else there is none", func(t *testing.T) {
		thumbs, pump := start(t, c)
		for id, medium := range map[string]present.Medium{"both": present.Picture, "own": present.Picture, "kept": present.Picture,
			"broken": present.Picture, "clip": present.Clip, "none": present.Picture, "sound": present.Recording} {
			thumbs.Get(id, medium)
		}
		pump("all are made", func() bool { return thumbs.making == 0 && len(thumbs.waiting) == 0 })
		got := map[string]bool{}
		for id, thumb := range thumbs.known {
			got[id] = thumb != nil
		}
		if diff := cmp.Diff(map[string]bool{"both": true, "own": true, "kept": true, "broken": true, "clip": true}, got); diff != "" {
			t.Error(diff)
		}
		if slices.Contains(c.opened, "kept both") || slices.Contains(c.opened, "own clip") {
			t.Errorf("opened %v", c.opened)
		}
	})
	t.Run("of the rows scrolled to last are made first, and of those long gone none", func(t *testing.T) {
		slow := &cabinet{own: map[string]string{}, hold: make(chan struct{})}
		thumbs, pump := start(t, slow)
		for i := range 1000 {
			thumbs.Get(ids(i)[0], present.Picture)
		}
		close(slow.hold)
		pump("all are made", func() bool { return thumbs.making == 0 && len(thumbs.waiting) == 0 })
		var asked []string
		for _, o := range slow.opened {
			if id, ok := strings.CutPrefix(o, "own "); ok {
				asked = append(asked, id)
			}
		}
		if len(asked) != maxThumbsWaiting+1 || asked[1] != "id-000999" {
			t.Errorf("%d were made, the second is %s", len(asked), asked[1])
		}
	})
}
