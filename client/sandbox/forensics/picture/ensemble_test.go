package picture

import (
	"math"
	"testing"

	"assay/client/sandbox/forensics"
)

func TestEnsembleRule(t *testing.T) {
	row := func(name string, raw float64) forensics.Model {
		return forensics.ScoredModel(name, raw, map[string]any{})
	}
	none := func(name string) forensics.Model { return forensics.NotApplicableModel(name, "It doesn't.", nil) }
	failed := forensics.Model{Name: elaName, Status: forensics.Unable, Code: forensics.CodeModelError}
	for name, c := range map[string]struct {
		models []forensics.Model
		want   forensics.Status
		raw    float64 // NaN: none
		reason string
	}{
		"both quiet":                  {[]forensics.Model{row(elaName, 0.05), row(noiseName, 0.1), none(provenanceName)}, forensics.Authentic, 1 - 0.95*0.94, ""},
		"error levels alone":          {[]forensics.Model{row(elaName, 0.9), row(noiseName, 0), none(provenanceName)}, forensics.Fake, 0.9, ""},
		"noise alone is never enough": {[]forensics.Model{row(elaName, 0), row(noiseName, 1), none(provenanceName)}, forensics.Suspicious, 0.6, ""},
		"two halves":                  {[]forensics.Model{row(elaName, 0.5), row(noiseName, 0.5), none(provenanceName)}, forensics.Suspicious, 1 - 0.5*0.7, ""},
		"a copy alone":                {[]forensics.Model{row(elaName, 0.1), row(noiseName, 0), row(copyMoveName, 0.9)}, forensics.Fake, 1 - 0.9*0.1, ""},
		"a copy not found":            {[]forensics.Model{row(elaName, 0.1), row(noiseName, 0.1), row(copyMoveName, 0)}, forensics.Authentic, 1 - 0.9*0.94, ""},
		"provenance decides":          {[]forensics.Model{row(elaName, 0.01), row(noiseName, 0.01), row(provenanceName, 0.98)}, forensics.Fake, 0.98, ""},
		"provenance hides no splice":  {[]forensics.Model{row(elaName, 0.99), row(noiseName, 0), row(provenanceName, 0.55)}, forensics.Fake, 0.99, ""},
		"one failed, one scores":      {[]forensics.Model{failed, row(noiseName, 0), none(provenanceName)}, forensics.Authentic, 0, ""},
		"nothing applies":             {[]forensics.Model{none(elaName), none(noiseName), none(provenanceName)}, forensics.NotApplicable, math.NaN(), "quality"},
		"nothing but a failure":       {[]forensics.Model{failed, none(noiseName), none(provenanceName)}, forensics.Unable, math.NaN(), "model-error"},
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
