package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/client/assert"
	"assay/client/report"
	"assay/client/submission"
	"assay/client/vault"
	"assay/client/verdict"
)

// page writes results to a page, and reads it.
func (f *fixture) page(o report.Options, ids ...string) *pageRead {
	f.t.Helper()
	path := filepath.Join(f.folder, "page.html")
	o.Replace = true
	assert.NoError(f.t, report.Write(f.t.Context(), path, o, f.results(ids...)))
	content, err := os.ReadFile(path)
	assert.NoError(f.t, err)
	root, err := html.Parse(bytes.NewReader(content))
	assert.NoError(f.t, err)
	p := &pageRead{t: f.t, raw: string(content)}
	p.read(root)
	return p
}

// pageRead is a page as a browser takes it.
type pageRead struct {
	t        testing.TB
	raw      string
	text     strings.Builder // what is read
	pictures []string        // the addresses of pictures
	tags     map[string]int
}

func (p *pageRead) read(n *html.Node) {
	if n.Type == html.TextNode && (n.Parent == nil || n.Parent.Data != "style") {
		p.text.WriteString(n.Data + "\n")
	}
	if n.Type == html.ElementNode {
		if p.tags == nil {
			p.tags = map[string]int{}
		}
		p.tags[n.Data]++
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "href", a.Key == "action", a.Key == "srcset":
				p.t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			case a.Key == "src":
				p.pictures = append(p.pictures, a.Val)
				if !strings.HasPrefix(a.Val, "data:image/") {
					p.t.Errorf("<%s> loads %q", n.Data, a.Val)
				}
			case a.Key == "style" && strings.ContainsAny(a.Val, "(:;") && !strings.HasPrefix(a.Val, "left: ") && !strings.HasPrefix(a.Val, "width: "):
				p.t.Errorf("<%s> has style=%q", n.Data, a.Val)
			}
		}
		switch n.Data {
		case "script", "iframe", "object", "embed", "link", "base", "form":
			p.t.Errorf("the page has <%s>", n.Data)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.read(c)
	}
}

func (p *pageRead) says(what string) bool { return strings.Contains(p.text.String(), what) }

// TestThePageSaysWhatTheWindowSays holds it to the words and numbers of client/verdict.
func TestThePageSaysWhatTheWindowSays(t *testing.T) {
	f := setup(t)
	for _, id := range f.everyKind() {
		sub, _, err := f.Get(t.Context(), id)
		assert.NoError(t, err)
		v, p := verdict.Of(sub.Result), f.page(report.Options{}, id)
		want := []string{v.Headline, v.Sentence, v.Agreement, v.Contradiction, "The service's status: " + string(v.Status), id + ".jpg", sub.SHA256, "request-" + id}
		for _, reason := range v.Reasons {
			want = append(want, reason.Text())
		}
		switch {
		case v.Contradiction != "":
		case v.Score != nil:
			want = append(want, v.Score.Text()+" \nof 100")
		default:
			want = append(want, verdict.NoScore)
		}
		for _, m := range sub.Result.Models {
			want = append(want, verdict.ModelName(m))
			if n := verdict.ModelScore(m); n != nil {
				want = append(want, n.Text(), n.Field)
			}
		}
		for _, text := range want {
			if !p.says(text) {
				t.Errorf("%s: the page does not say %q", id, text)
			}
		}
	}
}

func TestAPageRunsAndLoadsNothing(t *testing.T) {
	f := setup(t)
	for id, name := range map[string]string{"image": "<img src=x onerror=alert(1)>.jpg", "script": "</title><script>alert(1)</script>", "quotes": `"' onmouseover=alert(1) x="`} {
		f.add(id, kinds["hostile names"], func(s *submission.Submission) { s.Name = name })
		assert.NoError(t, f.SetNote(t.Context(), id, "</style><script src=http://x.example></script>"+name))
		if p := f.page(report.Options{}, id); !p.says(name) {
			t.Errorf("it does not say %q", name)
		}
	}
	f.add("link", kinds["authentic"], func(s *submission.Submission) {
		s.Path, s.SHA256, s.Link = "", "", "https://example.org/javascript:alert(1)?<b>"
	})
	p := f.page(report.Options{}, "link")
	if !p.says("https://example.org/javascript:alert(1)?<b>") || !strings.Contains(p.raw, `content="default-src &#39;none&#39;; img-src data:; style-src &#39;unsafe-inline&#39;"`) &&
		!strings.Contains(p.raw, `content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"`) {
		t.Errorf("%.600s", p.raw)
	}
}

// withPicture adds a result with its file, thumbnail and a heatmap.
func (f *fixture) withPicture(id string, heat image.Point, gate submission.Gate) (path string) {
	f.t.Helper()
	path = filepath.Join(f.t.TempDir(), id+".png")
	var file bytes.Buffer
	photo := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range photo.Pix {
		photo.Pix[i] = 200
	}
	encode(f.t, png.Encode(&file, photo))
	assert.NoError(f.t, os.WriteFile(path, file.Bytes(), 0o600))
	sum := sha256.Sum256(file.Bytes())
	f.add(id, `{"requestId": "request-`+id+`", "mediaType": "IMAGE", "overallStatus": "FAKE", "models": [{"name": "oak-img", "status": "FAKE", "finalScore": 90}],
		"heatmaps": {"oak-img": "https://storage.example/h.png?sig=1"}}`, func(s *submission.Submission) {
		s.Path, s.SHA256, s.Gate = path, hex.EncodeToString(sum[:]), gate
	})
	for kind, write := range map[string]func(io.Writer) error{
		vault.Thumbnail: func(w io.Writer) error { return jpeg.Encode(w, photo, nil) },
		vault.Heatmap: func(w io.Writer) error {
			layer := image.NewNRGBA(image.Rectangle{Max: heat})
			layer.Set(3, 3, color.NRGBA{R: 255, A: 128})
			return png.Encode(w, layer)
		},
	} {
		model := ""
		if kind == vault.Heatmap {
			model = "oak-img"
		}
		if _, err := f.Keep(f.t.Context(), "request-"+id, kind, model, write); err != nil {
			f.t.Fatal(err)
		}
	}
	return path
}

func encode(t testing.TB, err error) {
	t.Helper()
	assert.NoError(t, err)
}

func TestThePicturesOfAPage(t *testing.T) {
	f := setup(t)
	fits, wide, sensitive := image.Pt(80, 60), image.Pt(60, 60), submission.GateAsk
	file := f.withPicture("fits", fits, submission.GateSend)
	f.withPicture("wide", wide, submission.GateSend)
	f.withPicture("sensitive", fits, sensitive)
	for name, c := range map[string]struct {
		id       string
		media    report.Media
		pictures int
		says     string
		over     bool
	}{
		"the file itself, and a heatmap over it":             {"fits", "", 3, "As received, made smaller: 40 × 30 pixels, PNG.", true},
		"a heatmap of another shape beside it":               {"wide", "", 3, "As received", false},
		"what was held to be sensitive is left out":          {"sensitive", "", 0, "left out of this report", false},
		"but put in where that is asked for":                 {"sensitive", report.MediaReceived, 3, "As received", true},
		"none where none is wanted":                          {"fits", report.MediaNone, 0, "left out of this report", false},
		"of a result without any, nothing is said of it all": {"plain", "", 0, "SHA-256 as received", false},
	} {
		t.Run(name, func(t *testing.T) {
			f.t = t
			if c.id == "plain" {
				f.add("plain", kinds["fake"], nil)
			}
			p := f.page(report.Options{Media: c.media}, c.id)
			if len(p.pictures) != c.pictures || !p.says(c.says) {
				t.Errorf("%d pictures, %s", len(p.pictures), p.text.String())
			}
			if over := strings.Contains(p.raw, `class="over"`); over != c.over {
				t.Errorf("the heatmap lies over the picture: %v", over)
			}
			if c.pictures > 0 && !p.says("Where oak-img reacted, not what was altered") {
				t.Error("it does not say what a heatmap is")
			}
		})
	}
	t.Run("a file that is another one by now is not shown", func(t *testing.T) {
		f.t = t
		assert.NoError(t, os.WriteFile(file, []byte("changed"), 0o600))
		if p := f.page(report.Options{}, "fits"); !p.says("The service's small picture of it.") || p.says("As received, made smaller") {
			t.Error(p.text.String())
		}
	})
}

func TestAPageSaysWhatIsEmpty(t *testing.T) {
	f := setup(t)
	f.add("bare", kinds["no models"], nil)
	p := f.page(report.Options{}, "bare")
	for _, check := range []string{"Source contacted", "Earlier copy looked for", "Place", "Time", "Provenance", "Watermark tool", "Fact-checks", "Expert", "Staging"} {
		if !p.says(check + "\nempty\n") {
			t.Errorf("%s is not an empty slot", check)
		}
	}
	for _, text := range []string{"none was noted", "Empty: nobody has signed.", "no single model reported", "Added to Assay", "Answered", "https://detector.example"} {
		if !p.says(text) {
			t.Errorf("it does not say %q", text)
		}
	}
	f.withEverything("full")
	if p = f.page(report.Options{Made: noon}, "full"); !p.says("The desk says: manipulated: “the shadow”") || !p.says("from the second source") || !p.says("made 21 Nov 2026, 12:00:00 (UTC+01:00), 11:00:00 UTC") {
		t.Error(p.text.String())
	}
	if p = f.page(report.Options{Made: noon.UTC()}, "full"); !p.says("made 21 Nov 2026, 11:00:00") || p.says("11:00:00 UTC") { // the same moment is not said twice
		t.Error(p.text.String())
	}
}
