package gui

import (
	"encoding/json"
	"fmt"
	"image"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// spliced opens the sandbox's own answer on a picture that its models flag; an explanation is added, which pictures have none of.
func spliced(t *testing.T) (e *evidence, id string) {
	t.Helper()
	e = setupEvidence(t)
	e.reword = func(answer map[string]any, link func(string) any) {
		answer["explainabilityUrl"] = link("explanation.html")
	}
	e.files["explanation.html"] = []byte("<p>Explained</p>")
	content, err := os.ReadFile(photoFile("mountains-spliced.jpg"))
	assert.NoError(t, err)
	id, _ = e.open("spliced.jpg", content)
	e.photo()
	e.Until("all that is fetched at first has been asked for", func() bool { return count(e.arrived(), "/aggregation.json") > 0 })
	return e, id
}

func TestLinksOnScreen(t *testing.T) {
	e, id := spliced(t)
	e.Run("A3 a link that is 900 s old is not used: a fresh one is fetched, and the heatmap appears", func(t *testing.T) {
		e.here.move(client.SignedURLLife)
		e.clock.move(client.SignedURLLife)
		e.heatmap()
		paths := e.arrived()
		if len(paths) != 2 || !strings.HasPrefix(paths[0], "/api/media/users/") || !strings.Contains(paths[1], "/heatmaps/") {
			t.Errorf("asked for: %q", paths)
		}
	})
	e.Run("A4 heatmap, details and explanation denied at once share one refresh", func(t *testing.T) {
		viewed := newSubmissions(e.Queue, openStore(t), e.client, func(submission.Submission) {}, e.here.now) // nothing is in its vault
		e.clock.move(2 * client.SignedURLLife)
		var denied sync.WaitGroup
		denied.Add(3)
		var held atomic.Int32
		e.arrival = func(r *http.Request) { // all three are under way before one is answered
			if strings.HasPrefix(r.URL.Path, "/storage/") && held.Add(1) <= 3 {
				denied.Done()
				denied.Wait()
			}
		}
		shown, _, err := viewed.Viewer(t.Context(), id)
		assert.NoError(t, err)
		e.here.move(-client.SignedURLLife) // by this computer's clock no link is old
		var asking sync.WaitGroup
		for what, fetch := range map[string]func() ([]byte, error){
			"heatmap":     func() ([]byte, error) { return viewed.Heatmap(t.Context(), id, shown.Heatmaps[0].Verbatim()) },
			"details":     func() ([]byte, error) { return viewed.AggregationJSON(t.Context(), id) },
			"explanation": func() ([]byte, error) { return viewed.Explanation(t.Context(), id) },
		} {
			asking.Go(func() {
				if content, err := fetch(); err != nil || len(content) == 0 {
					t.Errorf("%s: %d bytes, %v", what, len(content), err)
				}
			})
		}
		asking.Wait()
		paths := e.arrived()
		if refreshed, fetched := count(paths, "/api/media/users/"), count(paths, "/storage/"); refreshed != 1 || fetched != 6 {
			t.Errorf("%d refreshes, %d files asked for: %q", refreshed, fetched, paths)
		}
	})
	e.Run("A5 no signed link was asked with the key, and each call was", func(t *testing.T) {
		key, signed := e.Key(), 0
		for _, r := range e.requests {
			calls := strings.HasPrefix(r.URL.Path, "/api/")
			if carries := strings.Contains(fmt.Sprint(r.Header, r.URL), key); carries != calls {
				t.Errorf("%s %s carries the key: %v", r.Method, r.URL.Path, carries)
			}
			if !calls {
				signed++
			}
		}
		if signed < 9 { // upload, first look, heatmap, and the six above
			t.Errorf("only %d signed links were asked for", signed)
		}
	})
}

func TestHeatmapsOnScreen(t *testing.T) {
	t.Run("A2 whatever one clicks, no other heatmap is asked for", func(t *testing.T) {
		e := setupEvidence(t)
		e.aFakeOf("desk.png", []byte(`{"bboxes":[]}`))
		for _, of := range []string{"elm", "ash", "ensemble", "unknown"} { // they could be had
			e.serves("heat-"+of+".png", drawing(t, image.Pt(64, 48), of))
		}
		e.heatmap()
		for _, keys := range []string{"1234521", "[[]]", "++-0", "bgggo", "oo"} {
			for _, r := range keys {
				e.typedRune(r)
			}
		}
		for _, s := range guitest.InSight[*kit.Select](e.viewer.Object()) {
			for i := range s.Options() {
				s.Select(i)
			}
		}
		for _, bars := range guitest.InSight[*chart.Bars](e.viewer.Object()) {
			for i := range guitest.BarRows(bars) {
				bars.OnTapped(i)
			}
		}
		e.works(flagged, flaggedRows...)
		var asked []string
		for _, path := range e.arrived() {
			if strings.Contains(path, "heat") {
				asked = append(asked, strings.TrimPrefix(path, ownFiles))
			}
		}
		if diff := cmp.Diff([]string{"heat-oak.png"}, asked); diff != "" {
			t.Errorf("heatmaps that were asked for (-want +got):\n%s", diff)
		}
	})
	t.Run("A4 one that is denied for good is said after one refresh, and the rest works", func(t *testing.T) {
		e := setupEvidence(t)
		e.aFakeOf("desk.png", []byte(`{"bboxes":[]}`))
		e.photo()
		e.serves("heat-oak.png", nil)
		e.arrived()
		e.typedRune('2')
		e.reads("The heatmap of svc-oak-img can't be shown.")
		paths := e.arrived()
		if refreshed, tries := count(paths, "/api/media/users/"), count(paths, "heat-oak"); refreshed != 1 || tries != 2 {
			t.Errorf("%d refreshes, %d tries: %q", refreshed, tries, paths)
		}
		e.works(flagged, flaggedRows...)
	})
}

func TestAFailedResultIsTriedAgain(t *testing.T) {
	e := setupEvidence(t)
	e.answers(func(answer map[string]any, _ func(string) any) {
		answer["overallStatus"] = "UNABLE_TO_EVALUATE"
		answer["resultsSummary"] = map[string]any{"status": "UNABLE_TO_EVALUATE", "metadata": map[string]any{},
			"error": map[string]any{"code": "model-error", "message": "The models timed out. Upload the file again."}}
	})
	e.open("desk.png", drawing(t, image.Pt(64, 48), "desk"))
	e.Run("R7 the message is said, with what to try", func(*testing.T) {
		e.reads("The service says: “The models timed out. Upload the file again.” It may help to try a smaller file.")
	})
	e.Run("R7 trying again is one click", func(*testing.T) {
		e.arrived()
		e.press("Scan again")
		sent := 0
		e.Until("it is sent again", func() bool {
			sent += count(e.arrived(), "/cloud-presigned")
			return sent == 1 && len(e.listed()) == 2
		})
	})
}

func TestTheBarSendsJudgements(t *testing.T) {
	e := setupEvidence(t)
	id := e.aFakeOf("desk.png", []byte(`{"bboxes":[]}`))
	sub, _ := e.Queue.Get(id)
	request := sub.RequestID
	e.Run("F1 a click is posted with result, label and category, and a comment only where there is one", func(t *testing.T) {
		e.press("Disagree")
		e.reads("You disagreed: sent in 5 s")
		if len(e.stored()) > 0 {
			t.Error("it was sent at once")
		}
		e.later <- struct{}{}
		e.reads("You disagreed on ")
		e.press("Other…")
		for _, field := range guitest.InSight[interface {
			SetText(text string)
			SetPlaceHolder(text string)
		}](e.viewer.Object()) {
			field.SetText("Seen on the day.")
		}
		e.press("Send")
		e.reads("You gave feedback: sent in 5 s")
		e.later <- struct{}{}
		e.reads("You gave feedback on ")
		want := []string{
			`{"requestId":"` + request + `","label":"REAL","feedbackCategory":"FALSE_POSITIVE"}`,
			`{"requestId":"` + request + `","label":"UNKNOWN","feedbackCategory":"OTHER","comment":"Seen on the day."}`,
		}
		assert.Equal(t, want, e.posted)
	})
	e.Run("F3 the record that comes back is kept with the result", func(t *testing.T) {
		given, err := e.Store.FeedbackOf(t.Context(), request)
		if err != nil || len(given) != 2 {
			t.Fatalf("%+v, %v", given, err)
		}
		kept := make([]sandbox.Feedback, len(given))
		for i, g := range given {
			if err := json.Unmarshal(g.Record, &kept[i]); err != nil || g.State != store.FeedbackSent {
				t.Fatalf("%s, %v", g.State, err)
			}
		}
		if diff := cmp.Diff(e.stored(), kept); diff != "" {
			t.Errorf("the service's and ours: %s", diff)
		}
	})
	e.Run("F2 each label goes with each category, and there are no others to choose", func(t *testing.T) {
		var offered, want, got []string
		before := len(e.stored())
		for i := range 16 {
			e.press("Other…")
			chips := guitest.InSight[*kit.Chip](e.viewer.Object())
			chips[i/4].Tapped(nil)
			chips[4+i%4].Tapped(nil)
			offered = nil
			for _, c := range chips {
				offered = append(offered, c.Label())
			}
			e.press("Send")
			e.reads("You ")
			e.later <- struct{}{}
			e.Until("it is sent", func() bool { return len(e.stored()) == before+1+i })
		}
		for _, l := range []string{"REAL", "SYNTHETIC", "MANIPULATED", "UNKNOWN"} {
			for _, c := range []string{"FALSE_POSITIVE", "FALSE_NEGATIVE", "CONFIRMATION", "OTHER"} {
				want = append(want, l+" "+c)
			}
		}
		for _, f := range e.stored()[before:] {
			got = append(got, f.Label+" "+f.Category)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || len(offered) != 8 {
			t.Errorf("%q were offered; sent: %s", offered, diff)
		}
	})
	e.Run("F5 given without a network it is kept, said to be, and sent later, once", func(t *testing.T) {
		before, address := len(e.stored()), e.server.Listener.Addr().String()
		e.server.Close()
		e.press("Agree")
		e.reads("You agreed: sent in")
		e.later <- struct{}{}
		e.reads("You agreed: kept, and sent later.")
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		assert.NoError(t, err)
		e.server = httptest.NewUnstartedServer(e.witness)
		e.server.Listener = listener
		e.server.Start()
		e.later <- struct{}{}
		e.reads("You agreed on ")
		if n := len(e.stored()) - before; n != 1 {
			t.Errorf("it was stored %d times", n)
		}
	})
}
