package gui

import (
	"image"
	"os"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
)

// saying words a result of the service.
func saying(release, status string, score float64) func(map[string]any, func(string) any) {
	return func(answer map[string]any, _ func(string) any) {
		answer["releaseVersion"], answer["overallStatus"] = release, status
		answer["resultsSummary"] = map[string]any{"status": status, "metadata": map[string]any{"finalScore": score}}
		answer["models"] = []any{map[string]any{"name": "svc-img-ensemble", "status": status, "finalScore": score}}
	}
}

func TestResultsAreScannedAgain(t *testing.T) {
	e := setupEvidence(t)
	e.answers(saying("2.14.0", "SUSPICIOUS", 52))
	changes, _ := e.send("changes.png", drawing(t, image.Pt(64, 48), "changes"))
	stays, _ := e.send("stays.png", drawing(t, image.Pt(64, 48), "stays"))
	gone, path := e.send("gone.png", drawing(t, image.Pt(64, 48), "gone"))
	assert.NoError(t, os.Remove(path))
	e.Run("the sheet says what it would use, and what is left out", func(t *testing.T) {
		e.recheck([]string{changes, gone, changes})
		e.Until("the files were looked at", func() bool { return guitest.Reads(e.top(), "1 check by the sandbox, which uses nothing of a plan.") })
		assert.True(t, guitest.Reads(e.top(), "1 result can't be scanned again") && guitest.Reads(e.top(), "gone.png: "), "%q", guitest.Seen(e.top()))
		e.sheet.Close()
		assert.Equal(t, 3, len(e.listed()))
	})
	e.Run("nothing is sent that is not old enough", func(t *testing.T) {
		e.recheck([]string{changes})
		e.Until("the files were looked at", func() bool { return guitest.Reads(e.top(), "1 check by the sandbox, which uses nothing of a plan.") })
		guitest.InSight[*kit.Select](e.top())[0].Select(2)
		e.Until("90 days were counted", func() bool { return guitest.Reads(e.top(), "There is nothing to check again.") })
		button := guitest.ButtonIn(e.top(), "Scan again")
		assert.True(t, button != nil && button.Disabled(), "it can be begun")
		e.sheet.Close()
	})
	e.Run("what has changed is listed by one click, until a person has seen it", func(t *testing.T) {
		e.answers(saying("2.14.0", "SUSPICIOUS", 52))
		e.scanned([]string{stays})
		e.Until("nothing has changed", func() bool { return guitest.Reads(e.inbox.Object(), "Scanned again: no verdict has changed.") })
		e.answers(saying("2.15.1", "FAKE", 88))
		e.scanned([]string{changes})
		e.Until("the inbox says so", func() bool {
			return guitest.Reads(e.inbox.Object(), "Scanned again: 1 changed since release 2.14.0. A human has to look: click the number in Results to list them.")
		})
		e.showResults()
		e.press("1 changed since release 2.14.0")
		e.Until("only that is listed", func() bool { return len(e.results.Rows()) == 1 && e.results.Rows()[0].Was == "Suspicious" })
		assert.True(t, guitest.Reads(e.results.Object(), "before: Suspicious"), "%q", guitest.Seen(e.results.Object()))
		_, err := e.Store.MarkSeen(t.Context(), []string{e.results.Rows()[0].ID}, "Inês")
		assert.NoError(t, err)
		e.Until("nothing is", func() bool { return len(e.results.Rows()) == 0 })
		e.press("0 changed")
		e.Until("all are", func() bool { return len(e.results.Rows()) == 5 })
	})
}

// scanned has a result scanned again, and waits for the answer.
func (e *evidence) scanned(ids []string) {
	e.T.Helper()
	before := len(e.listed())
	e.recheck(ids)
	e.press("Scan 1 again")
	assert.True(e.T, e.rail.Selected() == screens.Inbox, "the inbox is not in front")
	e.Until("it is answered", func() bool { return len(e.listed()) == before+1 })
}
