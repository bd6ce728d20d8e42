package picture

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/plain"
	"assay/gui/present"
)

func TestTheCompositeIsSaved(t *testing.T) {
	save := func(b *fixture) image.Image {
		t.Helper()
		b.saved, b.write = "", nil
		b.Save()
		if b.write == nil {
			t.Fatal("nothing is saved")
		}
		var data bytes.Buffer
		assert.NoError(t, b.write(t.Context(), &data))
		img, err := png.Decode(&data)
		assert.NoError(t, err)
		return img
	}
	t.Run("with its heatmap, under a name that says so", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(600, 400))
		b.runes("2")
		img := save(b)
		if b.saved != "one heatmap svc-oak-img.png" {
			t.Errorf("%q", b.saved)
		}
		if size := img.Bounds().Size(); size.X != 600 || size.Y <= 400 {
			t.Errorf("%v: not the photo's own pixels with a legend beneath", size)
		}
	})
	t.Run("R17 its legend names the file, verdict, release and request, the model, the opacity, and the boxes' words", func(t *testing.T) {
		b := setup(t, paneSize)
		b.p.Sandbox = true
		b.openBoxes(`{"bboxes":[` + square(1, 1, 50, `"svc-oak-img":{"decision":"ARTIFICIAL"}`) + `]}`)
		b.runes("2b")
		b.shown.Verdict.Headline, b.shown.Facts, b.shown.SHA256, b.shown.Request = "Likely manipulated", "474 KB · release 2.14.0", "ab12", "r-1"
		want := []string{"one.jpg", "Likely manipulated", "474 KB · release 2.14.0", "SHA-256 of the file ab12", "Request r-1", present.HeatmapNote(plain.From("svc-oak-img")) + " · opacity 60 %", "Box 1 · svc-oak-img: ARTIFICIAL", present.SandboxNote}
		if got := b.legend(); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		save(b)
	})
	t.Run("at 0 % it is the photo to the byte, also where it is previewed in grey", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(600, 400))
		b.runes("2g")
		b.setOpacity(0)
		img, photo := save(b), scene(image.Pt(600, 400))
		for _, at := range []image.Point{{0, 0}, {300, 200}, {599, 399}, {13, 350}} {
			r, g, bl, a := img.At(at.X, at.Y).RGBA()
			wr, wg, wb, wa := photo.At(at.X, at.Y).RGBA()
			if r != wr || g != wg || bl != wb || a != wa {
				t.Errorf("%v differs", at)
			}
		}
	})
	t.Run("side by side is twice as wide", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(600, 400))
		b.runes("5")
		if size := save(b).Bounds().Size(); size.X < 1200 {
			t.Errorf("%v", size)
		}
	})
	t.Run("a photo alone is not offered: the file is there already", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(80, 60))
		b.Save()
		if b.write != nil || b.canSave() {
			t.Error("it is")
		}
	})
	t.Run("copying hands over a PNG, and is not offered where nothing takes it", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(80, 60))
		b.runes("2")
		labels := func() (all []string) {
			for _, item := range b.moreItems() {
				all = append(all, item.Label)
			}
			return all
		}
		if slices.Contains(labels(), "Copy as picture") {
			t.Error("it is offered")
		}
		var copied []byte
		b.p.CopyImage = func(png []byte) { copied = png }
		if !slices.Contains(labels(), "Copy as picture") {
			t.Errorf("%q", labels())
		}
		b.Copy()
		b.Until("it is copied", func() bool { return copied != nil })
		if _, err := png.Decode(bytes.NewReader(copied)); err != nil {
			t.Error(err)
		}
	})
	t.Run("a name from elsewhere can't lead to another folder", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(80, 60))
		b.shown.Name = "../../etc/passwd?.jpeg"
		b.runes("2")
		if name := b.fileName(); strings.ContainsAny(name, `/\?`) {
			t.Errorf("%q", name)
		}
	})
}
