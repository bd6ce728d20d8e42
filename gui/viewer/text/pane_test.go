package text

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

func TestWithoutAPageTheTextIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		source         result
		notice, absent string
	}{
		"A7 a result without an explainability page": {result{}, "No explainability page: the service names none for this result. This is the text itself, without marks.", ""},
		"a page that was removed": {result{pageErr: &client.Error{Kind: client.KindExpired, Message: i18n.Verbatim("The service no longer has this.")}},
			"No explainability page: The service no longer has this. This is the text itself", ""},
		"a page without a word": {result{page: []byte("<script>x</script>")}, "No explainability page: The file contains no text.", ""},
		"neither page nor text": {result{textErr: os.ErrNotExist}, "The text itself can't be shown either. The file is no longer where it was.", "own words"},
	} {
		t.Run(name, func(t *testing.T) {
			c.source.text = textFile(t, "The person's own words.\n<mark>no markup</mark>")
			d := setup(t, &c.source, look.ModeLight, 560, 470)
			d.show("a")
			if !strings.Contains(d.pane.notice.Text(), c.notice) || !d.pane.notice.Visible() {
				t.Errorf("notice %q", d.pane.notice.Text())
			}
			if c.absent == "" && !strings.Contains(d.drawn(), "own words") {
				t.Errorf("shown %q", d.drawn())
			}
			if c.absent != "" && (d.pane.card.Visible() || d.pane.copied.Visible()) {
				t.Error("an empty text is shown")
			}
			if d.pane.next.Visible() || d.pane.choice.Visible() {
				t.Error("marks or a page are offered")
			}
		})
	}
}

func TestPane(t *testing.T) {
	page := pageStart + "Once <mark class=repeated title='Said before: 91 of 100'>again</mark> and\n\n" + strings.Repeat("a line of text\n", 200) +
		"<mark data-score=0.25>last</mark></div>"
	open := func(t *testing.T) *fixture {
		d := setup(t, &result{page: []byte(page), text: textFile(t, "the file itself")}, look.ModeLight, 560, 300)
		d.show("a")
		return d
	}
	t.Run("counts the passages and not the legend's examples", func(t *testing.T) {
		d := open(t)
		d.WantTexts("2 marked passages")
		d.WantWords("words that the text has said before")
	})
	t.Run("n and Shift+n go round the passages and scroll to them", func(t *testing.T) {
		d := open(t)
		d.pane.TypedRune('n')
		d.WantTexts("1 of 2 · Said before: 91 of 100 · words that the text has said before, eight or more in a row")
		d.pane.TypedRune('n')
		d.WantTexts("2 of 2 · data-score = 0.25")
		if !strings.Contains(d.drawn(), "last") || d.pane.sheet.scroll.Offset.Y == 0 {
			t.Errorf("not scrolled to the last passage: %q", d.drawn())
		}
		d.pane.TypedRune('n')
		d.pane.TypedRune('N')
		d.WantWords("2 of 2")
	})
	t.Run("a tap on a mark tells it", func(t *testing.T) {
		d := open(t)
		d.pane.step(1)
		d.pane.tell("")
		for _, h := range append([]spot(nil), d.pane.sheet.leaf.spots...) {
			if h.piece.mark == d.pane.prose.Passages[0] {
				d.pane.sheet.leaf.Tapped(&fyne.PointEvent{Position: fyne.NewPos(h.x+1, h.y+1)})
			}
		}
		d.WantWords("1 of 2 · Said before")
	})
	t.Run("marks can be hidden", func(t *testing.T) {
		d := open(t)
		before := d.pane.sheet.leaf.paint.nFills
		d.pane.toggle.Tapped(nil)
		if after := d.pane.sheet.leaf.paint.nFills; before == 0 || after != 0 || d.pane.toggle.Label() != "Show marks" {
			t.Errorf("%d marks drawn, then %d", before, after)
		}
	})
	t.Run("tools stand in one row, with the rest in a menu", func(t *testing.T) {
		d := open(t)
		for _, width := range []float32{700, 420, 330, 260} {
			d.size(width, 500)
			end, shown := float32(0), 0
			for _, o := range d.pane.tools.Objects {
				if !o.Visible() {
					continue
				}
				if o.Position().X < end || o.Position().X+o.Size().Width > width+1 || o.Position().Y+o.Size().Height > look.ControlHeight {
					t.Errorf("in %v, one is at %v, %v; the one before ends at %v", width, o.Position(), o.Size(), end)
				}
				end = o.Position().X + o.Size().Width
				shown++
			}
			if menu := d.Tipped("More") != nil; menu == (width == 700) || shown < 3 {
				t.Errorf("in %v, %d are shown; there is a menu: %v", width, shown, menu)
			}
		}
		d.TapTip("More")
		d.Click("Hide marks")
		if d.pane.sheet.leaf.paint.nFills != 0 {
			t.Error("marks are still drawn")
		}
		d.TapTip("More")
		d.Click("Copy text")
		if d.copied == "" {
			t.Error("nothing was copied")
		}
		d.TapTip("More")
		d.Click("Text alone")
		d.settle()
		if got := d.drawn(); got != "the file itself" {
			t.Errorf("it shows %q", got)
		}
	})
	t.Run("the text alone can be chosen", func(t *testing.T) {
		d := open(t)
		d.pane.choice.Select(choiceText)
		d.settle()
		if got := d.drawn(); got != "the file itself" || d.pane.next.Visible() || d.pane.notice.Visible() {
			t.Errorf("%q", got)
		}
		d.pane.copied.Tapped(nil)
		if d.copied != "the file itself" {
			t.Errorf("copied %q", d.copied)
		}
		d.pane.choice.Select(choicePage)
		d.settle()
		if d.pane.summary.Text() != "2 marked passages" {
			t.Errorf("%q", d.pane.summary.Text())
		}
	})
	t.Run("keys scroll", func(t *testing.T) {
		d := open(t)
		s := d.pane.sheet
		d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		end := s.scroll.Offset.Y
		if want := s.lines.height - s.scroll.Size().Height; end != want {
			t.Errorf("End: %v, want %v", end, want)
		}
		d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageUp})
		if s.scroll.Offset.Y >= end {
			t.Error("Page Up")
		}
		d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
		s.leaf.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		if s.scroll.Offset.Y <= 0 || d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) {
			t.Error("arrows scroll where the text has the focus, and there alone")
		}
	})
	t.Run("keys and shortcuts that are not the text's go on to the window", func(t *testing.T) {
		d := open(t)
		var key fyne.KeyName
		find := &desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierControl}
		d.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
		d.pane.sheet.leaf.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		window := &shortcutCanvas{Canvas: d.Canvas()}
		d.pane.sheet.leaf.shortcutIn(window, find)
		if key != fyne.KeyEscape || window.got != find {
			t.Errorf("key %q, shortcut %v", key, window.got)
		}
	})
	t.Run("a narrower window keeps the place", func(t *testing.T) {
		d := open(t)
		d.pane.TypedRune('N')
		d.size(330, 300)
		if !strings.Contains(d.drawn(), "last") {
			t.Errorf("%q", d.drawn())
		}
	})
	t.Run("clearing shows nothing", func(t *testing.T) {
		d := open(t)
		d.pane.Clear()
		if d.drawn() != "" || d.pane.card.Visible() || d.pane.tools.Visible() {
			t.Errorf("%q", d.drawn())
		}
	})
}

// shortcutCanvas is a window's canvas that takes shortcuts, as the real one does.
type shortcutCanvas struct {
	fyne.Canvas
	got fyne.Shortcut
}

func (c *shortcutCanvas) TypedShortcut(s fyne.Shortcut) { c.got = s }

func TestAnotherResultCancels(t *testing.T) {
	slow := &result{page: []byte("<p>slow"), asked: make(chan struct{}), wait: make(chan struct{})}
	d := setup(t, slow, look.ModeLight, 560, 300)
	d.pane.Show(present.Viewer{ID: "a"})
	<-slow.asked
	d.pane.params.Source = &result{page: []byte("<p>another")}
	d.show("b")
	close(slow.wait)
	if got := d.drawn(); got != "another" {
		t.Errorf("%q", got)
	}
}

func TestLongTextOpensWithoutStalling(t *testing.T) {
	for name, every := range map[string]int{"in paragraphs": 10, "in a single paragraph": 1 << 30} {
		t.Run(name, func(t *testing.T) { openLongText(t, every) })
	}
}

// openLongText opens 5 MB, scrolls and jumps in it; a paragraph has so many sentences.
func openLongText(t *testing.T, every int) {
	t.Helper()
	var page strings.Builder
	page.WriteString("<div style='white-space:pre-wrap'>")
	for n := 0; page.Len() < 5<<20; n++ {
		fmt.Fprintf(&page, "Sentence %d says <mark title='%d of 100'>something</mark> of some length, and goes on.", n, n%101)
		if n%every == every-1 {
			page.WriteString("\n\n")
		}
	}
	d := setup(t, &result{page: []byte(page.String())}, look.ModeLight, 560, 470)
	longest := time.Duration(0)
	timed := func(f func()) {
		begun := time.Now()
		f()
		longest = max(longest, time.Since(begun))
	}
	d.run = timed
	settle := func() {
		d.Until("it is laid out", func() bool { return d.pane.sheet.lines != nil && d.pane.sheet.lines.width == d.pane.sheet.wanted })
	}
	timed(func() { d.pane.Show(present.Viewer{ID: "a"}) })
	settle()
	timed(func() { d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd}) })
	timed(func() { d.pane.step(-1) })
	timed(func() { d.pane.step(-1) })
	timed(func() { d.size(400, 470) })
	settle()
	t.Logf("%d lines, %d passages; the UI thread was busy for at most %v", len(d.pane.sheet.lines.all), len(d.pane.prose.Passages), longest)
	if longest > 2*time.Second {
		t.Errorf("the UI thread was busy for %v", longest)
	}
	if n := d.pane.sheet.leaf.paint.nTexts; n == 0 || n > 500 {
		t.Errorf("%d texts have objects", n)
	}
}

func TestTooLargePageIsCutAndSaysSo(t *testing.T) {
	page := []byte(strings.Repeat("<p>Ein Absatz von hundert Megabyte, und mehr als das, Wort fuer Wort. </p>", 100<<20/75))
	d := setup(t, &result{page: page}, look.ModeLight, 560, 470)
	d.show("a")
	d.WantWords("too la", "16 MB")
}

func TestMarkedTextCanBeRead(t *testing.T) {
	for _, mode := range []look.Mode{look.ModeLight, look.ModeDark, look.ModeHighContrast} {
		t.Run(string(mode), func(t *testing.T) {
			theme := look.New(mode)
			ink, ground, accent := theme.Color(look.ColorText, 0), theme.Color(look.ColorSurface, 0), theme.Color(look.ColorAccent, 0)
			for name, fill := range map[string]color.Color{
				"weak": markFill(accent, 0), "strong": markFill(accent, 1), "current": currentFill(accent),
			} {
				if got := contrastOf(ink, over(fill, ground)); got < 4.5 {
					t.Errorf("%s: %.1f:1", name, got)
				}
			}
			if got := contrastOf(accent, ground); got < 3 {
				t.Errorf("the line under a mark: %.1f:1", got)
			}
		})
	}
}

func over(top, ground color.Color) color.Color {
	t, g := color.NRGBAModel.Convert(top).(color.NRGBA), color.NRGBAModel.Convert(ground).(color.NRGBA)
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(t.A) + int(b)*(255-int(t.A))) / 255) }
	return color.NRGBA{R: mix(t.R, g.R), G: mix(t.G, g.G), B: mix(t.B, g.B), A: 255}
}

func contrastOf(a, b color.Color) float64 {
	light := func(c color.Color) float64 {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		part := func(v uint8) float64 {
			f := float64(v) / 255
			if f <= 0.04045 {
				return f / 12.92
			}
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return 0.2126*part(n.R) + 0.7152*part(n.G) + 0.0722*part(n.B)
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	page := `<p><mark title="TITLE">WORDS</mark> <mark>WORDS</mark> <a href="HTTPS">WORDS</a></p>`
	for name, from := range map[string]*result{
		"a page":  {page: []byte(page), text: textFile(t, "WORDS")},
		"a text":  {text: textFile(t, "WORDS")},
		"nothing": {pageErr: errors.New("REASON"), textErr: errors.New("REASON")},
	} {
		t.Run(name, func(t *testing.T) {
			d := setup(t, from, look.ModeLight, 560, 470)
			d.pane.Show(viewerOf("1"))
			guitest.CheckTranslated(t, d.pane.Object())
			d.settle()
			d.tapAll()
			guitest.CheckTranslated(t, d.pane.Object(), "WORDS", "TITLE", "REASON", "HTTPS")
			d.pane.toggleMarks()
			guitest.CheckTranslated(t, d.pane.Object(), "WORDS", "TITLE", "REASON", "HTTPS")
			for _, s := range d.pane.Shortcuts() {
				guitest.CheckTextsTranslated(t, []string{s.Keys, s.Does})
			}
		})
	}
}

// counting is a server that counts what is asked of it.
func counting(t *testing.T) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func TestNothingOfAPageIsRunOrLoaded(t *testing.T) {
	for name, body := range map[string]string{
		"scripts": `<script src="URL/s.js"></script><script>fetch("URL/f")</script><body onload="fetch('URL/o')"><p onclick="fetch('URL')">kept <mark onmouseover="fetch('URL')">marked</mark>`,
		"pictures and players": `<p>kept <img src="URL/i.png" srcset="URL/i2.png 2x" onerror="fetch('URL')"><video src="URL/v" poster="URL/p"></video>
			<audio src="URL/a"></audio><picture><source srcset="URL/s"></picture><mark>marked</mark><body background="URL/b">`,
		"frames and plug-ins": `<p>kept <mark>marked</mark><iframe src="URL/f" srcdoc="<img src=URL>"></iframe><object data="URL/o"></object><embed src="URL/e"><applet code="URL"></applet>`,
		"style sheets":        `<link rel=stylesheet href="URL/c.css"><style>@import "URL/i.css"; p{background:url(URL/b)} @font-face{src:url(URL/t)}</style><p style="background:url(URL/x)">kept <mark>marked</mark>`,
		"redirections":        `<meta http-equiv=refresh content="0;url=URL/r"><base href="URL/"><p>kept <mark>marked</mark><link rel=prefetch href="URL/pre"><link rel=dns-prefetch href="URL">`,
		"links":               `<p>kept <a href="URL/l?token=secret" ping="URL/ping">there</a> <a href="javascript:fetch('URL')">run</a> <a href="file:///etc/passwd">file</a> <mark><a href="data:text/html,<img src=URL>">marked</a></mark>`,
		"drawings":            `<p>kept <mark>marked</mark><svg><image href="URL/s"/><script>fetch("URL")</script><foreignObject><img src="URL/i"></foreignObject></svg>`,
		"forms":               `<form action="URL/f" id=f><input type=image src="URL/i"><button formaction="URL/b">send</button><p>kept <mark>marked</mark></form><script>f.submit()</script>`,
		"Markdown":            `<p>kept ![x](URL/m.png) [y](URL/n) <mark>marked</mark>`,
	} {
		t.Run("A7 "+name, func(t *testing.T) {
			address, asked := counting(t)
			d := setup(t, &result{page: []byte(strings.ReplaceAll(body, "URL", address))}, look.ModeLight, 560, 470)
			d.show("a")
			d.tapAll()
			d.pane.step(1)
			d.Canvas().Capture()
			shown := d.drawn()
			if !strings.Contains(shown, "kept") || !strings.Contains(shown, "marked") || strings.Contains(shown, "fetch(") {
				t.Errorf("shown: %q", shown)
			}
			if strings.Contains(d.pane.below.Text(), "secret") {
				t.Errorf("the query of a link is shown: %q", d.pane.below.Text())
			}
			if len(d.pane.prose.Passages) != 1 {
				t.Errorf("%d passages", len(d.pane.prose.Passages))
			}
			if name != "Markdown" && name != "links" && !strings.Contains(d.pane.notice.Text(), "Nothing of it was run or loaded.") {
				t.Errorf("notice: %q", d.pane.notice.Text())
			}
			if n := asked.Load(); n != 0 {
				t.Errorf("%d requests arrived", n)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			assert.NoError(t, err)
			answer, err := http.DefaultClient.Do(request)
			assert.NoError(t, err)
			if err := answer.Body.Close(); err != nil || asked.Load() != 1 {
				t.Fatal("the server would not have counted a request")
			}
		})
	}
}
