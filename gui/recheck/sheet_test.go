package recheck_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/recheck"
)

var noon = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

// fixture is the sheet in a window, and what it was asked for.
type fixture struct {
	*recheck.Sheet
	*guitest.Frame
	sheet  *kit.Sheet
	plan   recheck.Plan
	fails  error
	mu     sync.Mutex // for before
	before []time.Time
	begun  []string
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{Frame: guitest.NewFrame(t, fyne.NewSize(900, 600))}
	f.Display(kit.NewText("", kit.TextStyle{}), nil)
	f.sheet = kit.NewSheet(f.Canvas())
	f.Sheet = recheck.New(recheck.Params{
		Sheet: f.sheet, Workers: f.UI.Workers(1), Begin: func(ids []string) { f.begun = ids }, Now: func() time.Time { return noon },
		Plan: func(_ context.Context, _ []string, before time.Time) (recheck.Plan, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.before = append(f.before, before)
			return f.plan, f.fails
		},
	})
	return f
}

// asked are the ages for which it was planned.
func (f *fixture) asked() []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.before)
}

func TestTheSheet(t *testing.T) {
	t.Run("says what it uses, and begins by its button alone", func(t *testing.T) {
		f := setup(t)
		f.plan = recheck.Plan{IDs: []string{"a", "b"}, Forecast: "2 checks will use 2 uploads of your plan."}
		f.Show([]string{"a", "b", "c"})
		f.UntilWords("2 checks will use 2 uploads of your plan.")
		f.WantWords("Scan 3 results again", "Both answers are kept")
		f.Press(fyne.KeyReturn) // Cancel has the focus
		assert.True(t, !f.sheet.Open() && f.begun == nil, "a key began it: %q", f.begun)
		f.Show([]string{"a", "b"})
		f.UntilWords("2 checks will use")
		f.Tap("Scan 2 again")
		assert.Equal(t, []string{"a", "b"}, f.begun)
		assert.True(t, !f.sheet.Open(), "it stays open")
	})
	t.Run("asks again for another age", func(t *testing.T) {
		f := setup(t)
		f.plan.Forecast = "There is nothing to check again."
		f.Show([]string{"a"})
		f.UntilWords("There is nothing to check again.")
		assert.True(t, f.Button("Scan again").Disabled(), "nothing can be begun")
		for i, want := range []time.Time{noon.AddDate(0, 0, -30), noon.AddDate(0, 0, -90), noon.AddDate(0, 0, -180), noon.AddDate(-1, 0, 0), {}} {
			guitest.InSight[*kit.Select](f.Top())[0].Select((i + 1) % 5)
			f.Until("it has asked", func() bool { return len(f.asked()) == i+2 })
			assert.Equal(t, want, f.asked()[i+1])
		}
	})
	t.Run("names what is left out, and counts the rest", func(t *testing.T) {
		f := setup(t)
		for range 50 {
			f.plan.Left = append(f.plan.Left, recheck.Left{Name: "a file whose name is long, as such names are.jpg", Why: "There is no file here any more."})
		}
		f.Show([]string{"a"})
		f.UntilWords("50 results can't be scanned again")
		f.WantWords("and 44 more")
	})
	t.Run("says why there is no plan, and tries again", func(t *testing.T) {
		f := setup(t)
		f.fails = errors.New("the disk is gone")
		f.Show([]string{"a"})
		f.Until("it says so", func() bool {
			return f.Button("Try again") != nil && f.Button("Try again").Visible() && len(f.asked()) == 1
		})
		f.fails, f.plan = nil, recheck.Plan{IDs: []string{"a"}, Forecast: "1 check will use 1 upload of your plan."}
		f.Tap("Try again")
		f.UntilWords("1 check will use 1 upload of your plan.")
	})
	t.Run("in another language", func(t *testing.T) {
		i18ntest.Pseudo(t)
		f := setup(t)
		f.plan = recheck.Plan{IDs: []string{"a"}, Left: []recheck.Left{{Name: "name", Why: "why"}}}
		f.Show([]string{"a"})
		f.Until("it is planned", func() bool { return len(f.asked()) == 1 })
		guitest.CheckTranslated(t, f.Top(), "name", "why")
	})
}
