package tree

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

const sampleAnswer = `{"requestId":"2f9c1f0e-8b7a-4f7e","name":"harbour-statement.jpg","overallStatus":"FAKE","mediaType":"IMAGE",
"originalUrl":"https://bucket.s3.example/2f9c/original.jpg?X-Amz-Algorithm=AWS4&X-Amz-Signature=5eCr3tS1gnature",
"note":"Two lines\nand \u202ereversed\u202c text, with a very long explanation that does not fit into the width of any row that a newsroom would have on its screen, and so goes on beneath.",
"resultsSummary":{"status":"FAKE","metadata":{"finalScore":88.40}},"models":[{"name":"svc-oak-img","status":"FAKE","finalScore":0.9312,"normalizedPredictionNumber":93},
{"name":"svc-cedar-img","status":"SUSPICIOUS","finalScore":0.61,"normalizedPredictionNumber":61.50},{"name":"svc-ash-img","status":"NOT_APPLICABLE","finalScore":null}],
"heatmaps":{"svc-oak-img":"https://bucket.s3.example/h.png?X-Amz-Signature=5eCr3tS1gnature"},"showAudioResult":false,"errors":[],"größe":"Şeker 中文 שלום","futureField":{"anything":[1e400,0.10,-0,true,null,{}]}}`

// TestGallery draws the pane for looking at; ASSAY_GALLERY is the folder.
func TestGallery(t *testing.T) {
	if guitest.GalleryFolder() == "" {
		t.Skip("ASSAY_GALLERY names no folder")
	}
	for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
		for _, size := range []fyne.Size{fyne.NewSize(860, 440), fyne.NewSize(330, 400)} {
			t.Run(string(mode), func(t *testing.T) {
				i18ntest.FromEnvironment(t)
				d := setup(t, mode, size)
				shot := func(name string) {
					suffix := "-wide-"
					if size.Width < 500 {
						suffix = "-narrow-"
					}
					guitest.Keep(t, d.window, name+suffix+string(mode))
				}
				d.answer["a"] = sampleAnswer
				d.show("a")
				shot("open")
				d.focus()
				d.Reveal("models[1].normalizedPredictionNumber")
				d.Until("revealed", func() bool { return d.rows.marked > 0 })
				shot("revealed")
				d.searchFor("svc")
				shot("search")
				d.searchFor("nowhere")
				d.Reveal("note")
				d.Until("revealed", func() bool { return strings.HasPrefix(d.path.Text(), "note") })
				shot("long")
				d.choice.Select(1)
				d.Until("none", func() bool { return d.shows("sent no details") })
				shot("none")
				d.answer["b"] = `{"deep":` + strings.Repeat(`[{"next":`, 20) + "1" + strings.Repeat("}]", 19)
				d.Show(present.Viewer{ID: "b", Medium: present.Clip})
				d.choice.Select(0)
				d.Until("broken", func() bool { return d.open != nil })
				d.Reveal("deep" + strings.Repeat("[0].next", 19))
				d.Until("revealed", func() bool { return d.rows.marked > 0 })
				shot("broken")
				d.answer["c"] = "[" + strings.Repeat("0.5,", 1_000_000) + "1]"
				d.Show(present.Viewer{ID: "c"})
				d.Until("many", func() bool { return d.open != nil })
				d.rows.choose(567_890)
				shot("many")
			})
		}
	}
}
