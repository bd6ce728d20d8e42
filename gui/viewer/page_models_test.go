package viewer

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

// manyModels is a submission whose answer has n models, of which every tenth flagged the file and every fifth does not apply.
func manyModels(t *testing.T, n int) present.Viewer {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"mediaType":"IMAGE","overallStatus":"FAKE","models":[`)
	for i := range n - 1 {
		status := map[bool]string{true: "FAKE", false: "AUTHENTIC"}[i%10 == 0]
		if i%5 == 1 {
			status = "NOT_APPLICABLE"
		}
		fmt.Fprintf(&b, `{"name":"svc-%06d-img","status":%q,"normalizedPredictionNumber":%d.5,"finalScore":%d},`, i, status, 10+i%90, 10+i%80)
	}
	b.WriteString(`{"name":"svc-img-ensemble","status":"FAKE","finalScore":98}]}`)
	return present.ViewerOf(sub(t, "1", b.String()), time.Now())
}

// drawn counts what there is to draw of an object.
func drawn(o fyne.CanvasObject) (n int) {
	guitest.Walk(o, func(fyne.CanvasObject) bool { n++; return true })
	return n
}

// TestThePageOfModelsDoesNotGrowWithWhatIsNotShown has a hundred times the models that are shown in another page beside it.
func TestThePageOfModelsDoesNotGrowWithWhatIsNotShown(t *testing.T) {
	setup(t, samples(t), wideSize) // a display
	build := func(v present.Viewer) (objects int, heap uint64, panel *modelsPanel) {
		inUse := func() uint64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := inUse()
		panel = newModelsPanel(func(string) {}, nil)
		panel.Show(v)
		objects = drawn(panel.Object())
		after := inUse()
		return objects, max(after, before) - before, panel
	}
	few, many := manyModels(t, 300), manyModels(t, 20_000)
	fewObjects, _, _ := build(few)
	manyObjects, heap, panel := build(many)
	if len(few.Bars) != len(many.Bars) || manyObjects > fewObjects+20 {
		t.Errorf("%d objects for 300 models and %d for 20,000", fewObjects, manyObjects)
	}
	if heap > 20<<20 {
		t.Errorf("the page of 20,000 models takes %d bytes", heap)
	}
	if text := strings.Join(visible(panel.Object()), " "); !strings.Contains(oneLine(text), "and 15,900 more models: all are in the data") {
		t.Errorf("it does not say how many are left out: %.500q…", text)
	}
}

func TestAModelThatContradictsItselfSaysSoBelowTheChart(t *testing.T) {
	setup(t, samples(t), wideSize)
	panel := newModelsPanel(func(string) {}, nil)
	panel.Show(present.ViewerOf(sub(t, "1", `{"mediaType":"IMAGE","overallStatus":"FAKE","models":[{"name":"x-ensemble","status":"FAKE"},
		{"name":"oak","status":"FAKE","finalScore":98,"data":{"decision":"AUTHENTIC"}}]}`), time.Now()))
	assert.Equal(t, []look.Mark{look.MarkFake, look.MarkSuspicious}, guitest.Marks(panel.main.bars))
	if text, want := oneLine(visible(panel.Object())...), "oak: contradicts itself: status FAKE, decision AUTHENTIC"; !strings.Contains(text, want) {
		t.Errorf("it says %q, without %q", text, want)
	}
}

func TestTheCardOfAContradiction(t *testing.T) {
	c := samples(t)
	c.subs["contrary.jpg"] = sub(t, "contrary.jpg", `{"mediaType":"IMAGE","overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"},"models":[{"name":"x-ensemble","status":"FAKE","finalScore":99}]}`)
	d := setup(t, c, wideSize)
	d.see("contrary.jpg")
	if got := d.cards.main.headline.Text(); got != "The service contradicts itself: needs a human look" {
		t.Errorf("the headline is %q", got)
	}
	text := oneLine(visible(d.cards.main.card)...)
	if !strings.Contains(text, "overall: AUTHENTIC; summary: FAKE; ensemble model x-ensemble: FAKE, 99 of 100") || strings.Contains(text, "No sign") {
		t.Errorf("it says %q", text)
	}
	if got := look.MarkSoftColor(look.Mark(d.shown.Verdict.Mark)); got != look.MarkSoftColor(look.MarkSuspicious) {
		t.Errorf("its ground is %v", got)
	}
}
