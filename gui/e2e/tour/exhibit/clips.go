//go:build e2e && linux

package exhibit

import "path/filepath"

// videoModels are the rows of a clip's answer.
func videoModels(status string, ensemble float64) []Model {
	return []Model{
		judged("svc-vid-ensemble", status, ensemble),
		judged("svc-erie-vid", status, max(ensemble-2, 0.5)).rolling(ensemble),
		judged("svc-tahoe-vid", status, min(ensemble+3, 99.5)),
		failed("svc-dynamics-vid"),
		apart("svc-oak-img"), apart("svc-llm-txt"),
	}
}

// videoParts is a clip's aggregation JSON: three scenes, of which one is not reported, a frame each second, and a face that was followed.
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

// clips are the exhibits of clips, none where ffmpeg is missing. Pictures are taken from a folder.
func (s *studio) clips(pictures string) []*Exhibit {
	if !s.ffmpeg {
		return nil
	}
	voice := s.speech("en-us", statement)
	still := func(name string) string { return filepath.Join(pictures, name) }
	wide := s.clip(still("mountains.jpg"), voice, 960, 540)
	again := func(key string) []byte { return append(append([]byte{}, wide...), freeBox(key)...) }
	cloned := &Exhibit{Key: "video-voice-clone", Name: "press-call-0412.mp4", Content: wide, Answer: answer("VIDEO", Authentic, videoModels(Authentic, 6)...)}
	cloned.aggregated(videoParts(960, 540, Authentic, 6)).with(thumbnailFile, smaller(s.read(still("mountains.jpg"))))
	cloned.Sound = (&Exhibit{Key: "video-voice-clone-sound", Content: s.read(voice), Answer: answer("AUDIO", Fake, audioModels(Fake, 91)...).heard("English")}).aggregated(spoken())
	upright := &Exhibit{Key: "video-fake-upright", Name: "WhatsApp Video 2026-04-12 at 17.45.01.mp4", Content: s.clip(still("dogs-portrait.jpg"), voice, 360, 640),
		Answer: answer("VIDEO", Fake, videoModels(Fake, 88)...)}
	upright.aggregated(videoParts(360, 640, Fake, 86))
	upright.Sound = (&Exhibit{Key: "video-fake-upright-sound", Content: append(s.read(voice), '2'), Answer: notAssessed("AUDIO",
		[]Model{apart("svc-aud-ensemble"), apart("svc-everest-aud")}, Reason{"detected", "Dial tone and/or music detected."})})
	silent := &Exhibit{Key: "video-suspicious-silent", Name: "satellite still.mov", Content: s.clip(still("peaks-composite.jpg"), "", 640, 480),
		Answer: answer("VIDEO", Suspicious, videoModels(Suspicious, 55)...)}
	silent.aggregated(map[string]any{"scenes": []map[string]any{{"start": 0, "end": 8, "score": 55, "decision": Suspicious}}})
	return []*Exhibit{cloned, upright, silent,
		{Key: "video-authentic-no-parts", Name: "lift.mp4", Content: again("a"), Answer: answer("VIDEO", Authentic, videoModels(Authentic, 3)...)},
		{Key: "video-not-applicable", Name: "test card.mp4", Content: again("n"), Answer: notAssessed("VIDEO", []Model{apart("svc-vid-ensemble"), apart("svc-erie-vid")})},
		{Key: "video-not-evaluated", Name: "interview-full.mov", Content: again("u"), Answer: notEvaluated("VIDEO", failed("svc-vid-ensemble"), failed("svc-erie-vid"))},
		{Key: "video-provisional", Name: "live 0412.mp4", Content: again("p"), Answer: answer("VIDEO", Fake, unscored("svc-vid-ensemble", Analyzing),
			judged("svc-erie-vid", Fake, 90), unscored("svc-tahoe-vid", Analyzing))},
		{Key: "video-unknown-status", Name: "loop.mp4", Content: again("?"), Answer: answer("VIDEO", Unheard, judged("svc-vid-ensemble", Unheard, 50))},
		{Key: "video-broken", Name: "broken off.mp4", Content: wide[:len(wide)/3], Answer: answer("VIDEO", Fake, videoModels(Fake, 81)...)},
	}
}

// freeBox is a box that readers of MP4 skip, so that the same clip is another file.
func freeBox(key string) []byte {
	return append([]byte{0, 0, 0, byte(8 + len(key)), 'f', 'r', 'e', 'e'}, key...)
}
