package gui

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/gui/guitest"
	"assay/gui/present"
	"assay/gui/screens"
)

func TestWhatIsNearlyTheSameAsAResult(t *testing.T) {
	box, server := newSandbox(t, sandbox.Options{}, nil)
	d := setupOn(t, newClient(t, client.Options{BaseURL: server.URL, Key: box.Key}), sessionOptions{pollMin: 20 * time.Millisecond, nearly: true})
	reads := func(text string) {
		d.T.Helper()
		d.Until(text, func() bool { return guitest.Reads(d.window.Content(), text) })
	}
	answered := func(n int) {
		d.T.Helper()
		d.Until("it is answered", func() bool { return len(d.listed()) == n })
	}
	d.drop(photoFile("mountains.jpg"))
	answered(1)
	d.Run("is said before it is sent, and keeps nothing from being sent", func(t *testing.T) {
		heldFile(t, d, "copy")
		reads("Nearly the same as mountains.jpg (")
		d.Queue.Approve(intake.ApproveOptions{}, "copy")
		answered(2)
		d.Until("it stands beneath the row no more", func() bool { return !guitest.Reads(d.window.Content(), "Nearly the same as mountains.jpg (") })
	})
	d.Run("is said with the result, and both are compared", func(t *testing.T) {
		d.open("copy")
		reads("A hint: each file keeps its own verdict")
		d.press("Compare")
		reads("Two pictures that are nearly the same")
		assert.Equal(t, screens.Results, d.rail.Selected())
		d.closeCompare()
	})
	d.Run("is listed where there is more of it", func(t *testing.T) {
		d.rail.Select(screens.Inbox)
		heldFile(t, d, "third")
		reads("and 1 more")
		d.act([]string{"third"}, present.Withhold)
		d.open("copy")
		d.listNear("copy", d.near(t.Context(), "copy"))
		d.press("Compare")
		reads("Two pictures that are nearly the same")
		assert.True(t, !d.sheet.Open(), "the list still lies over the window")
	})
}
