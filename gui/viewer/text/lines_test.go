package text

import (
	"fmt"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
)

// evenWidths takes every character to be half as wide as its type is high.
func evenWidths() *widths {
	w := &widths{other: [2]map[rune]float32{{}, {}}}
	for r := range 128 {
		w.ascii[0][r], w.ascii[1][r] = 0.5, 0.5
	}
	for r := rune(0x80); r < 0x700; r++ {
		w.other[0][r], w.other[1][r] = 0.5, 0.5
	}
	return w
}

func TestLinesAreBrokenByTheWidthOfTheirLetters(t *testing.T) {
	w := evenWidths()
	w.ascii[1]['w'] = 0.9
	text := "one two three www www"
	blocks := []ProseBlock{{Kind: ProseParagraph, Text: text, Runs: []ProseRun{{Start: 14, End: 17, Bold: true}}}}
	l := breakLines(t.Context(), blocks, w, face{text: 10, heading: 10}, 2*edge+42)
	var got []string
	for _, line := range l.all {
		got = append(got, text[line.start:line.end])
	}
	assert.Equal(t, []string{"one two", "three", "www", "www"}, got)
}

func TestPiecesStandFromLeftToRight(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"left to right":                         {"one (two) 3", []string{"one (two) 3"}},
		"words within a line of the other kind": {"one אבג, דה two", []string{"one ", "דה", " ,", "אבג", " two"}},
		"a line from right to left":             {"אב (גד) 12 ef", []string{"12 ef", " (", "גד", ") ", "אב"}},
		"a point at its end":                    {"אב.", []string{".", "אב"}},
		"a number within":                       {"אב 12 גד", []string{"גד", " ", "12", " ", "אב"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := ProseBlock{Text: c.text}
			var got []string
			for _, p := range piecesOf(&b, line{end: len(c.text)}) {
				got = append(got, p.text)
			}
			assert.Equal(t, c.want, got)
		})
	}
	t.Run("marks keep their stretch", func(t *testing.T) {
		b := ProseBlock{Text: "אב גד", Runs: []ProseRun{{Start: 0, End: 4, Mark: 3}}}
		pieces := piecesOf(&b, line{end: len(b.Text)})
		if last := pieces[len(pieces)-1]; last.text != "אב" || last.mark != 3 || pieces[0].mark != -1 {
			t.Errorf("%+v", pieces)
		}
	})
	t.Run("a line holds its part of a run", func(t *testing.T) {
		b := ProseBlock{Text: "one two three", Runs: []ProseRun{{Start: 0, End: 7, Mark: 0}, {Start: 8, End: 13, Mark: 1}}}
		var got []string
		for _, p := range piecesOf(&b, line{start: 4, end: 10}) {
			got = append(got, p.text)
		}
		assert.Equal(t, []string{"two", " ", "th"}, got)
	})
}

const pageStart = `<!DOCTYPE html><html><head><meta charset=utf-8><title>Where the analysers reacted</title><style>
mark.repeated { background: #ffe2a8 } mark.opening { background: #dbe9ff } .text { white-space: pre-wrap; }</style></head><body>
<h1>Where the analysers reacted</h1><p>A mark shows where an analyser reacted.</p>
<table><tr><th>Model</th><th>Status</th><th>Score (0 to 100)</th></tr><tr><td>sandbox-repetition-txt</td><td>FAKE</td><td>91.2</td></tr></table>
<h2>Legend</h2><ul><li><mark class="repeated">Filled, solid line</mark>: words that the text has said before, eight or more in a row</li>
<li><mark class="opening">Filled, dashed line</mark>: a sentence that begins like an earlier one</li></ul><h2>The text</h2><div class="text">`

var galleryTexts = map[string]string{
	"english": pageStart + `The mayor opened the new bridge on Tuesday, and the crowd was smaller than planned.

<mark class=repeated title="Said before: 91 of 100">The crowd was smaller than planned because of the rain that fell all morning.</mark> Shops stayed shut. <mark class=opening title="Begins like an earlier sentence: 25 of 100">The mayor opened</mark> his umbrella <i>slowly</i>, <b>very slowly</b>. See <a href="https://example.com/bridge?token=1">the city's own page</a>.

Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorsitzendenstellvertreter spoke, too.</div>`,
	"spanish": pageStart + `El alcalde inauguró el puente nuevo el martes; «había menos gente de la prevista», según <mark class=repeated title="Said before: 80 of 100">el ayuntamiento de la ciudad</mark>.

¿Por qué? Llovió toda la mañana, y <mark class=opening title="Begins like an earlier sentence: 40 of 100">los comercios no abrieron hasta</mark> las doce.</div>`,
	"hebrew": `<p>ראש העיר פתח את הגשר החדש ביום שלישי, <mark data-score=0.8>והקהל היה קטן מהצפוי</mark> בגלל הגשם (כך לפי העירייה). המאמר הופיע ב-BBC News בשנת 2026, ולאחר מכן נמחק.</p>
<p>An English line with <mark>שתי מילים</mark> in Hebrew.</p>`,
	"arabic":  `<p>افتتح رئيس البلدية الجسر الجديد يوم الثلاثاء، <mark data-score=0.3>وكان الحضور أقل من المتوقع</mark> بسبب الأمطار التي هطلت طوال الصباح (بحسب Reuters) في عام 2026.</p><ul><li>أولا: الجسر</ul>`,
	"chinese": `<p>市长星期二为新桥剪彩，<mark data-score=1>到场的人数比预计的要少</mark>，因为整个上午都在下雨。据市政府介绍，这座桥全长 1,250 米，是 2026 年最大的工程；“雨停之后，商店才陆续开门”，一位店主说。</p>`,
}

// TestGalleryDrawsEveryScript renders texts of several scripts. With ASSAY_GALLERY naming a folder, the pictures are kept there, to
// be looked at.
func TestGalleryDrawsEveryScript(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	for name, page := range galleryTexts {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
			for _, size := range [][2]float32{{560, 470}, {320, 300}} {
				t.Run(fmt.Sprintf("%s-%s-%gx%g", name, mode, size[0], size[1]), func(t *testing.T) {
					i18ntest.FromEnvironment(t)
					d := setup(t, &result{page: []byte(page)}, mode, size[0], size[1])
					d.show("a")
					d.pane.step(1)
					if d.pane.sheet.leaf.paint.nTexts == 0 || d.pane.sheet.leaf.paint.nFills == 0 {
						t.Errorf("%d texts and %d marks drawn", d.pane.sheet.leaf.paint.nTexts, d.pane.sheet.leaf.paint.nFills)
					}
					guitest.Keep(t, d.Window, filepath.Base(t.Name()))
				})
			}
		}
	}
}
