package report_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report"
	"assay/client/report/reporttest"
	"assay/client/submission"
	"assay/client/vault"
	"assay/client/verdict"
)

// tool runs a program that reads PDFs, and returns what it prints.
func tool(t testing.TB, name string, args ...string) string {
	t.Helper()
	printed, ok := reporttest.Tool(t, "", name, args...)
	if !ok {
		t.Errorf("%s %q: %s", name, args, printed)
	}
	return printed
}

// pdf writes results to a PDF, has it checked, and returns its path.
func (f *fixture) pdf(o report.Options, ids ...string) (path string) {
	f.t.Helper()
	path = filepath.Join(f.folder, "pages.pdf")
	o.Replace = true
	if err := report.Write(f.t.Context(), path, o, f.results(ids...)); err != nil {
		f.t.Fatal(err)
	}
	if said := tool(f.t, "qpdf", "--check", path); !strings.Contains(said, "No syntax or stream encoding errors") {
		f.t.Errorf("qpdf: %s", said)
	}
	return path
}

var spaces = regexp.MustCompile(`[\s\x{a0}\x{202f}]+`)

// words is a text without its spaces and line breaks: where a line ends is the page's own affair.
func words(text string) string { return spaces.ReplaceAllString(text, "") }

// TestAPDFSaysWhatTheWindowSays holds it to the words and numbers of client/verdict, as another program reads them.
func TestAPDFSaysWhatTheWindowSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it only lays out and draws")
	}
	f := setup(t)
	for _, language := range []string{"en", "de", "pt", "fr", "es"} {
		if err := i18n.Use(language, ""); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = i18n.Use("en", "") })
		ids := []string{"contradiction", "fake", "failed", "not applicable", "provisional"}
		if language == "en" {
			ids = f.everyKind()
		}
		for _, id := range ids {
			sub, _, err := f.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			v := verdict.Of(sub.Result)
			said := words(tool(t, "pdftotext", "-raw", f.pdf(report.Options{Made: noon}, id), "-"))
			want := []string{v.Headline, v.Sentence, v.Agreement, v.Contradiction, i18n.F("The service's status: %s", string(v.Status)), id + ".jpg", sub.SHA256, "request-" + id}
			for _, reason := range v.Reasons {
				want = append(want, reason.Text())
			}
			switch {
			case v.Contradiction != "":
			case v.Score != nil:
				want = append(want, v.Score.Text()+i18n.T("of 100 · ensemble"))
			default:
				want = append(want, i18n.T(verdict.NoScore))
			}
			for _, m := range sub.Result.Models {
				want = append(want, verdict.ModelName(m), string(m.Status))
				if n := verdict.ModelScore(m); n != nil {
					want = append(want, n.Text(), n.Field)
				}
			}
			for _, text := range want {
				if !strings.Contains(said, words(text)) {
					t.Errorf("%s, %s: the PDF does not say %q", language, id, text)
				}
			}
		}
	}
}

// withManyHeatmaps adds a result with its photo and four heatmaps over it.
func (f *fixture) withManyHeatmaps(id string) {
	f.t.Helper()
	f.withPicture(id, image.Pt(80, 60), submission.GateSend)
	photo := image.NewRGBA(image.Rect(0, 0, 1600, 1200))
	for i := range photo.Pix {
		photo.Pix[i] = byte(i * 7 % 251)
	}
	var content bytes.Buffer
	encode(f.t, png.Encode(&content, photo))
	models, links := make([]string, 4), make([]string, 4)
	for i := range models {
		models[i] = fmt.Sprintf(`{"name": "m%d-img", "status": "FAKE", "finalScore": %d}`, i, 90+i)
		links[i] = fmt.Sprintf(`"m%d-img": "https://storage.example/h%d.png?sig=1"`, i, i)
	}
	path := filepath.Join(f.folder, id+".png")
	if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
		f.t.Fatal(err)
	}
	f.add(id+"4", fmt.Sprintf(`{"requestId": "request-%s4", "mediaType": "IMAGE", "overallStatus": "FAKE", "models": [%s], "heatmaps": {%s}}`, id, strings.Join(models, ","), strings.Join(links, ",")),
		func(s *submission.Submission) {
			s.Path, s.SHA256, s.Type = path, fmt.Sprintf("%x", sha256.Sum256(content.Bytes())), client.Image
		})
	for i := range models {
		if _, err := f.Keep(f.t.Context(), "request-"+id+"4", vault.Heatmap, fmt.Sprintf("m%d-img", i), func(w io.Writer) error {
			layer := image.NewNRGBA(image.Rect(0, 0, 800, 600))
			for y := range 600 {
				for x := range 800 {
					layer.SetNRGBA(x, y, color.NRGBA{R: byte(x), G: byte(y), B: byte(40 * i), A: byte(x / 4)})
				}
			}
			return png.Encode(w, layer)
		}); err != nil {
			f.t.Fatal(err)
		}
	}
}

// pictures are those in a PDF, each once, by their objects.
func pictures(t *testing.T, path string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for text := range strings.Lines(tool(t, "pdfimages", "-list", path)) {
		if fields := strings.Fields(text); len(fields) > 10 && fields[2] == "image" {
			all[fields[10]] = true
		}
	}
	return all
}

func TestTheHeatmapsOfAPDF(t *testing.T) {
	if testing.Short() {
		t.Skip("it only lays out and draws")
	}
	f := setup(t)
	f.withManyHeatmaps("many")
	path := f.pdf(report.Options{}, "many4")
	shown := len(pictures(t, path))
	if shown != 5 { // the photo once, though it lies below four heatmaps
		t.Errorf("%d pictures", shown)
	}
	said := words(tool(t, "pdftotext", path, "-"))
	for i := range 4 {
		if want := words(fmt.Sprintf("Where m%d-img reacted, not what was altered", i)); !strings.Contains(said, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	path = f.pdf(report.Options{Media: report.MediaNone}, "many4")
	if shown := len(pictures(t, path)); shown != 0 || !strings.Contains(words(tool(t, "pdftotext", path, "-")), words("left out of this report")) {
		t.Errorf("%d pictures without media", shown)
	}
	f.withPicture("sensitive", image.Pt(80, 60), submission.GateAsk)
	f.withPicture("wide", image.Pt(60, 60), submission.GateSend)
	for id, want := range map[string]int{"sensitive": 0, "wide": 2} {
		if shown := len(pictures(t, f.pdf(report.Options{}, id))); shown != want {
			t.Errorf("%s: %d pictures, want %d", id, shown, want)
		}
	}
}

func TestNamesOfAllScriptsInAPDF(t *testing.T) {
	if testing.Short() {
		t.Skip("it only lays out and draws")
	}
	f := setup(t)
	for name, want := range map[string]string{
		"👩‍👩‍👧 🙂.jpg": "[U+1F469][U+200D][U+1F469][U+200D][U+1F467] [U+1F642].jpg",
		"사진.jpg":      "[U+C0AC][U+C9C4].jpg",
		"صورة.jpg":    "[U+0635][U+0648][U+0631][U+0629].jpg",
		"Žluťoučký Ωμέγα Привет.jpg":           "Žluťoučký Ωμέγα Привет.jpg",
		strings.Repeat("é", 125) + ".jpg":      strings.Repeat("é", 125) + ".jpg",
		strings.Repeat("x", 251) + ".jpg":      strings.Repeat("x", 251) + ".jpg",
		strings.Repeat("語", 83) + ".jpg":       strings.Repeat("[U+8A9E]", 83) + ".jpg",
		"(brackets) \\ and %PDF endobj >>.jpg": "(brackets) \\ and %PDF endobj >>.jpg",
		"a\x00b\u202egpj.exe":                  "a[U+0000]b[U+202E]gpj.exe",
		"two\nlines\tand\r\nmore.jpg":          "two lines and more.jpg",
		"\xff\xfe not UTF-8.jpg":               "\uFFFD\uFFFD not UTF-8.jpg",
	} {
		id := fmt.Sprintf("%x", len(name)) + fmt.Sprint(len(want))
		f.add(id, kinds["authentic"], func(s *submission.Submission) {
			if submitted := plain.From(name).String(); submitted == name {
				s.Name = name
			}
		})
		if err := f.SetNote(t.Context(), id, name); err != nil { // it may hold what a name can't
			t.Fatal(err)
		}
		said := tool(t, "pdftotext", "-raw", f.pdf(report.Options{}, id), "-")
		if !strings.Contains(words(said), words(want)) {
			t.Errorf("%q: it does not say %q: %.500s", name, want, said)
		}
		if has := strings.Contains(words(said), words("[U+…] is the number of a character")); has != strings.Contains(strings.ReplaceAll(said, "[U+…]", ""), "[U+") {
			t.Errorf("%q: a note says what the numbers are: %v", name, has)
		}
	}
}

func TestAPDFOfManyPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it only lays out and draws")
	}
	f := setup(t)
	var models []string
	for i := range 20_000 {
		models = append(models, fmt.Sprintf(`{"name": "m%d", "status": "AUTHENTIC", "finalScore": 1}`, i))
	}
	f.add("models", `{"overallStatus": "AUTHENTIC", "models": [`+strings.Join(models, ",")+`]}`, nil)
	f.add("note", kinds["fake"], nil)
	if err := f.SetNote(t.Context(), "note", strings.Repeat("A long note, which goes on. ", 1500)+"Its end."); err != nil {
		t.Fatal(err)
	}
	path := f.pdf(report.Options{Made: noon}, "models", "note")
	said := tool(t, "pdftotext", "-layout", path, "-")
	if !strings.Contains(words(said), words("and 19,900 more")) || !strings.Contains(said, "Its end.") {
		t.Error("the models are not counted, or the note is cut")
	}
	pages := strings.Split(strings.TrimSuffix(said, "\f"), "\f")
	for i, page := range pages {
		if want := fmt.Sprintf("Page %d of %d", i+1, len(pages)); !strings.Contains(page, want) || !strings.Contains(page, "made 21 Nov 2026") {
			t.Errorf("page %d does not say %q", i+1, want)
		}
		if strings.Contains(page, "models[9") && !strings.Contains(page, "Field in the answer") {
			t.Errorf("page %d goes on without the table's head", i+1)
		}
	}
	if info := tool(t, "pdfinfo", path); !strings.Contains(info, "Evidence report") || !strings.Contains(info, "A4") || !strings.Contains(info, "2026") {
		t.Error(info)
	}
}

func TestAPDFHoldsSoMany(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["no models"], nil)
	err := report.Write(t.Context(), filepath.Join(f.folder, "r.pdf"), report.Options{}, f.results(slices.Repeat([]string{"one"}, 251)...))
	wantSentence(t, err, "at most 250 results")
	f.wantFiles()
}

// BenchmarkPDFWithFourHeatmaps is to take at most a second.
func BenchmarkPDFWithFourHeatmaps(b *testing.B) {
	f := setup(b)
	f.withManyHeatmaps("many")
	path := filepath.Join(f.folder, "pages.pdf")
	for b.Loop() {
		if err := report.Write(b.Context(), path, report.Options{Replace: true}, f.results("many4")); err != nil {
			b.Fatal(err)
		}
	}
	if each := b.Elapsed() / time.Duration(b.N); each > time.Second {
		b.Errorf("it took %v", each)
	}
}
