// Package scenes lists what results can look like: media of every kind with answers of every status, and extreme cases for the viewer. The tour serves
// these answers on loopback and shows each in the program; galleries of tests draw only the answers. The answers are invented. It imports
// client/media/sound/soundtest and the standard library.
package scenes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scene is a file, and the service's answer to it.
type Scene struct {
	// Key identifies it in the names of screenshots.
	Key string
	// Name is the file's name, with its extension.
	Name      string
	Content   []byte
	Answer    Answer
	Artifacts map[string][]byte // by their path below the object's URL, such as aggregation.json
	// Sound is the answer to a clip's extracted sound, nil for none.
	Sound *Scene
	// Removed is whether neither the service nor the person has the original any more.
	Removed bool
	// Later is the answer to a further upload of the same bytes, nil for the same one.
	Later *Scene
	// Refused is the error message to any feedback on it; "" accepts feedback.
	Refused string
}

// The paths below an object's URL.
const (
	aggregationFile = "aggregation.json"
	explanationFile = "explanation.html"
	thumbnailFile   = "thumbnail.jpg"
	heatmapsFolder  = "heatmaps/"
)

// Final reports whether the answer will not change any more: no model is running, and its status is known to be final.
func (e *Scene) Final() bool {
	if e.Answer.OverallStatus == Unknown {
		return false
	}
	for _, m := range e.Answer.Models {
		if m.Status == Analyzing {
			return false
		}
	}
	return true
}

// Write writes the file into a folder, which is created if it does not exist.
func (e *Scene) Write(folder string) (path string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("scene %s: %w", e.Key, err)
	}
	path = filepath.Join(folder, e.Name)
	if err := os.WriteFile(path, e.Content, 0o600); err != nil {
		return "", fmt.Errorf("scene %s: %w", e.Key, err)
	}
	return path, nil
}

// with adds an artifact.
func (e *Scene) with(name string, content []byte) *Scene {
	if e.Artifacts == nil {
		e.Artifacts = map[string][]byte{}
	}
	e.Artifacts[name] = content
	return e
}

// aggregated adds the aggregation JSON.
func (e *Scene) aggregated(of any) *Scene {
	content, err := json.MarshalIndent(of, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("scene %s: %v", e.Key, err)) // it consists of maps, lists, strings and finite numbers
	}
	return e.with(aggregationFile, content)
}

// All makes every scene, from the pictures of a folder and media that this computer's tools can make; clips need ffmpeg.
func All(ctx context.Context, pictures string) ([]*Scene, error) {
	return inFolder(func(scratch string) ([]*Scene, error) {
		t := newTools(ctx, scratch)
		all, err := scenes(pictures, t)
		if !t.ffmpeg {
			all = slices.DeleteFunc(all, func(s *Scene) bool { return s.Answer.MediaType == "VIDEO" })
		}
		return all, err
	})
}

// Answers makes every scene without running media tools, for showing only the answers: the media are placeholders.
func Answers(ctx context.Context, pictures string) ([]*Scene, error) {
	return inFolder(func(scratch string) ([]*Scene, error) { return scenes(pictures, &tools{ctx: ctx, folder: scratch}) })
}

func scenes(pictures string, t *tools) (all []*Scene, err error) {
	p := &photos{folder: pictures}
	for _, some := range [][]*Scene{p.pictures(), t.recordings(), t.clips(pictures), texts()} {
		all = append(all, some...)
	}
	if err := errors.Join(t.err, p.err); err != nil {
		return nil, fmt.Errorf("scenes: %w", err)
	}
	return all, nil
}

// inFolder calls do with a temporary folder, which it removes afterwards.
func inFolder[Made any](do func(scratch string) (Made, error)) (made Made, err error) {
	scratch, err := os.MkdirTemp("", "assay-scenes-")
	if err != nil {
		return made, fmt.Errorf("folder for media: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	return do(scratch)
}

// Samples writes a recording, a clip and a text into a folder, for real analysers; it leaves out what this computer can't make.
func Samples(ctx context.Context, pictures, folder string) (paths []string, err error) {
	return inFolder(func(scratch string) ([]string, error) {
		t := newTools(ctx, scratch)
		voice := t.speech("en-gb", statement)
		sound, as := t.encoded(voice, ".mp3")
		samples := []*Scene{{Key: "text", Name: "statement.txt", Content: []byte(strings.Join(english, ""))}, {Key: "recording", Name: "voice note" + as, Content: sound}}
		if t.ffmpeg {
			samples = append(samples, &Scene{Key: "clip", Name: "press call.mp4", Content: t.clip(filepath.Join(pictures, "mountains.jpg"), voice, 480, 270)})
		}
		if t.err != nil {
			return nil, fmt.Errorf("samples: %w", t.err)
		}
		for _, s := range samples {
			path, err := s.Write(folder)
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
		return paths, nil
	})
}

func textModels(status string, score float64) []Model {
	return []Model{decided("svc-llm-txt", status, score), notApplicable("svc-oak-img"), notApplicable("svc-slim-aud")}
}

// page is an explainability page with a mark on each sentence that has a score. It also has content that must not be run or loaded.
func page(direction string, sentences []string, scores ...float64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html><head><title>Explanation</title><style>body{font-family:serif}</style>"+
		"<script>document.title='run'</script></head><body><h1>Where the model reacted</h1><p dir=%q>", direction)
	for i, sentence := range sentences {
		text := html.EscapeString(sentence) + " "
		if i < len(scores) && scores[i] > 0 {
			text = fmt.Sprintf("<span style=\"background-color: rgba(255,120,0,%.2f)\" data-score=\"%.2f\">%s</span>", scores[i], scores[i], text)
		}
		b.WriteString(text)
	}
	b.WriteString("</p><img src=\"https://example.org/pixel.png\"></body></html>")
	return []byte(b.String())
}

var (
	english = strings.SplitAfter("The harbour authority said on Sunday that nothing of the kind had happened. It is important to note that the situation "+
		"remains fluid. Witnesses described a loud noise shortly after four in the afternoon. In conclusion, the interplay of these factors underscores the "+
		"need for a comprehensive approach. Two ferries were sent back to the mainland. Moreover, stakeholders must navigate a complex landscape. "+
		"A spokesperson declined to say who had ordered the evacuation.", ". ")
	arabic = strings.SplitAfter("قالت سلطة الميناء يوم الأحد إن شيئًا من ذلك لم يحدث. من المهم ملاحظة أن الوضع لا يزال متغيرًا. "+
		"وصف شهود عيان دوي انفجار قوي بعد الرابعة عصرًا بقليل. أعيدت عبّارتان إلى البر الرئيسي. ورفض متحدث باسم السلطة (Harbour Authority) التعليق.", ". ")
	chinese = strings.SplitAfter("港务局周日表示，此类事件并未发生。值得注意的是，局势仍在变化。目击者称，下午四点过后不久听到一声巨响。两艘渡轮被遣返大陆。发言人拒绝说明是谁下令疏散。", "。")
)

// texts makes the scenes with texts.
func texts() []*Scene {
	of := func(key, name, content string, a Answer) *Scene {
		return &Scene{Key: key, Name: name, Content: []byte(content), Answer: a}
	}
	long := strings.Repeat(strings.Join(english, "")+"\n\n", 12)
	scored, score := answer("TEXT", Fake, textModels(Fake, 94)...).withLanguages("English"), 93.6
	scored.ResultsSummary.Metadata.FinalScore = &score
	return []*Scene{
		of("text-fake", "statement.txt", long, scored).
			with(explanationFile, page("ltr", strings.SplitAfter(strings.ReplaceAll(long, "\n\n", " "), ". "), 0, 0.81, 0, 0.97, 0.22, 0.93, 0, 0, 0.6)).
			aggregated(map[string]any{"models": []map[string]any{{"name": "svc-llm-txt", "status": Fake, "score": 94}}, "ensembles": []any{},
				"conclusions": map[string]string{"svc-llm-txt": "Even sentence lengths, few surprises."}}),
		of("text-suspicious-arabic", "بيان.txt", strings.Join(arabic, ""), answer("TEXT", Suspicious, textModels(Suspicious, 57)...)).
			with(explanationFile, page("rtl", arabic, 0, 0.8, 0, 0.4)),
		of("text-authentic-chinese", "声明.txt", strings.Join(chinese, ""), answer("TEXT", Authentic, textModels(Authentic, 8)...)).
			with(explanationFile, page("ltr", chinese, 0, 0.12)),
		of("text-not-applicable", "caption.txt", "Harbour, Sunday.", withReasons("TEXT", []Model{notApplicable("svc-llm-txt")},
			Reason{"length", "The text is too short to be judged."})),
		of("text-not-evaluated", "minutes.txt", strings.Join(english[:4], ""), notEvaluated("TEXT", failed("svc-llm-txt"))),
		of("text-provisional", "translation.txt", strings.Join(english[:5], ""), answer("TEXT", Authentic, unscored("svc-llm-txt", Analyzing))),
		of("text-unknown-status", "draft.txt", strings.Join(english[:3], ""), answer("TEXT", Unknown, decided("svc-llm-txt", Unknown, 50))),
		of("text-no-page", "speech.txt", strings.Join(english[1:], ""), answer("TEXT", Fake, textModels(Fake, 71)...)),
	}
}
