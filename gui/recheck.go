package gui

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/present"
	"assay/gui/recheck"
	"assay/gui/results"
	"assay/gui/screens"
)

// newRecheck makes the sheet in which results are checked again, closed.
func (a *app) newRecheck() *recheck.Sheet {
	return recheck.New(recheck.Params{
		Sheet:   a.sheet,
		Workers: a.lookers,
		Plan: func(ctx context.Context, ids []string, before time.Time) (recheck.Plan, error) {
			kept, err := a.PlanRecheck(ctx, ids, before)
			plan := recheck.Plan{IDs: kept.IDs, Forecast: kept.Forecast()}
			for _, left := range kept.Left {
				plan.Left = append(plan.Left, recheck.Left{Name: left.Name, Why: left.Why.String()})
			}
			return plan, err
		},
		Begin: a.beginRecheck,
		Now:   a.Now,
	})
}

// recheck opens the sheet that asks whether results are to be checked again.
func (a *app) recheck(ids []string) {
	if len(ids) > 0 {
		a.rechecks.Show(slices.Clone(ids))
	}
}

// beginRecheck has results checked again, which the inbox shows.
func (a *app) beginRecheck(ids []string) {
	a.rail.Select(screens.Inbox)
	mark := rand.Text()
	a.acceptors.Do(func(ctx context.Context) func() {
		again, err := a.Recheck(ctx, mark, ids)
		if err != nil {
			a.Log.Error("check results again", "error", err)
			return func() { a.inbox.Say(present.Problem(err)) }
		}
		return func() {
			a.inbox.Say(i18n.N(len(again), "Scanning %s result again.", "Scanning %s results again."))
			for _, id := range again {
				a.rechecking[id] = true
			}
			a.followRecheck(again) // some may have been answered already
		}
	})
}

// followRecheck says what has changed once all that was scanned again has ended, or waits for the person.
func (a *app) followRecheck(changed []string) {
	if len(a.rechecking) == 0 {
		return
	}
	for _, id := range changed {
		if s, ok := a.Queue.Get(id); a.rechecking[id] && (!ok || s.State.Ended() || s.State == submission.Held) {
			delete(a.rechecking, id)
		}
	}
	if len(a.rechecking) > 0 {
		return
	}
	a.readers.Do(func(ctx context.Context) func() {
		changes, err := a.Store.Changes(ctx)
		if err != nil {
			a.Log.Error("count the verdicts that have changed", "error", err)
			return nil
		}
		counts := results.Counts{Changed: changes.Count, Since: changes.Since}
		return func() {
			if changes.Count == 0 {
				a.inbox.Say(i18n.T("Scanned again: no verdict has changed."))
				return
			}
			a.inbox.Say(i18n.F("Scanned again: %s. A human has to look: click the number in Results to list them.", counts.ChangedText()))
		}
	})
}
