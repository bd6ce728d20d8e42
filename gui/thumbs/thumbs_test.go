package thumbs

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/present"
)

// source holds files and kept thumbnails by ID, and notes what is opened.
type source struct {
	own, kept map[string]string // paths
	hold      chan struct{}     // each file is opened when it is let go; nil: at once
	mu        sync.Mutex
	opened    []string
}

func (c *source) open(ctx context.Context, what string, paths map[string]string, id string) (*os.File, error) {
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

func (c *source) OpenFile(ctx context.Context, id string) (*os.File, error) {
	return c.open(ctx, "own", c.own, id)
}

func (c *source) OpenThumbnail(ctx context.Context, id string) (*os.File, error) {
	return c.open(ctx, "kept", c.kept, id)
}

func TestThumbs(t *testing.T) {
	picture := func(name string, width int) string {
		return guitest.File(t, name, guitest.PNG(t, image.NewNRGBA(image.Rect(0, 0, width, 90))))
	}
	own, kept := picture("own.png", 90), picture("kept.png", 180)
	vivid := filepath.Join("..", "..", "testdata", "pictures", "dogs-portrait.jpg")
	broken := guitest.File(t, "broken.png", []byte("no picture"))
	c := &source{own: map[string]string{"both": own, "own": own, "broken": broken}, kept: map[string]string{"both": kept, "kept": kept, "broken": kept, "clip": kept}}
	start := func(t *testing.T, c *source) (*Loader, *guitest.UI) {
		t.Helper()
		ui := guitest.NewUI(t)
		return New(ui.Workers(2), c, Row), ui
	}
	t.Run("come from the person's own file, else from what was kept, else there is none", func(t *testing.T) {
		thumbs, ui := start(t, c)
		for id, medium := range map[string]present.Medium{"both": present.Picture, "own": present.Picture, "kept": present.Picture,
			"broken": present.Picture, "clip": present.Clip, "none": present.Picture, "sound": present.Recording} {
			thumbs.Get(id, medium, present.Care{})
		}
		ui.Until("all are made", func() bool { return thumbs.making == 0 && len(thumbs.waiting) == 0 })
		got := map[string]bool{}
		for id, thumb := range thumbs.known {
			got[id] = thumb != nil
		}
		assert.Equal(t, map[string]bool{"both": true, "own": true, "kept": true, "broken": true, "clip": true}, got)
		if slices.Contains(c.opened, "kept both") || slices.Contains(c.opened, "own clip") {
			t.Errorf("opened %v", c.opened)
		}
	})
	t.Run("of the rows scrolled to last are made first, and of those long gone none", func(t *testing.T) {
		slow := &source{own: map[string]string{}, hold: make(chan struct{})}
		thumbs, ui := start(t, slow)
		for i := range 1000 {
			thumbs.Get(strconv.Itoa(i), present.Picture, present.Care{})
		}
		close(slow.hold)
		ui.Until("all are made", func() bool { return thumbs.making == 0 && len(thumbs.waiting) == 0 })
		var asked []string
		for _, o := range slow.opened {
			if id, ok := strings.CutPrefix(o, "own "); ok {
				asked = append(asked, id)
			}
		}
		if len(asked) != maxThumbsWaiting+1 || asked[1] != "999" {
			t.Errorf("%d were made, the second is %s", len(asked), asked[1])
		}
	})
	t.Run("are covered once they were marked as graphic, whatever the rows say that were read before, and shown again without the mark", func(t *testing.T) {
		thumbs, ui := start(t, &source{own: map[string]string{"one": vivid}})
		made := func() (shown image.Image) {
			t.Helper()
			ui.Until("it is made", func() bool { shown = thumbs.Get("one", present.Picture, present.Care{}); return shown != nil })
			return shown
		}
		before := made()
		thumbs.Mark([]string{"one"}, true)
		covered := made()
		thumbs.Mark([]string{"one"}, false)
		if after := made(); reflect.DeepEqual(before, covered) || !reflect.DeepEqual(before, after) {
			t.Error("it is covered, or shown, as it must not be")
		}
	})
	t.Run("of watched folders are covered until the person chose otherwise", func(t *testing.T) {
		thumbs, ui := start(t, &source{own: map[string]string{"dropped": vivid, "watched": vivid}})
		colourful := func(id string, watched bool) bool {
			t.Helper()
			ui.Until(id+" is made", func() bool { return thumbs.Get(id, present.Picture, present.Care{Watched: watched}) != nil })
			r, g, _, _ := thumbs.Get(id, present.Picture, present.Care{Watched: watched}).At(2, 2).RGBA()
			return r != g
		}
		if !colourful("dropped", false) || colourful("watched", true) {
			t.Error("not by where they came from")
		}
		thumbs.SetPreview(present.CarefulOff)
		if !colourful("dropped", false) || !colourful("watched", true) {
			t.Error("not as the person chose")
		}
	})
	t.Run("are made again where they are to be veiled, and none is shown as it is", func(t *testing.T) {
		thumbs, ui := start(t, &source{own: map[string]string{"own": own}})
		thumbs.Get("own", present.Picture, present.Care{})
		thumbs.SetPreview(present.CarefulAll) // while the first is being made
		ui.Until("the first is made", func() bool { return thumbs.making == 0 })
		if thumbs.known["own"] != nil {
			t.Error("it is shown as it is")
		}
		thumbs.Get("own", present.Picture, present.Care{})
		ui.Until("the second is made", func() bool { return thumbs.making == 0 && thumbs.known["own"] != nil })
	})
	t.Run("are not made at all where the person is most careful", func(t *testing.T) {
		thumbs, ui := start(t, &source{own: map[string]string{"one": vivid}})
		ui.Until("it is made", func() bool { return thumbs.Get("one", present.Picture, present.Care{}) != nil })
		thumbs.SetPreview(present.CarefulMost)
		if thumbs.Get("one", present.Picture, present.Care{}) != nil || thumbs.making != 0 || len(thumbs.waiting) != 0 {
			t.Error("there is one")
		}
	})
}
