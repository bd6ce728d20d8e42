package forensics

import (
	"math"
	"testing"
)

func TestEnsembleRule(t *testing.T) {
	row := func(name string, raw float64) Model { return scored(name, raw, map[string]any{}) }
	none := func(name string) Model { return notApplicable(name, "It doesn't.", nil) }
	failed := Model{Name: elaName, Status: Unable, Code: codeModelError}
	for name, c := range map[string]struct {
		models []Model
		want   Status
		raw    float64 // NaN: none
		reason string
	}{
		"both quiet":                  {[]Model{row(elaName, 0.05), row(noiseName, 0.1), none(provenanceName)}, Authentic, 1 - 0.95*0.94, ""},
		"error levels alone":          {[]Model{row(elaName, 0.9), row(noiseName, 0), none(provenanceName)}, Fake, 0.9, ""},
		"noise alone is never enough": {[]Model{row(elaName, 0), row(noiseName, 1), none(provenanceName)}, Suspicious, 0.6, ""},
		"two halves":                  {[]Model{row(elaName, 0.5), row(noiseName, 0.5), none(provenanceName)}, Suspicious, 1 - 0.5*0.7, ""},
		"a copy alone":                {[]Model{row(elaName, 0.1), row(noiseName, 0), row(copyMoveName, 0.9)}, Fake, 1 - 0.9*0.1, ""},
		"a copy not found":            {[]Model{row(elaName, 0.1), row(noiseName, 0.1), row(copyMoveName, 0)}, Authentic, 1 - 0.9*0.94, ""},
		"provenance decides":          {[]Model{row(elaName, 0.01), row(noiseName, 0.01), row(provenanceName, 0.98)}, Fake, 0.98, ""},
		"provenance hides no splice":  {[]Model{row(elaName, 0.99), row(noiseName, 0), row(provenanceName, 0.55)}, Fake, 0.99, ""},
		"one failed, one scores":      {[]Model{failed, row(noiseName, 0), none(provenanceName)}, Authentic, 0, ""},
		"nothing applies":             {[]Model{none(elaName), none(noiseName), none(provenanceName)}, NotApplicable, math.NaN(), "quality"},
		"nothing but a failure":       {[]Model{failed, none(noiseName), none(provenanceName)}, Unable, math.NaN(), "model-error"},
	} {
		t.Run(name, func(t *testing.T) {
			m, reasons := ensemble(c.models)
			if m.Status != c.want || !m.Ensemble || m.Name != ensembleName {
				t.Errorf("row %+v, want %s", m, c.want)
			}
			switch {
			case math.IsNaN(c.raw) != (m.Raw == nil):
				t.Errorf("raw %v, want %v", m.Raw, c.raw)
			case m.Raw != nil && math.Abs(*m.Raw-c.raw) > 1e-9:
				t.Errorf("raw %v, want %v", *m.Raw, c.raw)
			}
			if (c.reason == "") != (len(reasons) == 0) || (len(reasons) > 0 && reasons[0].Code != c.reason) {
				t.Errorf("reasons %v, want %q", reasons, c.reason)
			}
		})
	}
}

func TestBands(t *testing.T) {
	for score, want := range map[float64]Status{0.01: Authentic, 39.99: Authentic, 40: Suspicious, 69.99: Suspicious, 70: Fake, 99.99: Fake} {
		if got := statusOf(score); got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
}
