//go:build e2e && linux

package e2e

import (
	"image"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// besideTheList is where the viewer shows a result in a window of 1280 × 800.
var besideTheList = image.Rect(420, 40, 1260, 680)

// What a search leaves out is not shown, though it was opened by hand; where nothing is found, nothing is shown.
func TestTheViewerFollowsTheSearch(t *testing.T) {
	desktop := setup(t)
	all := pictures(t)[:2]
	v := &fixture{t: t, desktop: desktop, app: open(t, desktop, Options{Theme: "light", Files: all}, image.Pt(1280, 800))}
	if _, err := v.app.Answers(t.Context(), len(all), answerLimit); err != nil {
		t.Fatal(err)
	}
	assert.NoError(t, v.app.Window.Keys(t.Context(), "ctrl+2", "t")) // a search opens the list, too: the viewer keeps its place
	first := keep(t, desktop, v.app.Window, "1-first")
	assert.NoError(t, v.app.Window.Keys(t.Context(), "j"))
	second := keep(t, desktop, v.app.Window, "2-second")
	const another = 0.05 // share of the pixels that differ at least from one result to another
	if share := second.ChangedIn(besideTheList, first); share < another {
		t.Fatalf("the next result changes %.1f %% of the viewer", 100*share)
	}
	search := func(name, text string) *Shot {
		assert.NoError(t, v.app.Window.Keys(t.Context(), "slash", "ctrl+a"))
		assert.NoError(t, v.app.Window.Type(t.Context(), text))
		time.Sleep(time.Second)
		return keep(t, desktop, v.app.Window, name)
	}
	shows := func(shot, result *Shot) bool { return shot.ChangedIn(besideTheList, result) < another/5 }
	var shown []bool // for each file, whether the first is shown where its name is searched for
	for i, file := range all {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		found := search([]string{"3-found", "4-found"}[i], name)
		if shows(found, first) == shows(found, second) {
			t.Errorf("a search for %s shows the first %v, the second %v", name, shows(found, first), shows(found, second))
		}
		shown = append(shown, shows(found, first))
	}
	if shown[0] == shown[1] {
		t.Error("the same is shown for both names")
	}
	none := search("5-nothing", "no such name")
	if shows(none, first) || shows(none, second) {
		t.Error("nothing is found, and a result is shown")
	}
}
