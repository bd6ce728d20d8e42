package sandbox

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/media/sound/soundtest"
	"assay/client/plain"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/audio"
	"assay/client/sandbox/forensics/text"
	"assay/client/sandbox/forensics/video"
)

const prose = `The river had risen in the night, and by morning the lower meadow was a lake. We walked along the dyke
with our boots in our hands. Nobody spoke. My brother, who had wanted to sell the land for years, threw a stone as far as he
could and watched the rings. Later the neighbours came with a boat, laughing, as if it were a holiday, and brought bread,
a lamp, and news of the bridge that had gone. It would be rebuilt, they said, before the summer; it always was.`

// aggregationOf fetches what modelMetadataUrl leads to.
func (s *service) aggregation(t *testing.T, link string) map[string]any {
	t.Helper()
	answer := s.send(t, http.MethodGet, link, nil, nil)
	if answer.status != http.StatusOK || answer.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s", answer.status, answer.body)
	}
	return decode[map[string]any](t, answer.body)
}

func names(models []client.Model) (all []string) {
	for _, m := range models {
		all = append(all, m.Name.String())
	}
	return all
}

func wantKeys(t *testing.T, m map[string]any, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if v, has := m[key]; !has || v == nil {
			t.Errorf("%q is missing in %v", key, m)
		}
	}
}

func TestText(t *testing.T) {
	s := setup(t)
	got := s.settled(t, s.upload(t, "story.txt", []byte(prose)))

	t.Run("it ends with its language and the models for texts", func(t *testing.T) {
		if diff := cmp.Diff(text.Models(), names(got.Models)); diff != "" || !got.Final() || got.ResultsSummary.Failure != nil {
			t.Fatalf("%s in %s", diff, got.Raw)
		}
		assert.Equal(t, []plain.Text{plain.From("English")}, got.ResultsSummary.Metadata.Languages)
	})
	t.Run("its explanation is a page that a browser may run nothing of", func(t *testing.T) {
		page := s.send(t, http.MethodGet, got.ExplainabilityURL, nil, nil)
		if page.status != http.StatusOK || page.header.Get("Content-Type") != "text/html; charset=utf-8" || page.header.Get("Content-Security-Policy") != "sandbox" ||
			!strings.Contains(string(page.body), "The river had risen in the night") {
			t.Errorf("%d %v %.200s", page.status, page.header, page.body)
		}
	})
	t.Run("it has neither thumbnail nor heatmaps", func(t *testing.T) {
		if got.Thumbnail != "" || len(got.Heatmaps) != 0 {
			t.Errorf("got %s", got.Raw)
		}
	})
	t.Run("its aggregation has models, ensembles and conclusions", func(t *testing.T) {
		wantKeys(t, s.aggregation(t, got.ModelMetadataURL), "models", "ensembles", "conclusions", "languages", "marks")
	})
	t.Run("the explanation's link leads nowhere for a picture", func(t *testing.T) {
		picture := s.settled(t, s.upload(t, "a.jpg", photo(t, 1)))
		if picture.ExplainabilityURL != "" {
			t.Errorf("it has one: %s", picture.ExplainabilityURL)
		}
	})
	t.Run("a text too short is NOT_APPLICABLE with a reason", func(t *testing.T) {
		short := s.settled(t, s.upload(t, "short.txt", []byte("Hello.")))
		if reasons := short.ResultsSummary.Metadata.Reasons; short.OverallStatus != client.NotApplicable || len(reasons) != 1 || reasons[0].Message.String() == "" {
			t.Errorf("got %s", short.Raw)
		}
	})
	t.Run("bytes that are no text are UNABLE_TO_EVALUATE", func(t *testing.T) {
		bad := s.settled(t, s.upload(t, "bad.txt", photo(t, 1)))
		if bad.OverallStatus != client.UnableToEvaluate || bad.ExplainabilityURL != "" || !strings.Contains(bad.ResultsSummary.Failure.Message.String(), "upload the file again") {
			t.Errorf("got %s", bad.Raw)
		}
	})
}

func TestAudio(t *testing.T) {
	s := setup(t)
	for what, c := range map[string]struct {
		seconds float64
		reason  string
	}{
		"a steady tone is NOT_APPLICABLE for being detected": {4, "detected"},
		"less than 1.5 s are NOT_APPLICABLE for duration":    {1, "duration"},
	} {
		t.Run(what, func(t *testing.T) {
			got := s.settled(t, s.upload(t, "a.wav", soundtest.Mono(16_000, soundtest.Tone(16_000, 440, c.seconds, 0.37)...)))
			reasons := got.ResultsSummary.Metadata.Reasons
			if got.OverallStatus != client.NotApplicable || len(reasons) == 0 || reasons[0].Code.String() != c.reason {
				t.Errorf("got %s", got.Raw)
			}
			assert.Equal(t, audio.Models(), names(got.Models))
		})
	}
	t.Run("its aggregation has chunks in seconds", func(t *testing.T) {
		got := s.settled(t, s.upload(t, "a.wav", soundtest.Mono(16_000, soundtest.Tone(16_000, 440, 4, 0.37)...)))
		all := s.aggregation(t, got.ModelMetadataURL)
		wantKeys(t, all, "chunks", "languages", "conclusions", "models", "ensembles", "duration", "sampleRate", "channels")
		chunks, _ := all["chunks"].([]any)
		if len(chunks) != 2 || all["duration"] != 4.0 {
			t.Fatalf("got %v", all)
		}
		if last, _ := chunks[1].(map[string]any); last["start"] != 3.0 || last["end"] != 4.0 {
			t.Errorf("got %v", last)
		}
	})
	t.Run("bytes that are no recording are UNABLE_TO_EVALUATE, every model too", func(t *testing.T) {
		got := s.settled(t, s.upload(t, "a.wav", []byte("hello")))
		if got.OverallStatus != client.UnableToEvaluate || got.ResultsSummary.Failure == nil || len(got.Models) != len(audio.Models()) {
			t.Errorf("got %s", got.Raw)
		}
	})
}

// filmed makes the analysis of videos find this, and their sound this.
func filmed(report video.Report, sound func(w io.Writer) error) func(*Sandbox) {
	return func(s *Sandbox) {
		s.analyseVideo = func(_ context.Context, _ string, finished func(forensics.Model)) (*video.Report, error) {
			for _, m := range report.Models {
				finished(m)
			}
			found := report
			return &found, nil
		}
		s.extractSound = func(_ context.Context, _ string, w io.Writer) error { return sound(w) }
	}
}

func clip(thumbnail image.Image) video.Report {
	score := 20.0
	var models []forensics.Model
	for i, name := range video.Models() {
		models = append(models, forensics.Model{Name: name, Status: forensics.Authentic, Score: &score, Ensemble: i == len(video.Models())-1})
	}
	return video.Report{
		Width: 640, Height: 360, Duration: 4, HasAudio: true, Status: forensics.Authentic, Score: &score, Models: models,
		Scenes:    []video.Segment{{Start: 0, End: 4, Score: &score, Decision: "AUTHENTIC"}},
		Frames:    []video.Frame{{Time: 1.5}},
		Facts:     map[string]any{"brands": []string{"isom"}},
		Thumbnail: thumbnail,
	}
}

func TestVideo(t *testing.T) {
	withSound := func(w io.Writer) error {
		_, err := w.Write(soundtest.Mono(16_000, soundtest.Tone(16_000, 440, 4, 0.37)...))
		return err
	}
	s := setup(t, filmed(clip(image.NewNRGBA(image.Rect(0, 0, 640, 360))), withSound))
	id := s.upload(t, "a clip.mp4", []byte("film"))
	got := s.settled(t, id)

	t.Run("its sound is a result of its own", func(t *testing.T) {
		if !bool(got.ShowAudioResult) || got.AudioRequestID == "" || got.AudioRequestID == id {
			t.Fatalf("got %s", got.Raw)
		}
		sound := s.result(t, got.AudioRequestID)
		if sound.MediaType != client.Audio || !sound.Final() || sound.OriginalFileName.String() != "a clip.wav" || sound.ResultsSummary.Metadata.Reasons[0].Code.String() != "detected" {
			t.Errorf("got %s", sound.Raw)
		}
		if original := s.send(t, http.MethodGet, sound.StorageLocation, nil, nil); !bytes.Equal(original.body, soundtest.Mono(16_000, soundtest.Tone(16_000, 440, 4, 0.37)...)) {
			t.Error("its original is something else")
		}
	})
	t.Run("a fault writes showAudioResult as a text", func(t *testing.T) {
		assert.Equal(t, "True", shaped(map[string]any{"showAudioResult": true}, EffectTextBool).(map[string]any)["showAudioResult"])
	})
	t.Run("both aggregations are linked", func(t *testing.T) {
		film := s.aggregation(t, got.ModelMetadataURL)
		wantKeys(t, film, "scenes", "frames", "models", "ensembles", "conclusions", "container")
		if frames, _ := film["frames"].([]any); len(frames) != 1 {
			t.Errorf("got %v", film)
		}
		wantKeys(t, s.aggregation(t, got.AudioModelMetadataURL), "chunks")
	})
	t.Run("its thumbnail is a small JPEG", func(t *testing.T) {
		answer := s.send(t, http.MethodGet, got.Thumbnail, nil, nil)
		facts, format, err := image.DecodeConfig(bytes.NewReader(answer.body))
		if err != nil || format != "jpeg" || facts.Width != thumbnailSide {
			t.Errorf("%d, %s %d × %d: %v", answer.status, format, facts.Width, facts.Height, err)
		}
	})
	t.Run("the list and the count of submissions have the video alone", func(t *testing.T) {
		listed := decode[resultList](t, s.call(t, http.MethodGet, "/api/v2/media/users", "").body)
		if len(listed.MediaList) != 1 || listed.MediaList[0].RequestID != id || s.Submissions() != 1 {
			t.Errorf("%d listed, %d submissions", len(listed.MediaList), s.Submissions())
		}
	})
	t.Run("both outlive a restart", func(t *testing.T) {
		s.stop()
		after := setupIn(t, s.dir, s.clock)
		film := after.result(t, id)
		sound := after.settled(t, film.AudioRequestID)
		if film.AudioRequestID != got.AudioRequestID || !sound.Final() {
			t.Errorf("got %s", film.Raw)
		}
	})
	t.Run("other bytes at the same address replace the sound and make no second one", func(t *testing.T) {
		length := 4.0
		s := setup(t, filmed(clip(nil), func(w io.Writer) error {
			_, err := w.Write(soundtest.Mono(16_000, soundtest.Tone(16_000, 440, length, 0.37)...))
			return err
		}))
		asked := s.ask(t, "a.mov")
		s.put(t, asked.Response.SignedURL, []byte("one"))
		before := s.settled(t, asked.RequestID)
		length = 1
		s.put(t, asked.Response.SignedURL, []byte("other"))
		after := s.settled(t, asked.RequestID)
		if after.AudioRequestID != before.AudioRequestID || s.result(t, after.AudioRequestID).ResultsSummary.Metadata.Reasons[0].Code.String() != "duration" {
			t.Errorf("got %s", after.Raw)
		}
	})
	t.Run("without a frame its thumbnail is empty", func(t *testing.T) {
		s := setup(t, filmed(clip(nil), withSound))
		if got := s.settled(t, s.upload(t, "a.mov", []byte("film"))); got.Thumbnail != "" || got.ModelMetadataURL == "" {
			t.Errorf("got %s", got.Raw)
		}
	})
	t.Run("a panic while its sound is taken out costs the sound alone", func(t *testing.T) {
		s := setup(t, filmed(clip(nil), func(io.Writer) error { panic("out of range") }))
		got := s.settled(t, s.upload(t, "a.mov", []byte("film")))
		if bool(got.ShowAudioResult) || got.OverallStatus != client.Authentic {
			t.Errorf("got %s", got.Raw)
		}
	})
	for what, cause := range map[string]error{
		"without ffmpeg": video.ErrNoFFmpeg, "without a sound track": video.ErrNoSoundTrack, "when its sound can't be decoded": io.ErrUnexpectedEOF,
	} {
		t.Run(what+" it has no audio result, and its own stands", func(t *testing.T) {
			s := setup(t, filmed(clip(nil), func(io.Writer) error { return cause }))
			got := s.settled(t, s.upload(t, "a.mov", []byte("film")))
			if bool(got.ShowAudioResult) || got.AudioRequestID != "" || got.AudioModelMetadataURL != "" || got.OverallStatus != client.Authentic {
				t.Errorf("got %s", got.Raw)
			}
		})
	}
	t.Run("bytes that are no video are UNABLE_TO_EVALUATE", func(t *testing.T) {
		s := setup(t)
		got := s.settled(t, s.upload(t, "a.mp4", []byte("hello")))
		if got.OverallStatus != client.UnableToEvaluate || got.ResultsSummary.Failure == nil || slices.ContainsFunc(got.Models, func(m client.Model) bool { return m.Status != client.UnableToEvaluate }) {
			t.Errorf("got %s", got.Raw)
		}
	})
}
