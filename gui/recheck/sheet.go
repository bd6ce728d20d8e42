// Package recheck is the sheet that says what it would use to check results again, and begins it, with its view model (model.go, which does not use the
// toolkit). Its exported methods must be called on the UI thread, and none of them blocks.
package recheck

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Params are what the sheet needs.
type Params struct {
	Sheet   *kit.Sheet
	Workers *work.Workers // make plans
	// Plan says what it would do to check those of some results again that were answered before a time, if it is not zero. It reads files, and is called on
	// a worker.
	Plan func(ctx context.Context, ids []string, before time.Time) (Plan, error)
	// Begin has results checked again; it is called after the sheet was closed.
	Begin func(ids []string)
	Now   func() time.Time
}

// Sheet asks whether results are to be checked again.
type Sheet struct {
	Params
	ids    []string
	plan   Plan
	cancel context.CancelFunc // ends the making of a plan

	age      *kit.Select
	forecast *kit.Paragraph
	problem  *kit.Notice
	title    *kit.Text
	left     *kit.Paragraph
	begin    *kit.Button
}

// New makes a closed sheet.
func New(p Params) *Sheet { return &Sheet{Params: p, cancel: func() {}} }

// Show opens the sheet for results.
func (s *Sheet) Show(ids []string) {
	s.Sheet.Close()
	s.ids = ids
	muted := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	s.age = kit.NewSelect(kit.Plain, AgeWords(), func(int) { s.read() })
	s.age.MaxWidth = 260
	s.forecast = kit.NewParagraph("", kit.TextStyle{Weight: look.WeightMedium})
	s.problem = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), s.read)
	s.title = kit.NewText("", kit.TextStyle{Weight: look.WeightBold})
	s.left = kit.NewParagraph("", muted)
	cancel := kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close)
	s.begin = kit.NewButton(kit.Primary, Plan{}.Button(), look.IconRetry, func() {
		ids := s.plan.IDs
		s.Sheet.Close()
		if len(ids) > 0 {
			s.Begin(ids)
		}
	})
	s.Sheet.Show(kit.SheetContent{
		Title: i18n.N(len(ids), "Scan %s result again", "Scan %s results again"),
		Body: container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, container.NewHBox(s.age), s.forecast, s.problem, s.title, s.left,
			kit.NewParagraph(i18n.T("Assay sends them one at a time, after any new files you add. Both answers are kept. Results marks those whose verdict changes."), muted)),
		Buttons: []*kit.Button{cancel, s.begin},
		First:   cancel, // not the one that sends: a key may still be down
		Closed:  func() { s.cancel() },
	})
	s.read()
}

// read has the plan made for the age that is chosen.
func (s *Sheet) read() {
	s.cancel()
	s.show(Plan{Forecast: i18n.T("Looking at the files…")}, "")
	ids, before := s.ids, Age(max(s.age.Selected(), 0)).Before(s.Now())
	s.cancel = s.Workers.Do(func(ctx context.Context) func() {
		plan, err := s.Plan(ctx, ids, before)
		return func() {
			if err != nil {
				s.show(Plan{}, present.Problem(err))
				return
			}
			s.show(plan, "")
		}
	})
}

// show shows a plan, or why there is none.
func (s *Sheet) show(p Plan, problem string) {
	s.plan = p
	s.forecast.SetText(p.Forecast)
	s.problem.SetText(problem)
	s.title.SetText(p.LeftTitle())
	s.left.SetText(strings.Join(p.LeftLines(), "\n"))
	for o, visible := range map[fyne.CanvasObject]bool{s.forecast: problem == "", s.problem: problem != "", s.title: len(p.Left) > 0, s.left: len(p.Left) > 0} {
		kit.SetVisible(o, visible)
	}
	s.begin.SetLabel(p.Button())
	if s.begin.Enable(); len(p.IDs) == 0 {
		s.begin.Disable()
	}
	s.Sheet.Refit()
}
