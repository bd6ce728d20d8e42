package picture

import (
	"context"
	"errors"
	"image"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"

	"github.com/google/go-cmp/cmp"
)

func TestTheSameBytesGiveTheSameReport(t *testing.T) {
	data := asJPEG(t, pasted(photo(t), throughJPEG(t, photo(t), 60), image.Rect(300, 300, 480, 460), image.Pt(303, 302)), 92)
	first, second := analysed(t, data), analysed(t, data)
	if !reflect.DeepEqual(first, second) { // cmp takes long over a heatmap's pixels
		t.Errorf("two runs differ:\n%s", cmp.Diff(first, second))
	}
}

func TestOtherBytesGiveOtherNumbers(t *testing.T) {
	one := analysed(t, asJPEG(t, photo(t), 85))
	two := analysed(t, asJPEG(t, photo(t), 86))
	for _, name := range []string{elaName, noiseName, ensembleName} {
		a, b := modelNamed(t, one, name), modelNamed(t, two, name)
		if a.Raw == nil || b.Raw == nil || *a.Raw == *b.Raw {
			t.Errorf("%s gives %v and %v for two files", name, a.Raw, b.Raw)
		}
	}
}

func TestPicturesOfTestdata(t *testing.T) {
	for name, want := range map[string]forensics.Status{
		"mountains.jpg":         forensics.Authentic,
		"mountains-spliced.jpg": forensics.Fake,
		"dogs-portrait.jpg":     forensics.Authentic,
		"peaks-composite.jpg":   forensics.Suspicious,
		"dandelion.webp":        forensics.Authentic,
		"generated.png":         forensics.Fake,
		"poster.png":            forensics.NotApplicable,
		"spinner.gif":           forensics.NotApplicable,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := analysed(t, readPicture(t, name))
			if report.Status != want {
				t.Errorf("ensemble %s, want %s; conclusions %v", report.Status, want, report.Conclusions)
			}
			checkRows(t, report)
		})
	}
}

// checkRows holds a report to what the package promises of every one.
func checkRows(t *testing.T, report *Report) {
	t.Helper()
	forensicstest.CheckModels(t, Models(), report.Models, report.Conclusions)
	for _, m := range report.Models {
		if m.Heatmap != nil && m.Heatmap.Bounds() != image.Rect(0, 0, report.Width, report.Height) {
			t.Errorf("%s: heatmap of %v for %d × %d pixels", m.Name, m.Heatmap.Bounds(), report.Width, report.Height)
		}
		if pixels := m.Name == elaName || m.Name == noiseName || m.Name == copyMoveName; (m.Heatmap != nil) != (pixels && m.Score != nil) {
			t.Errorf("%s: heatmap %v with score %v", m.Name, m.Heatmap != nil, m.Score)
		}
	}
	if (report.Status == forensics.NotApplicable) != (len(report.Reasons) > 0) {
		t.Errorf("status %s with reasons %v", report.Status, report.Reasons)
	}
}

func TestTheOrderOfModelsAndTheEndOfTheContext(t *testing.T) {
	for _, name := range []string{"generated.png", "poster.png"} {
		forensicstest.CheckRun(t, Models(), func(ctx context.Context, finished func(forensics.Model)) error {
			_, err := Analyse(ctx, readPicture(t, name), finished)
			return err
		})
	}
}

func TestWhyAPictureIsNotAssessable(t *testing.T) {
	small := image.NewRGBA(image.Rect(0, 0, 40, 200))
	report := analysed(t, asJPEG(t, small, 90))
	if want := "The picture is too small: each side needs at least 128 pixels."; report.Status != forensics.NotApplicable || len(report.Reasons) != 1 || report.Reasons[0].Message != want {
		t.Errorf("%s, %+v; want %q", report.Status, report.Reasons, want)
	}
	report = analysed(t, readPicture(t, "poster.png"))
	for _, part := range []string{"texture", "grain", "drawn"} {
		if len(report.Reasons) != 1 || !strings.Contains(report.Reasons[0].Message, part) {
			t.Errorf("%+v says nothing of %s", report.Reasons, part)
		}
	}
}

// faulty is an analyser that panics or fails.
type faulty struct{ err error }

func (faulty) name() string { return "faulty" }

func (f faulty) analyse(context.Context, *picture) (forensics.Model, []BBox, error) {
	if f.err == nil {
		panic("out of range")
	}
	return forensics.Model{}, nil, f.err
}

func TestAFailingAnalyserIsARowNotAnEnd(t *testing.T) {
	for name, a := range map[string]analyser{"an error": faulty{errors.New("no")}, "a panic": faulty{}} {
		t.Run(name, func(t *testing.T) {
			m, _, err := run(t.Context(), a, &picture{})
			if err != nil || m.Status != forensics.Unable || m.Code != "model-error" || m.Message == "" || m.Score != nil {
				t.Errorf("got %+v, %v, want UNABLE_TO_EVALUATE with model-error", m, err)
			}
		})
	}
}

func TestModelNamesAreDistinct(t *testing.T) {
	names := Models()
	slices.Sort(names)
	if got := len(slices.Compact(names)); got != len(Models()) {
		t.Errorf("%d distinct names of %d", got, len(Models()))
	}
}

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
		"nothing applies":             {[]forensics.Model{none(elaName), none(noiseName), none(provenanceName)}, forensics.NotApplicable, math.NaN(), "models"},
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

func BenchmarkImage12Megapixels(b *testing.B) {
	data := asJPEG(b, grainy(4000, 3000, 4, 1), 90)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		analysed(b, data)
	}
}
