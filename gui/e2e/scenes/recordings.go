package scenes

import "path/filepath"

// statement is the text that voices read.
const statement = "The harbour stays closed until Monday. Nobody has been hurt, and the fire is under control. " +
	"We ask everybody to keep away from the northern pier. More will be said tomorrow morning, at nine, in the town hall."

// audioModels are the models of a recording's answer.
func audioModels(status string, ensemble float64) []Model {
	return []Model{
		decided("svc-aud-ensemble", status, ensemble),
		decided("svc-everest-aud", status, min(ensemble+4, 99.4)).rolling(max(ensemble-9, 0.5)),
		decided("svc-slim-aud", status, max(ensemble-7, 0.6)),
		notApplicable("svc-oak-img"), notApplicable("svc-llm-txt"),
	}
}

// chunk is a stretch of a recording in the aggregation JSON.
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

// spoken are the chunks of a cloned voice: one stretch is not reported, one has no score, one no decision.
func spoken() map[string]any {
	return audioParts(chunk(0, 1.5, Authentic, 12, 0), chunk(1.5, 3, Authentic, 9, 0), chunk(3, 4.5, Fake, 97, 93), chunk(4.5, 6, Fake, 91, 88),
		chunk(6, 7.5, Suspicious, 55, 0), chunk(9, 10.5, "", 14, 0), chunk(10.5, 12, Fake, 0, 0))
}

// recordings makes the scenes with recordings.
func (t *tools) recordings() []*Scene {
	voice := t.speech("en-gb", statement)
	made := func(key, name, extension string, a Answer, arguments ...string) *Scene {
		content, as := t.encoded(voice, extension, append([]string{"-metadata", "title=" + key}, arguments...)...)
		if as == ".wav" { // some bytes after its end make the same speech another file
			content = append(content, key...)
		}
		return &Scene{Key: key, Name: name + as, Content: content, Answer: a}
	}
	unclear := withReasons("AUDIO", []Model{notApplicable("svc-aud-ensemble"), notApplicable("svc-everest-aud"), notApplicable("svc-slim-aud")},
		Reason{"cross-talk", "More than one speaker was detected over most of the recording, so that it can't be told whose voice would be judged; " +
			"the second speaker begins at second 3 and is heard until the end."},
		Reason{"quality", "The recording is too noisy: the noise floor lies 8 dB below the voice, where at least 20 dB are needed for any of the models to work as they were tested."},
		Reason{"language", "The audio is more likely in another language, Ukrainian, than in any of those that the models were trained for: English, Spanish, Portuguese."})
	running := answer("AUDIO", Suspicious, unscored("svc-aud-ensemble", Analyzing), decided("svc-everest-aud", Suspicious, 58), unscored("svc-slim-aud", Analyzing))
	return []*Scene{
		made("audio-fake", "voice note 18-22", ".mp3", answer("AUDIO", Fake, audioModels(Fake, 91)...).withLanguages("English")).aggregated(spoken()),
		made("audio-suspicious", "interview, part 2", ".ogg", answer("AUDIO", Suspicious, audioModels(Suspicious, 52)...).withLanguages("English", "Spanish", "Portuguese")).
			aggregated(audioParts(chunk(0, 6, Suspicious, 52, 0), chunk(6, 12, Suspicious, 61, 0))),
		made("audio-authentic", "town hall", ".flac", answer("AUDIO", Authentic, audioModels(Authentic, 3)...).withLanguages("English")).
			aggregated(audioParts(chunk(0, 12, Authentic, 3, 0))),
		made("audio-not-applicable", "lift", ".wav", withReasons("AUDIO", []Model{notApplicable("svc-aud-ensemble"), notApplicable("svc-everest-aud")}, Reason{"detected", "Dial tone and/or music detected."})),
		made("audio-three-reasons", "square at night", ".m4a", unclear),
		made("audio-not-evaluated", "hotline", ".aac", notEvaluated("AUDIO", failed("svc-aud-ensemble"), failed("svc-everest-aud"))),
		made("audio-provisional", "call 0412", ".mp3", running),
		made("audio-unknown-status", "memo", ".ogg", answer("AUDIO", Unknown, decided("svc-aud-ensemble", Unknown, 50))),
	}
}

// videoModels are the models of a clip's answer.
func videoModels(status string, ensemble float64) []Model {
	return []Model{
		decided("svc-vid-ensemble", status, ensemble),
		decided("svc-erie-vid", status, max(ensemble-2, 0.5)).rolling(ensemble),
		decided("svc-tahoe-vid", status, min(ensemble+3, 99.5)),
		failed("svc-dynamics-vid"),
		notApplicable("svc-oak-img"), notApplicable("svc-llm-txt"),
	}
}

// videoParts is a clip's aggregation JSON: three scenes, of which one is not reported, a frame each second, and a face tube.
func videoParts(width, height int, status string, score float64) map[string]any {
	var frames []map[string]any
	for i := range 12 {
		f := map[string]any{"time": float64(i) + 0.25, "decision": status, "score": score + float64(i%4)}
		if i == 5 {
			f = map[string]any{"time": float64(i) + 0.25}
		}
		if i != 8 {
			frames = append(frames, f)
		}
	}
	return map[string]any{
		"scenes": []map[string]any{{"start": 0, "end": 3.5, "score": score, "decision": status}, {"start": 3.5, "end": 7, "score": score + 3, "decision": status},
			{"start": 9, "end": 12.4, "score": score + 1}},
		"frames": frames,
		"tubes":  []map[string]any{{"start": 1, "end": 6.5, "decision": status, "score": score, "label": "face 1"}},
		"width":  width, "height": height, "duration": 12.4,
		"conclusions": map[string]string{"svc-erie-vid": "No seams between frames."},
		"models":      []map[string]any{{"name": "svc-erie-vid", "status": status, "score": score}},
		"ensembles":   []map[string]any{{"name": "svc-vid-ensemble", "status": status, "score": score}},
	}
}

// clips makes the scenes with clips, which have no content if ffmpeg is missing. pictures is a folder.
func (t *tools) clips(pictures string) []*Scene {
	voice := t.speech("en-us", statement)
	still := func(name string) string { return filepath.Join(pictures, name) }
	wide := t.clip(still("mountains.jpg"), voice, 960, 540)
	again := func(key string) []byte { return append(append([]byte{}, wide...), freeBox(key)...) }
	cloned := &Scene{Key: "video-voice-clone", Name: "press-call-0412.mp4", Content: wide, Answer: answer("VIDEO", Authentic, videoModels(Authentic, 6)...)}
	cloned.aggregated(videoParts(960, 540, Authentic, 6)).with(thumbnailFile, smaller(t.read(still("mountains.jpg"))))
	cloned.Sound = (&Scene{Key: "video-voice-clone-sound", Content: t.read(voice), Answer: answer("AUDIO", Fake, audioModels(Fake, 91)...).withLanguages("English")}).aggregated(spoken())
	upright := &Scene{Key: "video-fake-upright", Name: "WhatsApp Video 2026-04-12 at 17.45.01.mp4", Content: t.clip(still("dogs-portrait.jpg"), voice, 360, 640),
		Answer: answer("VIDEO", Fake, videoModels(Fake, 88)...)}
	upright.aggregated(videoParts(360, 640, Fake, 86))
	upright.Sound = (&Scene{Key: "video-fake-upright-sound", Content: append(t.read(voice), '2'), Answer: withReasons("AUDIO",
		[]Model{notApplicable("svc-aud-ensemble"), notApplicable("svc-everest-aud")}, Reason{"detected", "Dial tone and/or music detected."})})
	silent := &Scene{Key: "video-suspicious-silent", Name: "satellite still.mov", Content: t.clip(still("peaks-composite.jpg"), "", 640, 480),
		Answer: answer("VIDEO", Suspicious, videoModels(Suspicious, 55)...)}
	silent.aggregated(map[string]any{"scenes": []map[string]any{{"start": 0, "end": 8, "score": 55, "decision": Suspicious}}})
	return []*Scene{cloned, upright, silent,
		{Key: "video-authentic-no-parts", Name: "lift.mp4", Content: again("a"), Answer: answer("VIDEO", Authentic, videoModels(Authentic, 3)...)},
		{Key: "video-not-applicable", Name: "test card.mp4", Content: again("n"), Answer: withReasons("VIDEO", []Model{notApplicable("svc-vid-ensemble"), notApplicable("svc-erie-vid")})},
		{Key: "video-not-evaluated", Name: "interview-full.mov", Content: again("u"), Answer: notEvaluated("VIDEO", failed("svc-vid-ensemble"), failed("svc-erie-vid"))},
		{Key: "video-provisional", Name: "live 0412.mp4", Content: again("p"), Answer: answer("VIDEO", Fake, unscored("svc-vid-ensemble", Analyzing),
			decided("svc-erie-vid", Fake, 90), unscored("svc-tahoe-vid", Analyzing))},
		{Key: "video-unknown-status", Name: "loop.mp4", Content: again("?"), Answer: answer("VIDEO", Unknown, decided("svc-vid-ensemble", Unknown, 50))},
		{Key: "video-broken", Name: "broken off.mp4", Content: wide[:len(wide)/3], Answer: answer("VIDEO", Fake, videoModels(Fake, 81)...)},
	}
}

// freeBox is an MP4 box that readers skip, so that the same clip becomes another file.
func freeBox(key string) []byte {
	return append([]byte{0, 0, 0, byte(8 + len(key)), 'f', 'r', 'e', 'e'}, key...)
}
