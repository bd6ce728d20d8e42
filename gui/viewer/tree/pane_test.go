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

var wide = fyne.NewSize(860, 440)

func TestDocumentsCanBeOpened(t *testing.T) {
	t.Run("A8 aggregation JSON of any inner structure can be opened", func(t *testing.T) {
		for name, text := range map[string]string{
			"as known":             `{"bboxes":[{"bbox":{"top_left":{"x":1,"y":2}}}],"chunks":[{"start":0,"end":3}]}`,
			"known names, strange": `{"bboxes":"none","chunks":{"a":[{"b":7}]},"scenes":17,"frames":[[1,2],[3]],"models":null,"unheardOf":{"x":["y"]}}`,
			"a list":               `[1,{"a":2}]`,
			"a number":             `1e400`,
			"a text":               `"only words"`,
			"nothing":              `null`,
			"empty":                `{}`,
		} {
			t.Run(name, func(t *testing.T) {
				d := setup(t, look.ModeLight, wide)
				d.answer["a"], d.details["a"] = `{}`, text
				d.show("a")
				d.choice.Select(1)
				d.Until("it is read", func() bool { return d.open != nil })
				for i := 0; i < d.rows.length(); i++ { // all of it opens
					if row := d.rows.outline.Row(i); row.Node.HasChildren() && !row.Open {
						d.rows.toggle(i)
					}
				}
				got, whole := d.open.Pretty(d.open.Root(), 1000)
				if compact := strings.NewReplacer(" ", "", "\n", "").Replace(got); !whole || compact != strings.ReplaceAll(strings.Trim(text, `"`), " ", "") {
					t.Errorf("holds %s", compact)
				}
				for _, words := range []string{"unheardOf", "only words", "1e400", "top_left"} {
					if strings.Contains(text, words) && !d.shows(words) {
						t.Errorf("%s is not on screen: %q", words, d.texts())
					}
				}
			})
		}
	})
	t.Run("R2 an unknown field is in the answer that the person can open", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = `{"overallStatus":"FAKE","futureField":{"inner":[1,{"deeper":"0.10 as sent"}]}}`
		d.show("a")
		if !d.shows("futureField") {
			t.Errorf("not on screen: %q", d.texts())
		}
		d.Reveal("futureField.inner[1].deeper")
		d.Until("it is revealed", func() bool { return d.path.Text() == "futureField.inner[1].deeper" })
		if !d.shows(`"0.10 as sent"`) {
			t.Errorf("not on screen: %q", d.texts())
		}
	})
}

func TestNumbersAreShownAsSent(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"] = `[0.10,1e400,-0,88.40,100000000000000000000001]`
	d.show("a")
	for _, number := range []string{"0.10", "1e400", "-0", "88.40", "100000000000000000000001"} {
		if !d.shows(number) {
			t.Errorf("%s is not on screen: %q", number, d.texts())
		}
	}
}

func TestSignaturesStayHidden(t *testing.T) {
	const secret = "5eCr3tS1gnature"
	for name, text := range map[string]string{ //nolint:gosec // made up
		"a value":                `{"u":"https://h.example/a?X-Amz-Signature=5eCr3tS1gnature"}`,
		"escaped slashes":        `{"u":"https:\/\/h.example\/a?X-Amz-Signature=5eCr3tS1gnature"}`,
		"an escaped question":    `{"u":"https://h.example/a\u003fX-Amz-Signature=5eCr3tS1gnature"}`,
		"an escaped scheme":      `{"u":"\u0068ttps://h.example/a?X-Amz-Signature=5eCr3tS1gnature"}`,
		"in capitals":            `{"u":"HTTPS://h.example/a?X-Amz-Signature=5eCr3tS1gnature"}`,
		"a key":                  `{"https://h.example/a?X-Amz-Signature=5eCr3tS1gnature":{"x":1}}`,
		"inside a sentence":      `{"u":"see\nhttps://h.example/a?b=5eCr3tS1gnature,\tand (http://h.example/?5eCr3tS1gnature)"}`,
		"JSON inside a text":     `{"u":"{\"u\":\"https://h.example/a?s=5eCr3tS1gnature\",\"v\":\"http://x?5eCr3tS1gnature\"}"}`,
		"after a word like http": `{"u":"http/https://h.example/a?s=5eCr3tS1gnature"}`,
		"a user and password":    `{"u":"https://user:5eCr3tS1gnature@h.example/a"}`,
		"a fragment":             `{"u":"https://h.example/a#5eCr3tS1gnature"}`,
		"a list in a list":       `[[["https://h.example/a?s=5eCr3tS1gnature"]]]`,
		"broken off":             `{"u":"https://h.example/a?s=5eCr3tS1gnature`,
		"broken off, escaped":    `{"u":1,"v":"https:\/\/h.example\/a\u003fs=5eCr3tS1gnature`,
		"not JSON":               `<a href="https://h.example/a?s=5eCr3tS1gnature&amp;x">`,
		"far into a long text":   `{"u":"` + strings.Repeat("x", 5000) + ` https://h.example/a?s=5eCr3tS1gnature"}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := setup(t, look.ModeLight, wide)
			d.answer["a"] = text
			d.show("a")
			for i := 0; i < d.rows.length(); i++ {
				if row := d.rows.outline.Row(i); row.Node.HasChildren() && !row.Open {
					d.rows.toggle(i)
				}
			}
			for i := range d.rows.length() {
				d.rows.choose(i)
				if d.shows(secret) || strings.Contains(d.rows.AccessibilityLabel(), secret) {
					t.Errorf("on screen: %q", d.texts())
				}
				fyne.CurrentApp().Clipboard().SetContent("")
				d.copyValue()
				d.Until("it is copied", func() bool { return d.clipboard() != "" })
				d.copyItsPath()
				if strings.Contains(d.clipboard(), secret) {
					t.Errorf("in the path: %q", d.clipboard())
				}
				d.rows.TypedShortcut(&fyne.ShortcutCopy{})
				d.Until("it is copied", func() bool { return strings.Contains(d.path.Text(), "copied") })
				if strings.Contains(d.clipboard(), secret) {
					t.Errorf("copied: %q", d.clipboard())
				}
			}
			if d.searchFor(secret); len(d.found) > 0 {
				t.Error("the search finds it")
			}
		})
	}
	t.Run("social media's own link keeps its query", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = `{"socialLink":"https://video.example/watch?v=17"}`
		d.show("a")
		if !d.shows("watch?v=17") {
			t.Errorf("%q", d.texts())
		}
	})
	t.Run("it says where something was left out", func(t *testing.T) {
		d := setup(t, look.ModeLight, wide)
		d.answer["a"] = sampleAnswer
		d.show("a")
		if !d.shows(`"https://bucket.s3.example/2f9c/original.jpg?…"`) {
			t.Errorf("%q", d.texts())
		}
	})
}

func TestWhatCannotBeSeenIsEscaped(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"] = "{\"k\u202ey\":\"a\u202eb\\u0007\xff\"}"
	d.show("a")
	if !d.shows(`k\u202ey`) || !d.shows(`"a\u202eb\u0007\xff"`) || d.shows("\u202e") {
		t.Errorf("%q", d.texts())
	}
}

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	d := setup(t, look.ModeLight, fyne.NewSize(860, 440))
	said := func() {
		t.Helper()
		guitest.CheckTranslated(t, d.Object(), "KEY", "DEEP", "null", "Answer", "Details of the analysis", "The service sent no details of the analysis.", "Sound")
	}
	d.answer["a"] = `{"KEY": [1, 2], "DEEP": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `, "KEY": {"KEY": null}, "KEY": {}, "KEY": [`
	d.Show(present.Viewer{ID: "a"})
	said()
	d.Until("the document is read", func() bool { return d.open != nil })
	said()
	for _, query := range []string{"NOWHERE", "KEY", "DEEP"} {
		d.searchFor(query)
		guitest.CheckTextsTranslated(t, []string{d.hits.Text()})
	}
	d.search.SetText("")
	d.focus()
	d.rows.choose(1)
	said()
	d.copyValue()
	d.Until("it is copied", func() bool { return d.clipboard() != "" })
	said()
	d.copyItsPath()
	said()
	d.Reveal("NOWHERE")
	d.Until("it is not there", func() bool { return d.notice.Visible() })
	guitest.CheckTextsTranslated(t, []string{d.notice.Text(), copied("x", false)}, "NOWHERE")
	d.choice.Select(1)
	d.Until("there is none", func() bool { return d.shows("sent no details") })
	said()
	for _, s := range d.Shortcuts() {
		guitest.CheckTextsTranslated(t, []string{s.Keys, s.Does})
	}
}

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
