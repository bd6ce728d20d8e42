//go:build e2e && linux

package exhibit

// statement is what voices read.
const statement = "The harbour stays closed until Monday. Nobody has been hurt, and the fire is under control. " +
	"We ask everybody to keep away from the northern pier. More will be said tomorrow morning, at nine, in the town hall."

// audioModels are the rows of a recording's answer.
func audioModels(status string, ensemble float64) []Model {
	return []Model{
		judged("svc-aud-ensemble", status, ensemble),
		judged("svc-everest-aud", status, min(ensemble+4, 99.4)).rolling(max(ensemble-9, 0.5)),
		judged("svc-slim-aud", status, max(ensemble-7, 0.6)),
		apart("svc-oak-img"), apart("svc-llm-txt"),
	}
}

// chunk is a stretch of a recording of which something was reported.
func chunk(start, end float64, status string, everest, slim float64) map[string]any {
	c := map[string]any{"start": start, "end": end}
	if status != "" {
		c["decision"] = status
	}
	if everest > 0 {
		c["scores"] = map[string]float64{"svc-everest-aud": everest}
		c["score"] = everest
	}
	if slim > 0 {
		c["scores"] = map[string]float64{"svc-everest-aud": everest, "svc-slim-aud": slim}
	}
	return c
}

// audioParts is a recording's aggregation JSON.
func audioParts(chunks ...map[string]any) map[string]any {
	return map[string]any{
		"chunks": chunks, "languages": []string{"English"}, "duration": 12.4, "sampleRate": 22050, "channels": 1,
		"conclusions": map[string]string{"svc-everest-aud": "The breathing between sentences is missing."},
		"models":      []map[string]any{{"name": "svc-everest-aud", "status": Fake, "score": 95}},
		"ensembles":   []map[string]any{{"name": "svc-aud-ensemble", "status": Fake, "score": 91}},
	}
}

// spoken are the chunks of a voice that was cloned: one stretch is not reported, one without a score, one without a decision.
func spoken() map[string]any {
	return audioParts(chunk(0, 1.5, Authentic, 12, 0), chunk(1.5, 3, Authentic, 9, 0), chunk(3, 4.5, Fake, 97, 93), chunk(4.5, 6, Fake, 91, 88),
		chunk(6, 7.5, Suspicious, 55, 0), chunk(9, 10.5, "", 14, 0), chunk(10.5, 12, Fake, 0, 0))
}

// recordings are the exhibits of sound.
func (s *studio) recordings() []*Exhibit {
	voice := s.speech("en-gb", statement)
	made := func(key, name, extension string, a Answer, arguments ...string) *Exhibit {
		content, as := s.encoded(voice, extension, append([]string{"-metadata", "title=" + key}, arguments...)...)
		if as == ".wav" { // the same words again are another file by a few bytes behind its end
			content = append(content, key...)
		}
		return &Exhibit{Key: key, Name: name + as, Content: content, Answer: a}
	}
	unclear := notAssessed("AUDIO", []Model{apart("svc-aud-ensemble"), apart("svc-everest-aud"), apart("svc-slim-aud")},
		Reason{"cross-talk", "More than one speaker was detected over most of the recording, so that it can't be told whose voice would be judged; " +
			"the second speaker begins at second 3 and is heard until the end."},
		Reason{"quality", "The recording is too noisy: the noise floor lies 8 dB below the voice, where at least 20 dB are needed for any of the models to work as they were tested."},
		Reason{"language", "The audio is more likely in another language, Ukrainian, than in any of those that the models were trained for: English, Spanish, Portuguese."})
	running := answer("AUDIO", Suspicious, unscored("svc-aud-ensemble", Analyzing), judged("svc-everest-aud", Suspicious, 58), unscored("svc-slim-aud", Analyzing))
	return []*Exhibit{
		made("audio-fake", "voice note 18-22", ".mp3", answer("AUDIO", Fake, audioModels(Fake, 91)...).heard("English")).aggregated(spoken()),
		made("audio-suspicious", "interview, part 2", ".ogg", answer("AUDIO", Suspicious, audioModels(Suspicious, 52)...).heard("English", "Spanish", "Portuguese")).
			aggregated(audioParts(chunk(0, 6, Suspicious, 52, 0), chunk(6, 12, Suspicious, 61, 0))),
		made("audio-authentic", "town hall", ".flac", answer("AUDIO", Authentic, audioModels(Authentic, 3)...).heard("English")).
			aggregated(audioParts(chunk(0, 12, Authentic, 3, 0))),
		made("audio-not-applicable", "lift", ".wav", notAssessed("AUDIO", []Model{apart("svc-aud-ensemble"), apart("svc-everest-aud")}, Reason{"detected", "Dial tone and/or music detected."})),
		made("audio-three-reasons", "square at night", ".m4a", unclear),
		made("audio-not-evaluated", "hotline", ".aac", notEvaluated("AUDIO", failed("svc-aud-ensemble"), failed("svc-everest-aud"))),
		made("audio-provisional", "call 0412", ".mp3", running),
		made("audio-unknown-status", "memo", ".ogg", answer("AUDIO", Unheard, judged("svc-aud-ensemble", Unheard, 50))),
	}
}
