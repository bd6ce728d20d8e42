package store_test

import (
	"io"
	"runtime"
	"slices"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/events"
	"assay/client/store"
	"assay/client/submission"
)

// clip is an answered clip whose sound has a result of its own.
func clip(t *testing.T, id string, status client.Status) submission.Submission {
	t.Helper()
	sub := answered(t, id, status)
	sub.Type = client.Video
	sub.Result = result(t, `{"requestId": "request-`+id+`", "mediaType": "VIDEO", "overallStatus": "`+string(status)+
		`", "showAudioResult": true, "audioRequestId": "sound-`+id+`", "releaseVersion": "2.1"}`)
	return sub
}

const said = `{"requestId": "sound", "mediaType": "AUDIO", "overallStatus": "FAKE", "resultsSummary": {"metadata": {"finalScore": 91}}, "storageLocation": "https://storage.example/s?X-Sig=secret"}`

func voice(t *testing.T, status client.Status) *client.Result {
	t.Helper()
	return result(t, `{"requestId": "sound", "mediaType": "AUDIO", "overallStatus": "`+string(status)+`"}`)
}

func TestTheAnswerOnAClipsVoice(t *testing.T) {
	folder := t.TempDir()
	hub := new(events.Hub)
	s := open(t, folder, store.Options{Events: hub})
	again := waiting("again") // a duplicate, which shows the clip's answer
	again.State, again.Earlier = submission.Done, "a"
	add(t, s, clip(t, "a", client.Authentic), clip(t, "b", client.Authentic), again)
	changes := hub.Subscribe()
	assert.NoError(t, s.AnswerVoice(t.Context(), "request-a", result(t, said)))
	told := changes.Take()
	ids := told.IDs(events.Submission)
	slices.Sort(ids)
	assert.Equal(t, []string{"a", "again"}, ids)
	assert.True(t, told.Has(events.Results), "lists are not told")

	const kept = `{"requestId": "sound", "mediaType": "AUDIO", "overallStatus": "FAKE", "resultsSummary": {"metadata": {"finalScore": 91}}, "storageLocation": "https://storage.example/s?…"}`
	read := func(t *testing.T, s *store.Store) {
		t.Helper()
		answers, err := s.Answers(t.Context(), []string{"a", "b"})
		assert.NoError(t, err)
		alone, err := s.Voice(t.Context(), "request-a")
		assert.NoError(t, err)
		for where, r := range map[string]*client.Result{"of the submission": get(t, s, "a").Result.Voice, "in a list": answers["a"].Voice, "alone": alone} {
			assert.True(t, r != nil && string(r.Raw) == kept, "%s it is %v", where, r)
		}
		none, err := s.Voice(t.Context(), "request-b")
		assert.True(t, none == nil && answers["b"].Voice == nil && err == nil, "b has none: %v, %v", none, err)
	}
	t.Run("is read with the clip's, without the queries of its links", func(t *testing.T) { read(t, s) })
	assert.NoError(t, s.Close())
	s = open(t, folder, store.Options{})
	t.Run("outlives the run", func(t *testing.T) { read(t, s) })
	t.Run("goes with the answer that it was to", func(t *testing.T) {
		later := clip(t, "a", client.Authentic)
		assert.NoError(t, s.Answer(t.Context(), later, "answered"))
		got, err := s.Voice(t.Context(), "request-a")
		assert.True(t, got == nil && err == nil, "it is still %v, %v", got, err)
	})
	t.Run("to a clip that is not here is nobody's", func(t *testing.T) {
		assert.NoError(t, s.AnswerVoice(t.Context(), "request-elsewhere", result(t, said)))
	})
}

func TestAClipWhoseVoiceDiffersNeedsAHumanFirst(t *testing.T) {
	s := setup(t)
	order := func() (ids []string) {
		rows, err := s.PageAt(t.Context(), store.Query{Order: store.HumanFirst}, 0, 20)
		assert.NoError(t, err)
		for i, r := range rows {
			ids = append(ids, r.ID)
			place, ok, err := s.Place(t.Context(), store.Query{Order: store.HumanFirst}, r.ID)
			assert.True(t, place == i && ok && err == nil, "%s is at %d and found at %d, %v", r.ID, i, place, err)
		}
		return ids
	}
	add(t, s, clip(t, "genuine", client.Authentic), clip(t, "cloned voice", client.Authentic), clip(t, "music", client.Authentic), clip(t, "fake", client.Fake),
		clip(t, "swapped face", client.Fake), clip(t, "no face", client.NotApplicable), clip(t, "suspicious", client.Suspicious))
	assert.Equal(t, []string{"suspicious", "no face", "swapped face", "fake", "music", "cloned voice", "genuine"}, order())
	for id, status := range map[string]client.Status{"genuine": client.Authentic, "cloned voice": client.Fake, "music": client.NotApplicable, "fake": client.Fake,
		"swapped face": client.Authentic, "no face": client.Suspicious} {
		assert.NoError(t, s.AnswerVoice(t.Context(), "request-"+id, voice(t, status)))
	}
	assert.Equal(t, []string{"suspicious", "no face", "swapped face", "cloned voice", "fake", "music", "genuine"}, order())
}

func TestVoicesThatAnEarlierVersionHadInTheVaultAlone(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, store.Options{})
	add(t, s, clip(t, "a", client.Authentic), clip(t, "b", client.Authentic), clip(t, "c", client.Authentic))
	for request, text := range map[string]string{"request-a": said, "request-b": "no JSON", "request-c": `{"overallStatus": "ANALYZING"}`} {
		_, err := s.Keep(t.Context(), request, "audio-result", "", func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		assert.NoError(t, err)
	}
	assert.NoError(t, s.Close())
	tamper(t, folder, "DELETE FROM facts")
	s = open(t, folder, store.Options{})
	for done := ""; done == ""; runtime.Gosched() { // it is done beside everything else
		var err error
		done, err = s.Fact(t.Context(), "voices filed")
		assert.NoError(t, err)
	}
	if got := get(t, s, "a").Result.Voice; got == nil || got.Status() != client.Fake {
		t.Errorf("it is %v", got)
	}
	for _, id := range []string{"b", "c"} {
		if got := get(t, s, id).Result.Voice; got != nil {
			t.Errorf("of %s it is %v", id, got)
		}
	}
}
