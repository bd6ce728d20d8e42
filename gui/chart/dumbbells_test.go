package chart_test

import (
	"fmt"
	"testing"

	"assay/client/assert"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// dumbbells shows a chart in a window.
func dumbbells(t *testing.T, rows []chart.Dumbbell, size fyne.Size) (*chart.Dumbbells, *guitest.Frame) {
	t.Helper()
	guitest.App(t, look.ModeLight)
	d := chart.NewDumbbells()
	w := guitest.NewFrame(t, size)
	w.Display(container.NewStack(d.Object()), nil)
	d.Set(rows, "2.14.0", "2.15.1")
	return d, w
}

func end(v float64, mark look.Mark) chart.End {
	return chart.End{Mark: mark, Value: value(v), Text: fmt.Sprint(v)}
}

var twoAnswers = []chart.Dumbbell{
	{Name: "ensemble", Ensemble: true, Earlier: end(52, look.MarkSuspicious), Later: end(88, look.MarkFake), Change: "+36"},
	{Name: "pine", Earlier: end(19, look.MarkAuthentic), Later: end(12, look.MarkAuthentic), Change: "−7"},
	{Name: "birch", Later: end(72, look.MarkFake), Change: "new", Word: true},
	{Name: "context", Earlier: chart.End{Mark: look.MarkFailed}, Later: chart.End{Mark: look.MarkFailed}, Change: "failed", Word: true},
}

func TestDumbbells(t *testing.T) {
	d, w := dumbbells(t, twoAnswers, fyne.NewSize(640, 320))
	assert.Equal(t, []string{"ensemble: 52 → 88, +36", "pine: 19 → 12, −7", "birch: – → 72, new", "context: – → –, failed"}, d.Rows())
	w.WantTexts("Models", "2.14.0", "2.15.1", "0 no indication", "100 strong", "ensemble", "birch")

	t.Run("an absent score has no dot: two rows have both, one has one, and one has neither but is hatched", func(t *testing.T) {
		dots := guitest.InSight[*canvas.Circle](w.Top())
		assert.Equal(t, 5+2, len(dots)) // two in the legend
	})
	t.Run("a later score that is lower stands left of the earlier one", func(t *testing.T) {
		var hollow, filled []float32
		for _, c := range guitest.InSight[*canvas.Circle](d.Object()) {
			if c.StrokeWidth > 0 {
				hollow = append(hollow, c.Position().X)
			} else {
				filled = append(filled, c.Position().X)
			}
		}
		// The legend's comes first, then the rows in their order.
		if len(hollow) != 3 || len(filled) != 4 || hollow[1] >= filled[1] || hollow[2] <= filled[2] {
			t.Errorf("hollow at %v, filled at %v", hollow, filled)
		}
	})
	t.Run("the arrows move a cursor, which says where the numbers came from", func(t *testing.T) {
		var chosen []int
		d.OnChosen = func(i int) { chosen = append(chosen, i) }
		w.Tab(1)
		w.Press(fyne.KeyDown, fyne.KeyDown, fyne.KeyEnd, fyne.KeyHome)
		assert.Equal(t, []int{1, 2, 3, 0}, chosen)
	})
}

func TestDumbbellsOfThousandsOfModels(t *testing.T) {
	rows := make([]chart.Dumbbell, 20_000)
	for i := range rows {
		rows[i] = chart.Dumbbell{Name: fmt.Sprintf("model-%05d", i), Earlier: end(10, look.MarkNone), Later: end(20, look.MarkNone), Change: "+10"}
	}
	_, w := dumbbells(t, rows, fyne.NewSize(420, 320))
	if n := len(guitest.InSight[*canvas.Circle](w.Top())); n > 2*12+2 {
		t.Errorf("%d dots are drawn for the rows that fit into 320 pixels", n)
	}
	w.Tab(1)
	w.Press(fyne.KeyEnd)
	w.WantWords("model-19999")
}
