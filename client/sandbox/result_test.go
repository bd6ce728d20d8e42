package sandbox

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/jpeg"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/picture"
)

func TestStatesOverTime(t *testing.T) {
	g := newGate()
	s := setup(t, held(g))
	asked := s.ask(t, "a.jpg")

	t.Run("before the bytes it is in flight, with no summary and no models", func(t *testing.T) {
		got := s.result(t, asked.RequestID)
		if got.OverallStatus != client.Analyzing || string(got.fields["resultsSummary"]) != "null" || string(got.fields["models"]) != "[]" {
			t.Errorf("got %s", got.Raw)
		}
	})

	s.put(t, asked.Response.SignedURL, photo(t, 1))
	first := <-g.reached

	t.Run("after them every model is ANALYZING, with no score", func(t *testing.T) {
		got := s.result(t, asked.RequestID)
		if got.OverallStatus != client.Analyzing || got.Running() != len(picture.Models()) || got.Running() == 0 || got.Final() {
			t.Errorf("got %s", got.Raw)
		}
		for _, m := range got.Models {
			for _, number := range []client.Score{m.Prediction, m.Normalized, m.Rolling, m.Final} {
				if number.Sent() != "null" {
					t.Errorf("%s has a score already: %s", m.Name, got.Raw)
				}
			}
		}
	})

	g.pass <- struct{}{}
	second := <-g.reached // so the first has ended

	t.Run("models end one by one while the whole is ANALYZING", func(t *testing.T) {
		got := s.result(t, asked.RequestID)
		var ended []string
		for _, m := range got.Models {
			if m.Status != client.Analyzing {
				ended = append(ended, m.Name.String())
			}
		}
		if diff := cmp.Diff([]string{first}, ended); diff != "" || second == first {
			t.Errorf("ended: %s", diff)
		}
		if got.OverallStatus != client.Analyzing || got.ResultsSummary.Status != client.Analyzing || got.Final() {
			t.Errorf("got %s", got.Raw)
		}
	})

	g.open()

	t.Run("at the end it has a status, an ensemble and no running model", func(t *testing.T) {
		got := s.settled(t, asked.RequestID)
		ensemble, found := got.Ensemble()
		if !got.Final() || !found || got.ResultsSummary.Status != got.OverallStatus || ensemble.Status != got.OverallStatus {
			t.Fatalf("got %s", got.Raw)
		}
		if got.ResultsSummary.Metadata.FinalScore.Sent() != ensemble.Final.Sent() {
			t.Errorf("the summary's score is not the ensemble's: %s", got.Raw)
		}
		var names []string
		for _, m := range got.Models {
			names = append(names, m.Name.String())
			if raw, ok := m.Prediction.Number(); ok && (raw < 0 || raw > 1) {
				t.Errorf("%s: raw score %v is outside 0..1", m.Name, raw)
			}
			if score, ok := m.Normalized.Number(); ok && (score <= 0 || score >= 100) {
				t.Errorf("%s: score %v is not strictly between 0 and 100", m.Name, score)
			}
			if m.Status == client.NotApplicable && (m.Code.String() != "not_applicable" || string(m.Data) != "null") {
				t.Errorf("%s does not apply, but has code %q and data %s", m.Name, m.Code, m.Data)
			}
		}
		assert.Equal(t, picture.Models(), names)
	})
}

func TestResult(t *testing.T) {
	s := setup(t)

	t.Run("an unknown identifier is 404 in JSON", func(t *testing.T) {
		for _, id := range []string{uuid.NewString(), "x", "..%2Fsecret"} {
			if got := s.call(t, http.MethodGet, "/api/media/users/"+id, ""); got.status != http.StatusNotFound || decode[apiError](t, got.body).Response == "" {
				t.Errorf("%s: got %d %s", id, got.status, got.body)
			}
		}
	})
	t.Run("the fields of an upload are those of the interface", func(t *testing.T) {
		id := s.upload(t, "Día.JPG", photo(t, 1))
		got := s.settled(t, id)
		want := client.Result{
			FileName: plain.From("D_a.JPG"), OriginalFileName: plain.From("Día.JPG"), RequestID: id, UploadedDate: plain.From("2026-03-14T09:26:53.000Z"),
			MediaType: client.Image, UserID: "sandbox-user", ReleaseVersion: plain.From(ReleaseVersion),
			AggregationResultURL: "sandbox/" + id + ".jpg/aggregation.json",
		}
		have := client.Result{
			FileName: got.FileName, OriginalFileName: got.OriginalFileName, RequestID: got.RequestID, UploadedDate: got.UploadedDate,
			MediaType: got.MediaType, UserID: got.UserID, ReleaseVersion: got.ReleaseVersion,
			AggregationResultURL: got.AggregationResultURL,
			SocialLink:           got.SocialLink, ShowAudioResult: got.ShowAudioResult, AudioRequestID: got.AudioRequestID,
			AudioModelMetadataURL: got.AudioModelMetadataURL, ExplainabilityURL: got.ExplainabilityURL,
		}
		assert.Equal(t, want, have, cmp.AllowUnexported(client.Score{}))
	})
	t.Run("a model without a code has null, not an empty one", func(t *testing.T) {
		got := s.settled(t, s.upload(t, "a.jpg", photo(t, 1)))
		if models := string(got.fields["models"]); !strings.Contains(models, `"code":null`) || strings.Contains(models, `"code":""`) {
			t.Errorf("got %s", models)
		}
	})
	t.Run("the same bytes under another name give the same numbers", func(t *testing.T) {
		one, other := s.settled(t, s.upload(t, "one.jpg", photo(t, 1))), s.settled(t, s.upload(t, "another name.jpeg", photo(t, 1)))
		for _, field := range []string{"models", "resultsSummary", "overallStatus"} {
			if diff := cmp.Diff(string(one.fields[field]), string(other.fields[field])); diff != "" {
				t.Errorf("%s: %s", field, diff)
			}
		}
	})
	t.Run("other bytes give other numbers", func(t *testing.T) {
		one, other := s.settled(t, s.upload(t, "a.jpg", photo(t, 1))), s.settled(t, s.upload(t, "a.jpg", photo(t, 2)))
		if string(one.fields["models"]) == string(other.fields["models"]) {
			t.Errorf("both are %s", one.fields["models"])
		}
	})
	t.Run("an unreadable picture is UNABLE_TO_EVALUATE and asks for another upload", func(t *testing.T) {
		for what, data := range map[string][]byte{"no picture": []byte("this is no picture"), "an empty file": nil, "half a picture": photo(t, 1)[:600]} {
			got := s.settled(t, s.upload(t, "a.jpg", data))
			if got.OverallStatus != client.UnableToEvaluate || !got.Final() || got.ResultsSummary.Failure == nil {
				t.Fatalf("%s: got %s", what, got.Raw)
			}
			summary := string(got.fields["resultsSummary"])
			if !strings.Contains(summary, `"metadata":{}`) || got.ResultsSummary.Failure.Code.String() != "model-error" ||
				!strings.Contains(got.ResultsSummary.Failure.Message.String(), "upload the file again") {
				t.Errorf("%s: got %s", what, summary)
			}
		}
	})
}

func TestFaultsOfAnalysers(t *testing.T) {
	for what, analyse := range map[string]func(context.Context, []byte, func(forensics.Model)) (*picture.Report, error){
		"a panic": func(context.Context, []byte, func(forensics.Model)) (*picture.Report, error) {
			panic("out of range")
		},
		"an error": func(context.Context, []byte, func(forensics.Model)) (*picture.Report, error) {
			return nil, errors.New("odd")
		},
	} {
		t.Run(what+" costs one result, not the process, and its words stay inside", func(t *testing.T) {
			s := setup(t, func(s *Sandbox) { s.analyseImage = analyse })
			for range analysers + 1 {
				got := s.settled(t, s.upload(t, "a.jpg", photo(t, 1)))
				if got.OverallStatus != client.UnableToEvaluate || !got.Final() || strings.Contains(string(got.Raw), "out of range") {
					t.Errorf("got %s", got.Raw)
				}
			}
		})
	}
}

func TestArtifacts(t *testing.T) {
	heat := image.NewNRGBA(image.Rect(0, 0, 256, 192))
	heat.Pix[3] = 200
	number := 90.0
	row := func(name string, status forensics.Status, ensemble bool, heatmap image.Image) forensics.Model {
		decision := "AUTHENTIC"
		if status == forensics.Fake {
			decision = "ARTIFICIAL"
		}
		return forensics.Model{Name: name, Status: status, Ensemble: ensemble, Score: &number, Heatmap: heatmap, Data: map[string]any{"decision": decision}}
	}
	report := &picture.Report{
		Width: 256, Height: 192, Status: forensics.Fake, Score: &number,
		Models: []forensics.Model{
			row("reacted", forensics.Fake, false, heat),
			row("calm", forensics.Authentic, false, heat),
			row("without picture", forensics.Fake, false, nil),
			row("all-ensemble", forensics.Fake, true, nil),
		},
		Conclusions: map[string]string{"reacted": "A region differs."},
		BBoxes:      []picture.BBox{{X0: 8, Y0: 16, X1: 40, Y1: 48, Model: "reacted", Decision: "ARTIFICIAL"}},
	}
	s := setup(t, func(s *Sandbox) {
		s.analyseImage = func(context.Context, []byte, func(forensics.Model)) (*picture.Report, error) {
			return report, nil
		}
	})
	got := s.settled(t, s.upload(t, "a.jpg", photo(t, 1)))
	fetch := func(t *testing.T, link, contentType string) []byte {
		t.Helper()
		answer := s.send(t, http.MethodGet, link, nil, nil)
		if answer.status != http.StatusOK || answer.header.Get("Content-Type") != contentType {
			t.Fatalf("%d %s", answer.status, answer.header.Get("Content-Type"))
		}
		return answer.body
	}

	t.Run("the heatmap of an artificial model is a PNG of the picture's size with its alpha", func(t *testing.T) {
		usable := got.UsableHeatmaps()
		if len(usable) != 1 || usable[0].Model.String() != "reacted" {
			t.Fatalf("usable are %v", usable)
		}
		picture, err := png.Decode(bytes.NewReader(fetch(t, usable[0].URL, "image/png")))
		assert.NoError(t, err)
		if _, _, _, alpha := picture.At(0, 0).RGBA(); picture.Bounds() != heat.Bounds() || alpha>>8 != 200 {
			t.Errorf("it is %v with alpha %d", picture.Bounds(), alpha>>8)
		}
	})
	t.Run("entries of other models are there, and denied", func(t *testing.T) {
		var names []string
		for name := range got.Heatmaps {
			names = append(names, name)
		}
		slices.Sort(names)
		if diff := cmp.Diff([]string{"all-ensemble", "calm", "reacted"}, names); diff != "" {
			t.Fatal(diff)
		}
		for _, name := range []string{"all-ensemble", "calm"} {
			s.wantDenied(t, name, s.send(t, http.MethodGet, got.Heatmaps[name], nil, nil))
		}
	})
	t.Run("the aggregation tells boxes in pixels, conclusions and the picture's size", func(t *testing.T) {
		want := `{"bboxes":[{"bbox":{"top_left":{"x":8,"y":16},"top_right":{"x":40,"y":16},"bottom_right":{"x":40,"y":48},"bottom_left":{"x":8,"y":48}},` +
			`"conclusions":{"reacted":{"decision":"ARTIFICIAL"}}}],"conclusions":{"reacted":"A region differs."},"image":{"width":256,"height":192}}`
		assert.Equal(t, want, string(fetch(t, got.ModelMetadataURL, "application/json")))
	})
	t.Run("the thumbnail is a small JPEG", func(t *testing.T) {
		facts, format, err := image.DecodeConfig(bytes.NewReader(fetch(t, got.Thumbnail, "image/jpeg")))
		if err != nil || format != "jpeg" || max(facts.Width, facts.Height) > thumbnailSide || facts.Width*192 != facts.Height*256 {
			t.Errorf("%s of %d × %d: %v", format, facts.Width, facts.Height, err)
		}
	})
	t.Run("the original is the bytes uploaded", func(t *testing.T) {
		if !bytes.Equal(fetch(t, got.StorageLocation, "image/jpeg"), photo(t, 1)) {
			t.Error("it differs")
		}
	})
	t.Run("an original that was never uploaded is denied", func(t *testing.T) {
		asked := s.ask(t, "b.jpg")
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url, nil)
		assert.NoError(t, err)
		s.wantDenied(t, "b.jpg", s.send(t, http.MethodGet, s.links.link(r, http.MethodGet, storagePrefix+"sandbox/"+asked.RequestID+".jpg"), nil, nil))
	})
}

func TestPacing(t *testing.T) {
	const latency = 3 * time.Second
	begin := func() (*pacing, *entry) {
		e := &entry{record: record{Object: "object"}, live: waitingModels(client.Image)}
		return &pacing{sandbox: &Sandbox{latency: latency}, entry: e, object: "object", last: time.Now()}, e
	}
	ended := func(e *entry) (n int) {
		for _, m := range e.snapshot().live {
			if m.Status != client.Analyzing {
				n++
			}
		}
		return n
	}
	t.Run("models end one after another, each after the latency", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, e := begin()
			began := time.Now()
			for i, name := range picture.Models() {
				p.ended(t.Context(), forensics.Model{Name: name, Status: forensics.Authentic})
				if passed, want := time.Since(began), time.Duration(i+1)*latency; passed != want || ended(e) != i+1 {
					t.Errorf("%s: %d ended after %v, want %d after %v", name, ended(e), passed, i+1, want)
				}
			}
		})
	})
	t.Run("the end of ctx ends the wait, and nothing is shown", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, e := begin()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			p.ended(ctx, forensics.Model{Name: picture.Models()[0], Status: forensics.Authentic})
			if time.Since(began) != time.Second || ended(e) != 0 {
				t.Errorf("%d ended after %v", ended(e), time.Since(began))
			}
		})
	})
}
