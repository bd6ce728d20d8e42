package picture

import (
	"fmt"
	"image"
	"testing"

	"assay/client/sandbox/forensics"

	"github.com/disintegration/imaging"
)

func TestErrorLevelsFindASplice(t *testing.T) {
	places := map[string]image.Rectangle{
		"forest": image.Rect(60, 300, 260, 460),
		"middle": image.Rect(371, 283, 571, 443),
		"meadow": image.Rect(610, 421, 810, 581),
	}
	histories := []struct {
		patch, base, saved int // JPEG qualities; 0: never compressed
		offGrid            bool
	}{
		{patch: 50, saved: 92},
		{patch: 75, saved: 92},
		{patch: 70, saved: 95, offGrid: true},
		{patch: 0, base: 75, saved: 92},
		{patch: 85, base: 60, saved: 92},
		{patch: 60, base: 85, saved: 95, offGrid: true},
		{patch: 60, saved: 0}, // kept as PNG
	}
	for place, r := range places {
		for _, h := range histories {
			t.Run(fmt.Sprintf("%s/%d into %d saved at %d, off grid %v", place, h.patch, h.base, h.saved, h.offGrid), func(t *testing.T) {
				t.Parallel()
				var base, patch image.Image = photo(t), photo(t)
				if h.base > 0 {
					base = throughJPEG(t, base, h.base)
				}
				if h.patch > 0 {
					patch = throughJPEG(t, patch, h.patch)
				}
				from := r.Min
				if h.offGrid {
					from = from.Add(image.Pt(3, 2))
				}
				spliced := pasted(base, patch, r, from)
				data := asPNG(t, spliced)
				if h.saved > 0 {
					data = asJPEG(t, spliced, h.saved)
				}
				report := analysed(t, data)
				m := modelNamed(t, report, elaName)
				if m.Status != forensics.Fake || report.Status != forensics.Fake {
					t.Errorf("error levels %s, ensemble %s, want FAKE; data %v", m.Status, report.Status, m.Data)
				}
				inside, outside := heatIn(t, m.Heatmap, r)
				if inside < 5*outside || inside < 40 {
					t.Errorf("mean heat inside %.1f, outside %.1f of 255, want clearly hotter inside", inside, outside)
				}
				if len(report.BBoxes) == 0 {
					t.Fatal("no box around the region")
				}
				b := report.BBoxes[0]
				box := image.Rect(int(b.X0), int(b.Y0), int(b.X1), int(b.Y1))
				if !box.Overlaps(r) || b.Model != elaName || b.Decision != "ARTIFICIAL" {
					t.Errorf("box %+v, want one of the model around %v", b, r)
				}
			})
		}
	}
}

func TestErrorLevelsLeaveWholePicturesAlone(t *testing.T) {
	m := photo(t)
	for name, data := range map[string][]byte{
		"saved once at 75":              asJPEG(t, m, 75),
		"saved once at 92":              asJPEG(t, m, 92),
		"saved twice, 75 then 92":       asJPEG(t, throughJPEG(t, m, 75), 92),
		"saved at 60, cropped, then 88": asJPEG(t, imaging.Crop(throughJPEG(t, m, 60), image.Rect(3, 5, 900, 599)), 88),
		"saved at 70, kept as PNG":      asPNG(t, throughJPEG(t, m, 70)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := analysed(t, data)
			ela := modelNamed(t, report, elaName)
			if ela.Status != forensics.Authentic || report.Status != forensics.Authentic {
				t.Errorf("error levels %s, ensemble %s, want AUTHENTIC; data %v", ela.Status, report.Status, ela.Data)
			}
			if len(report.BBoxes) != 0 {
				t.Errorf("boxes %v around nothing", report.BBoxes)
			}
		})
	}
}

func TestErrorLevelsNeedALossyPast(t *testing.T) {
	m := modelNamed(t, analysed(t, asPNG(t, photo(t))), elaName)
	if m.Status != forensics.NotApplicable || m.Code != "not_applicable" || m.Score != nil || m.Heatmap != nil {
		t.Errorf("got %s %q score %v, want NOT_APPLICABLE without score or heatmap", m.Status, m.Code, m.Score)
	}
}
