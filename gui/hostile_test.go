package gui

import (
	"image"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"

	"assay/client/assert"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
)

// watchedApp notes what the window has the system open.
type watchedApp struct {
	fyne.App
	mu     sync.Mutex
	opened []string
}

func (w *watchedApp) OpenURL(u *url.URL) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened = append(w.opened, u.String())
	return nil
}

// hostile is text that would load or open something, wherever anything rendered it: bait is an address that counts who comes.
func hostile(bait string) string {
	return strings.NewReplacer("BAIT", bait).Replace(`<script src="BAIT/a.js">fetch("BAIT/b")</script><img src="BAIT/c.png" onerror="location='BAIT/d'">` +
		`<link rel="stylesheet" href="BAIT/e.css"><iframe src="BAIT/f"></iframe><a href="BAIT/g">Explained</a><meta http-equiv="refresh" content="0;url=BAIT/h">` +
		`<svg><image href="BAIT/i.png"/><use href="BAIT/j#x"/></svg><p style="background:url(BAIT/k.png)">styled</p><object data="BAIT/l"></object>` +
		`<video src="BAIT/m" autoplay></video><form action="BAIT/n"><button autofocus>o</button></form><base href="BAIT/p/"><img src="q.png">` +
		"\n![picture](BAIT/r.png) [link](BAIT/s) BAIT/t\n<BAIT/u>\n")
}

// handle does with all that can be seen what a hand could do that points at everything: it hovers, and looks at the tool tips.
func handle(o fyne.CanvasObject) {
	for _, h := range guitest.InSight[desktop.Hoverable](o) {
		h.MouseIn(&desktop.MouseEvent{})
		h.MouseMoved(&desktop.MouseEvent{})
		h.MouseOut()
	}
}

func TestTheWindowRunsAndLoadsNothingOfWhatItShows(t *testing.T) {
	bait, connections := guitest.Listener(t)
	e := setupEvidence(t)
	watching := &watchedApp{App: e.App}
	e.App = watching
	text := hostile(bait)
	nothing := func(t *testing.T) {
		t.Helper()
		if n := connections(); n > 0 {
			t.Errorf("%d connections to an address that was only shown", n)
		}
		if len(watching.opened) > 0 {
			t.Errorf("the system was asked to open %q", watching.opened)
		}
	}
	everywhere := func(t *testing.T) {
		t.Helper()
		for _, page := range []string{"Models", "Details", "Data", "History"} {
			e.page(page)
			handle(e.viewer.Object())
		}
		e.typedRune('?')
		e.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		for screen := screens.Inbox; screen <= screens.Settings; screen++ {
			e.rail.Select(screen)
			handle(e.window.Content())
		}
		nothing(t)
	}
	named := func(answer map[string]any) {
		answer["overallStatus"] = "FAKE"
		answer["resultsSummary"] = map[string]any{"status": "FAKE", "metadata": map[string]any{"finalScore": 88, "message": text, "reasons": []any{map[string]any{"code": text, "message": text}}}}
		answer["models"] = []any{map[string]any{"name": text, "status": text, "code": text, "normalizedPredictionNumber": 12.0, "message": text, "error": map[string]any{"code": text, "message": text}},
			map[string]any{"name": "[svc](" + bait + "/v)", "status": "FAKE", "finalScore": 99}}
		answer["message"], answer["error"], answer["filename"], answer["originalFileName"] = text, text, text, text
		answer["socialLink"], answer["userInfo"] = bait+"/w", map[string]any{"name": text}
	}
	e.Run("an explainability page, messages and names of models", func(t *testing.T) {
		e.answers(func(answer map[string]any, link func(string) any) {
			named(answer)
			answer["mediaType"], answer["explainabilityUrl"] = "TEXT", link("page.html")
		})
		e.serves("page.html", []byte(text+"<p>This is explained.</p>"))
		e.open("![a]("+strings.ReplaceAll(bait, "/", "_")+") <img src=x>.txt", []byte("The text. "+text))
		e.reads("This is explained.")
		everywhere(t)
	})
	e.Run("a picture with such names, and such details of the analysis", func(t *testing.T) {
		e.answers(func(answer map[string]any, link func(string) any) {
			aFake(answer, link)
			named(answer)
			answer["heatmaps"] = map[string]any{text: bait + "/heat.png"}
			answer["thumbnail"] = bait
		})
		e.serves("aggregation.json", []byte(`{"bboxes":[],"note":"`+bait+`","url":"`+bait+`/x"}`))
		e.open("[click](javascript_alert).png", drawing(t, image.Pt(64, 48), "hostile"))
		e.photo()
		// The heatmap's link is the service's own, which the window may fetch: it names it, by the contract, and this one is not over TLS.
		for _, s := range guitest.InSight[*kit.Select](e.viewer.Object()) {
			_ = s.Options()
		}
		everywhere(t)
	})
	e.Run("a file whose bytes hold addresses, and a link that is only shown", func(t *testing.T) {
		path := filepath.Join(e.folder, "xlink.svg.txt")
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		e.dropped(fyne.NewPos(0, 0), []fyne.URI{storage.NewFileURI(path)})
		e.accept([]string{path}, submission.Dropped)
		e.Until("it is in the inbox", func() bool { return e.inbox.Filled() })
		handle(e.window.Content())
		nothing(t)
	})
}
