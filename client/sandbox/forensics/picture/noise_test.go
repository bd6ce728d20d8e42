package picture

import (
	"image"
	"image/draw"
	"testing"

	"assay/client/sandbox/forensics"
)

func TestNoiseFindsAPartWithAnotherGrain(t *testing.T) {
	r := image.Rect(230, 180, 430, 340)
	for name, sigma := range map[string]float64{"smoother": 1, "rougher": 20} {
		t.Run(name, func(t *testing.T) {
			scene := grainy(800, 600, 4, 1)
			draw.Draw(scene, r, grainy(800, 600, sigma, 2), r.Min, draw.Src)
			m := modelNamed(t, analysed(t, asPNG(t, scene)), noiseName)
			if m.Status != forensics.Suspicious && m.Status != forensics.Fake {
				t.Errorf("status %s, want a reaction; data %v", m.Status, m.Data)
			}
			inside, outside := heatIn(t, m.Heatmap, r)
			if inside < 10*outside || inside < 60 {
				t.Errorf("mean heat inside %.1f, outside %.1f of 255, want clearly hotter inside", inside, outside)
			}
		})
	}
}

func TestNoiseLeavesAnEvenGrainAlone(t *testing.T) {
	m := modelNamed(t, analysed(t, asPNG(t, grainy(800, 600, 4, 1))), noiseName)
	if m.Status != forensics.Authentic {
		t.Errorf("status %s, want AUTHENTIC; data %v", m.Status, m.Data)
	}
}

func TestNoiseNeedsGrain(t *testing.T) {
	m := modelNamed(t, analysed(t, readPicture(t, "poster.png")), noiseName)
	if m.Status != forensics.NotApplicable || m.Score != nil {
		t.Errorf("got %s with score %v, want NOT_APPLICABLE without", m.Status, m.Score)
	}
}
