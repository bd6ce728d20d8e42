//go:build e2e && linux

package exhibit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// gallery holds pictures to make exhibits of. Its error is the first.
type gallery struct {
	folder string
	made   int
	err    error
}

// picture is a file of the gallery; a few bytes behind its end, which no reader minds, make each use another file.
func (g *gallery) picture(name string) []byte {
	content, err := os.ReadFile(filepath.Join(g.folder, name))
	if g.err == nil {
		g.err = err
	}
	g.made++
	return fmt.Appendf(content, "%d", g.made)
}

// imageModels are the rows of a picture's answer.
func imageModels(status string, ensemble float64) []Model {
	other := status
	if status == Suspicious {
		other = Fake
	}
	return []Model{
		judged("svc-img-ensemble", status, ensemble),
		judged("svc-oak-img", other, min(ensemble+5.4, 99.4)),
		judged("svc-cedar-img", status, max(ensemble-7.2, 0.6)),
		judged("svc-elm-img", Authentic, 12.3),
		failed("svc-context-img"),
		apart("svc-slim-aud"), apart("svc-llm-txt"), apart("svc-erie-vid"),
	}
}

// pictures are the exhibits of pictures.
func (g *gallery) pictures() []*Exhibit {
	fake := g.flagged()
	turned := &Exhibit{Key: "image-authentic-turned", Name: "IMG_2047.jpg", Content: g.picture("dogs-portrait.jpg"),
		Answer: answer("IMAGE", Authentic, imageModels(Authentic, 4)...)}
	turned.aggregated(imageParts(1202, 800, box(Authentic, 120, 140, 480, 140, 480, 520, 120, 520)))
	suspicious := &Exhibit{Key: "image-suspicious", Name: "Überschwemmung Elbe (1).jpg", Content: g.picture("peaks-composite.jpg"),
		Answer:  answer("IMAGE", Suspicious, imageModels(Suspicious, 61)...),
		Refused: "You are not authorized to create feedback for this media result!"}
	suspicious.with(heatmapsFolder+"svc-oak-img.png", heatmap(300, 225, glow{0.3, 0.5, 0.2, 0.9}))
	faceless := &Exhibit{Key: "image-not-applicable", Name: "dandelion.webp", Content: g.picture("dandelion.webp"),
		Answer: notAssessed("IMAGE", []Model{apart("svc-img-ensemble"), apart("svc-oak-img"), apart("svc-cedar-img")},
			Reason{"relevance", "No faces detected, or the faces are too small."})}
	broken := &Exhibit{Key: "image-not-evaluated", Name: "crowd-wide.jpg", Content: g.picture("mountains.jpg"),
		Answer: notEvaluated("IMAGE", failed("svc-img-ensemble"), failed("svc-oak-img"), failed("svc-cedar-img"))}
	provisional := &Exhibit{Key: "image-provisional", Name: "stadium.jpg", Content: g.picture("mountains-spliced.jpg"),
		Answer: answer("IMAGE", Fake, unscored("svc-img-ensemble", Analyzing), judged("svc-oak-img", Fake, 91.7),
			unscored("svc-cedar-img", Analyzing), unscored("svc-elm-img", Analyzing), apart("svc-llm-txt"))}
	unheard := &Exhibit{Key: "image-unknown-status", Name: "poster, as posted.png", Content: g.picture("poster.png"),
		Answer: answer("IMAGE", Unheard, judged("svc-img-ensemble", Unheard, 50), judged("svc-oak-img", Unheard, 48))}
	return []*Exhibit{fake, suspicious, turned, faceless, broken, provisional, unheard, g.manyModels(), g.otherShape(), g.strip(), g.removed(),
		g.named("image-name-arabic", "صورة من الميناء بعد الحريق.jpg"), g.named("image-name-chinese", "港口新闻发布会现场照片（未经编辑）.jpg"),
		g.named("image-name-long", "crowd-wide, from the agency and not cropped, "+strings.Repeat("as it came in by mail on Sunday evening, ", 3)+"final.jpg"),
		{Key: "image-animated", Name: "reaction.gif", Content: g.picture("spinner.gif"), Answer: answer("IMAGE", Authentic, imageModels(Authentic, 9)...)}}
}

// flagged is a picture with everything: three heatmaps, boxes, EXIF.
func (g *gallery) flagged() *Exhibit {
	content := g.picture("mountains-spliced.jpg")
	if g.err == nil {
		content = withEXIF(content, exifText{0x010f, "Canon"}, exifText{0x0110, "Canon EOS R5"}, exifText{0x0131, "Adobe Photoshop 25.4 (Macintosh)"},
			exifText{0x0132, "2026:04:12 17:45:01"}, exifText{0x013b, "A. Fotograf"}, exifText{0x8298, "© Example Agency"})
	}
	rows := imageModels(Fake, 88)
	rows[3] = judged("svc-elm-img", Fake, 77)
	e := &Exhibit{Key: "image-fake", Name: "harbour-statement.jpg", Content: content, Answer: answer("IMAGE", Fake, append(rows, judged("svc-pine-img", Authentic, 12))...)}
	for model, glows := range map[string][]glow{
		"svc-oak-img":   {{0.42, 0.62, 0.14, 1}, {0.58, 0.7, 0.07, 0.7}},
		"svc-cedar-img": {{0.7, 0.3, 0.2, 0.8}},
		"svc-elm-img":   {{0.2, 0.8, 0.1, 0.9}, {0.8, 0.8, 0.1, 0.9}, {0.5, 0.2, 0.1, 0.5}},
	} {
		e.with(heatmapsFolder+model+".png", heatmap(400, 266, glows...))
	}
	return e.with(thumbnailFile, smaller(content)).aggregated(imageParts(1600, 1065,
		box(Fake, 520, 420, 860, 420, 860, 800, 520, 800), box(Fake, 980, 620, 1160, 560, 1220, 740, 1040, 800), box(Authentic, 90, 150, 240, 150, 240, 330, 90, 330)))
}

// manyModels is a picture that twenty models looked at.
func (g *gallery) manyModels() *Exhibit {
	rows := []Model{judged("svc-img-ensemble", Fake, 99.96)}
	for i, tree := range strings.Fields("acacia alder ash aspen beech birch cedar cherry elm fir hazel") {
		status := []string{Fake, Suspicious, Authentic}[i%3]
		rows = append(rows, judged("svc-"+tree+"-img", status, []float64{97.3, 55.5, 3.04}[i%3]-float64(i)/5))
	}
	rows = append(rows, failed("svc-juniper-img"), failed("svc-larch-img"), unscored("svc-linden-img", Fake), judged("svc-maple-img", Authentic, 0.04),
		judged("svc-a-model-with-a-name-nobody-shortened-before-the-release-img", Suspicious, 44), apart("svc-slim-aud"), apart("svc-everest-aud"), apart("svc-llm-txt"))
	e := &Exhibit{Key: "image-many-models", Name: "leak-p3.jpg", Content: g.picture("mountains.jpg"), Answer: answer("IMAGE", Fake, rows...)}
	for _, tree := range []string{"acacia", "aspen", "birch", "cherry"} {
		e.with(heatmapsFolder+"svc-"+tree+"-img.png", heatmap(400, 266, glow{0.5, 0.5, 0.2, 0.9}))
	}
	return e
}

// otherShape is a picture whose heatmap has another shape.
func (g *gallery) otherShape() *Exhibit {
	e := &Exhibit{Key: "image-heatmap-other-shape", Name: "field hospital.jpg", Content: g.picture("mountains.jpg"),
		Answer: answer("IMAGE", Fake, imageModels(Fake, 83)...)}
	return e.with(heatmapsFolder+"svc-oak-img.png", heatmap(256, 256, glow{0.4, 0.6, 0.2, 1})).
		with(heatmapsFolder+"svc-cedar-img.png", []byte("<html>not found</html>")).aggregated(imageParts(224, 224, box(Fake, 20, 20, 90, 20, 90, 90, 20, 90)))
}

func (g *gallery) strip() *Exhibit {
	e := &Exhibit{Key: "image-strip", Name: "panorama 30000x100.png", Content: longStrip(30_000, 100), Answer: answer("IMAGE", Fake, imageModels(Fake, 72)...)}
	return e.with(heatmapsFolder+"svc-oak-img.png", heatmap(3000, 10, glow{0.4, 0.5, 0.01, 1}, glow{0.8, 0.5, 0.004, 1}))
}

func (g *gallery) removed() *Exhibit {
	return (&Exhibit{Key: "image-original-removed", Name: "from the archive.jpg", Content: g.picture("mountains.jpg"), Removed: true,
		Answer: answer("IMAGE", Fake, imageModels(Fake, 79)...)}).with(heatmapsFolder+"svc-oak-img.png", heatmap(400, 266, glow{0.4, 0.6, 0.2, 1}))
}

func (g *gallery) named(key, name string) *Exhibit {
	return &Exhibit{Key: key, Name: name, Content: g.picture("peaks-composite.jpg"), Answer: answer("IMAGE", Authentic, imageModels(Authentic, 6)...)}
}

// imageParts is a picture's aggregation JSON.
func imageParts(width, height int, boxes ...map[string]any) map[string]any {
	return map[string]any{
		"bboxes": boxes, "image": map[string]int{"width": width, "height": height},
		"conclusions":   map[string]string{"svc-oak-img": "The region round the boat reacted.", "svc-elm-img": "Nothing of note."},
		"contextResult": map[string]any{"status": "AUTHENTIC", "summary": "Nothing in the surroundings contradicts the picture."},
	}
}

// box is a region by its four corners, x and y by turns.
func box(status string, at ...float64) map[string]any {
	corners := map[string]any{}
	for i, name := range []string{"top_left", "top_right", "bottom_right", "bottom_left"} {
		corners[name] = map[string]float64{"x": at[2*i], "y": at[2*i+1]}
	}
	decision := map[string]string{"decision": strings.Replace(status, Fake, "ARTIFICIAL", 1)}
	return map[string]any{"bbox": corners, "conclusions": map[string]any{"svc-oak-img": decision, "svc-cedar-img": map[string]string{"decision": Authentic}}}
}
