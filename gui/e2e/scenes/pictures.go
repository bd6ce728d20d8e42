package scenes

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// photos reads the pictures of a folder for scenes. err is the first error.
type photos struct {
	folder string
	made   int
	err    error
}

// picture returns a file of the folder; some bytes after its end, which readers ignore, make the content of each call different.
func (p *photos) picture(name string) []byte {
	content, err := os.ReadFile(filepath.Join(p.folder, name))
	if p.err == nil {
		p.err = err
	}
	p.made++
	return fmt.Appendf(content, "%d", p.made)
}

// imageModels are the models of a picture's answer.
func imageModels(status string, ensemble float64) []Model {
	other := status
	if status == Suspicious {
		other = Fake
	}
	return []Model{
		decided("svc-img-ensemble", status, ensemble),
		decided("svc-oak-img", other, min(ensemble+5.4, 99.4)),
		decided("svc-cedar-img", status, max(ensemble-7.2, 0.6)),
		decided("svc-elm-img", Authentic, 12.3),
		failed("svc-context-img"),
		notApplicable("svc-slim-aud"), notApplicable("svc-llm-txt"), notApplicable("svc-erie-vid"),
	}
}

// pictures makes the scenes with pictures.
func (p *photos) pictures() []*Scene {
	fake := p.flagged()
	turned := &Scene{Key: "image-authentic-turned", Name: "IMG_2047.jpg", Content: p.picture("dogs-portrait.jpg"),
		Answer: answer("IMAGE", Authentic, imageModels(Authentic, 4)...)}
	turned.aggregated(imageParts(1202, 800, box(Authentic, 120, 140, 480, 140, 480, 520, 120, 520)))
	suspicious := &Scene{Key: "image-suspicious", Name: "Überschwemmung Elbe (1).jpg", Content: p.picture("peaks-composite.jpg"),
		Answer:  answer("IMAGE", Suspicious, imageModels(Suspicious, 61)...),
		Refused: "You are not authorized to create feedback for this media result!"}
	suspicious.with(heatmapsFolder+"svc-oak-img.png", heatmap(300, 225, glow{0.3, 0.5, 0.2, 0.9}))
	faceless := &Scene{Key: "image-not-applicable", Name: "dandelion.webp", Content: p.picture("dandelion.webp"),
		Answer: withReasons("IMAGE", []Model{notApplicable("svc-img-ensemble"), notApplicable("svc-oak-img"), notApplicable("svc-cedar-img")},
			Reason{"relevance", "No faces detected, or the faces are too small."})}
	broken := &Scene{Key: "image-not-evaluated", Name: "crowd-wide.jpg", Content: p.picture("mountains.jpg"),
		Answer: notEvaluated("IMAGE", failed("svc-img-ensemble"), failed("svc-oak-img"), failed("svc-cedar-img"))}
	provisional := &Scene{Key: "image-provisional", Name: "stadium.jpg", Content: p.picture("mountains-spliced.jpg"),
		Answer: answer("IMAGE", Fake, unscored("svc-img-ensemble", Analyzing), decided("svc-oak-img", Fake, 91.7),
			unscored("svc-cedar-img", Analyzing), unscored("svc-elm-img", Analyzing), notApplicable("svc-llm-txt"))}
	unknown := &Scene{Key: "image-unknown-status", Name: "poster, as posted.png", Content: p.picture("poster.png"),
		Answer: answer("IMAGE", Unknown, decided("svc-img-ensemble", Unknown, 50), decided("svc-oak-img", Unknown, 48))}
	contradiction := &Scene{Key: "image-contradiction", Name: "two minds.jpg", Content: p.picture("peaks-composite.jpg"), Answer: answer("IMAGE", Authentic, imageModels(Fake, 99)...)}
	contradiction.Answer.ResultsSummary.Status = Fake
	contradiction.Answer.Models[1].Data["decision"] = Authentic
	return []*Scene{fake, suspicious, contradiction, turned, faceless, broken, provisional, unknown, p.manyModels(), p.otherShape(), p.strip(), p.removed(),
		p.named("image-name-arabic", "صورة من الميناء بعد الحريق.jpg"), p.named("image-name-chinese", "港口新闻发布会现场照片（未经编辑）.jpg"),
		p.named("image-name-long", "crowd-wide, from the agency and not cropped, "+strings.Repeat("as it came in by mail on Sunday evening, ", 3)+"final.jpg"),
		{Key: "image-animated", Name: "reaction.gif", Content: p.picture("spinner.gif"), Answer: answer("IMAGE", Authentic, imageModels(Authentic, 9)...)}}
}

// flagged is a picture with everything: three heatmaps, boxes, EXIF.
func (p *photos) flagged() *Scene {
	content := p.picture("mountains-spliced.jpg")
	if p.err == nil {
		content = withEXIF(content, exifList(exifHeader, exifText(0x010f, "Canon"), exifText(0x0110, "Canon EOS R5"), exifText(0x0131, "Adobe Photoshop 25.4 (Macintosh)"),
			exifText(0x0132, "2026:04:12 17:45:01"), exifText(0x013b, "A. Fotograf"), exifText(0x8298, "© Example Agency")))
	}
	rows := imageModels(Fake, 88)
	rows[3] = decided("svc-elm-img", Fake, 77)
	e := &Scene{Key: "image-fake", Name: "harbour-statement.jpg", Content: content, Answer: answer("IMAGE", Fake, append(rows, decided("svc-pine-img", Authentic, 12))...)}
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

// manyModels is a picture with twenty models.
func (p *photos) manyModels() *Scene {
	rows := []Model{decided("svc-img-ensemble", Fake, 99.96)}
	for i, tree := range strings.Fields("acacia alder ash aspen beech birch cedar cherry elm fir hazel") {
		status := []string{Fake, Suspicious, Authentic}[i%3]
		rows = append(rows, decided("svc-"+tree+"-img", status, []float64{97.3, 55.5, 3.04}[i%3]-float64(i)/5))
	}
	rows = append(rows, failed("svc-juniper-img"), failed("svc-larch-img"), unscored("svc-linden-img", Fake), decided("svc-maple-img", Authentic, 0.04),
		decided("svc-a-model-with-a-name-nobody-shortened-before-the-release-img", Suspicious, 44), notApplicable("svc-slim-aud"), notApplicable("svc-everest-aud"), notApplicable("svc-llm-txt"))
	e := &Scene{Key: "image-many-models", Name: "leak-p3.jpg", Content: p.picture("mountains.jpg"), Answer: answer("IMAGE", Fake, rows...)}
	for _, tree := range []string{"acacia", "aspen", "birch", "cherry"} {
		e.with(heatmapsFolder+"svc-"+tree+"-img.png", heatmap(400, 266, glow{0.5, 0.5, 0.2, 0.9}))
	}
	return e
}

// otherShape is a picture whose heatmap has another shape.
func (p *photos) otherShape() *Scene {
	e := &Scene{Key: "image-heatmap-other-shape", Name: "field hospital.jpg", Content: p.picture("mountains.jpg"),
		Answer: answer("IMAGE", Fake, imageModels(Fake, 83)...)}
	return e.with(heatmapsFolder+"svc-oak-img.png", heatmap(256, 256, glow{0.4, 0.6, 0.2, 1})).
		with(heatmapsFolder+"svc-cedar-img.png", []byte("<html>not found</html>")).aggregated(imageParts(224, 224, box(Fake, 20, 20, 90, 20, 90, 90, 20, 90)))
}

func (p *photos) strip() *Scene {
	e := &Scene{Key: "image-strip", Name: "panorama 30000x100.png", Content: longStrip(30_000, 100), Answer: answer("IMAGE", Fake, imageModels(Fake, 72)...)}
	return e.with(heatmapsFolder+"svc-oak-img.png", heatmap(3000, 10, glow{0.4, 0.5, 0.01, 1}, glow{0.8, 0.5, 0.004, 1}))
}

func (p *photos) removed() *Scene {
	return (&Scene{Key: "image-original-removed", Name: "from the archive.jpg", Content: p.picture("mountains.jpg"), Removed: true,
		Answer: answer("IMAGE", Fake, imageModels(Fake, 79)...)}).with(heatmapsFolder+"svc-oak-img.png", heatmap(400, 266, glow{0.4, 0.6, 0.2, 1}))
}

func (p *photos) named(key, name string) *Scene {
	return &Scene{Key: key, Name: name, Content: p.picture("peaks-composite.jpg"), Answer: answer("IMAGE", Authentic, imageModels(Authentic, 6)...)}
}

// imageParts is a picture's aggregation JSON.
func imageParts(width, height int, boxes ...map[string]any) map[string]any {
	return map[string]any{
		"bboxes": boxes, "image": map[string]int{"width": width, "height": height},
		"conclusions":   map[string]string{"svc-oak-img": "The region round the boat reacted.", "svc-elm-img": "Nothing of note."},
		"contextResult": map[string]any{"status": "AUTHENTIC", "summary": "Nothing in the surroundings contradicts the picture."},
	}
}

// box is a box by its four corners, x and y alternating.
func box(status string, at ...float64) map[string]any {
	corners := map[string]any{}
	for i, name := range []string{"top_left", "top_right", "bottom_right", "bottom_left"} {
		corners[name] = map[string]float64{"x": at[2*i], "y": at[2*i+1]}
	}
	decision := map[string]string{"decision": strings.Replace(status, Fake, "ARTIFICIAL", 1)}
	return map[string]any{"bbox": corners, "conclusions": map[string]any{"svc-oak-img": decision, "svc-cedar-img": map[string]string{"decision": Authentic}}}
}

// glow is a bright spot of a heatmap: its position and radius in shares of the picture's width and height, and its strength.
type glow struct{ x, y, reach, strength float64 }

// heatmap makes a PNG that is transparent except for its glows.
func heatmap(width, height int, glows ...glow) []byte {
	made := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			heat := 0.0
			for _, g := range glows {
				dx, dy := float64(x)/float64(width)-g.x, (float64(y)/float64(height)-g.y)*float64(height)/float64(width)
				heat += g.strength * math.Exp(-(dx*dx+dy*dy)/(g.reach*g.reach))
			}
			heat = min(heat, 1)
			made.SetNRGBA(x, y, color.NRGBA{R: 255, G: uint8(90 + 150*heat), B: uint8(20 + 190*heat*heat), A: uint8(255 * heat)})
		}
	}
	return pngOf(made)
}

// longStrip makes a picture of hills, much wider than high.
func longStrip(width, height int) []byte {
	made := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			ridge := float64(height) * (0.5 + 0.3*math.Sin(float64(x)/900) + 0.1*math.Sin(float64(x)/130))
			c := color.NRGBA{R: 130, G: 165, B: 200, A: 255}
			if float64(y) > ridge {
				c = color.NRGBA{R: 90, G: 105 + uint8(x/300), B: 80, A: 255}
			}
			made.SetNRGBA(x, y, c)
		}
	}
	return pngOf(made)
}

func pngOf(picture image.Image) []byte {
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&encoded, picture); err != nil {
		panic(fmt.Sprintf("scene: encode a picture: %v", err)) // writing to a buffer can't fail
	}
	return encoded.Bytes()
}

// smaller makes the thumbnail of a JPEG; nil if it is no JPEG.
func smaller(content []byte) []byte {
	whole, err := jpeg.Decode(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	step := max(1, max(whole.Bounds().Dx(), whole.Bounds().Dy())/320)
	made := image.NewNRGBA(image.Rect(0, 0, whole.Bounds().Dx()/step, whole.Bounds().Dy()/step))
	for y := range made.Rect.Dy() {
		for x := range made.Rect.Dx() {
			made.Set(x, y, whole.At(x*step, y*step))
		}
	}
	var encoded bytes.Buffer
	_ = jpeg.Encode(&encoded, made, nil) // writing to a buffer can't fail
	return encoded.Bytes()
}
