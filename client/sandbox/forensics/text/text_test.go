package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"

	"github.com/google/go-cmp/cmp"
)

// Pieces of plain prose, written for these tests.
const (
	englishText = `The ferry left late that morning. Nobody minded, because the fog had not lifted and the harbour
master, a patient woman called Ines, was still counting crates on the quay. Eleven. She counted once more, frowned, and
sent the boy back to the warehouse for the missing one. While he was gone we talked about the price of diesel, about her
sister's wedding in the hills, and about the strange light that fishermen claim to see beyond the last buoy in winter.
Do they really see it? She shrugged. Some nights, she said, the sea invents things to keep us company. The boy came
running with a crate of lemons under each arm. Twelve, then, and one too many! We laughed so loudly that the gulls rose
from the roof. By noon the sun was out, the ropes were coiled, and all of us had forgotten why the morning had seemed so
grey. I kept one of the lemons. It sat on my desk until spring, shrinking slowly, smelling of salt and paint whenever
the heating came on. My editor asked about it twice. I told him it was research.`
	spanishText = `El tren llegó con veinte minutos de retraso y nadie se quejó. En el andén esperaban una maestra jubilada,
dos soldados y un perro que no pertenecía a nadie. La maestra abrió su cuaderno y apuntó la hora, como hacía todos los
jueves desde que murió su marido. Llovía. Uno de los soldados le ofreció su paraguas, pero ella dijo que la lluvia de
septiembre no moja de verdad. ¿Quién podía discutirle eso? Cuando por fin se abrieron las puertas, el perro subió
primero, muy serio, y ocupó el asiento junto a la ventana. Todos sonreímos. El viaje hasta la costa dura tres horas.`
	portugueseText = `A padaria da esquina abre antes do sol nascer, e às seis já não há lugar ao balcão. O senhor Duarte
conhece toda a gente pelo nome e sabe quem não pode comer açúcar. Ontem apareceu uma mulher que ninguém tinha visto.
Pediu um café, ficou muito tempo a olhar para a rua e deixou uma moeda antiga em cima da mesa. Não disse mais nada. O
senhor Duarte guardou a moeda numa gaveta, porque achava que ela ia voltar para a buscar. Será que volta? Hoje choveu o
dia inteiro e a rua esteve vazia, mas ele não quis fechar as portas antes da meia-noite.`
	germanText = `Der alte Leuchtturm steht seit dreißig Jahren leer, und trotzdem brennt in manchen Nächten ein Licht
hinter den Scheiben. Die Kinder im Dorf erzählen sich, dass dort oben ein Kapitän wohnt, der auf sein verlorenes Schiff
wartet. Niemand hat ihn je gesehen. Im letzten Herbst ist der Bürgermeister selbst hinaufgestiegen und hat nur eine
kaputte Lampe, einen Stuhl und sehr viel Staub gefunden. Danach wollte er nicht mehr darüber sprechen. Warum wohl?`
)

func analysedText(t testing.TB, data []byte) *Report {
	t.Helper()
	report, err := Analyse(t.Context(), data, nil)
	if err != nil {
		t.Fatalf("Text: %v", err)
	}
	return report
}

// checkTextReport holds a report to what the package promises of every one.
func checkTextReport(t *testing.T, report *Report, text string) {
	t.Helper()
	forensicstest.CheckModels(t, Models(), report.Models, report.Conclusions)
	if (report.Score == nil) != (len(report.Reasons) > 0) {
		t.Errorf("score %v with reasons %v", report.Score, report.Reasons)
	}
	end := 0
	for _, m := range report.Marks {
		if m.Start < end || m.End <= m.Start || m.End > len(text) || m.Score <= 0 || m.Score >= 100 {
			t.Errorf("mark %+v behind %d in %d bytes", m, end, len(text))
		}
		end = m.End
	}
}

func TestTextsByLanguageAndRepetition(t *testing.T) {
	sentence := "Our product is the best product for you and for everyone in your family. "
	for name, c := range map[string]struct {
		text     string
		want     forensics.Status
		language string // "" for none
		reason   string
	}{
		"English prose":              {englishText, forensics.Authentic, "English", ""},
		"Spanish prose":              {spanishText, forensics.Authentic, "Spanish", ""},
		"Portuguese prose":           {portugueseText, forensics.Authentic, "Portuguese", ""},
		"German prose":               {germanText, forensics.NotApplicable, "German", "language"},
		"Chinese":                    {strings.Repeat("今天的天气非常好我们决定去海边散步看见很多渔船", 3), forensics.NotApplicable, "Mandarin", "language"},
		"one sentence, ten times":    {strings.Repeat(sentence, 10), forensics.Fake, "", ""},
		"prose with one page twice":  {englishText + " " + englishText, forensics.Suspicious, "English", ""},
		"prose with a repeated line": {englishText + " " + strings.Repeat(sentence, 2), forensics.Authentic, "English", ""},
		"too short":                  {"The ferry left late that morning, and nobody in the small harbour minded it very much.", forensics.NotApplicable, "English", "length"},
		"empty":                      {"", forensics.NotApplicable, "", "length"},
		"only digits":                {strings.Repeat("12 ", 20), forensics.NotApplicable, "", "length"},
	} {
		t.Run(name, func(t *testing.T) {
			report := analysedText(t, []byte(c.text))
			if report.Status != c.want {
				t.Errorf("status %s, want %s; %v", report.Status, c.want, report.Conclusions)
			}
			if got := strings.Join(report.Languages, ","); c.language != "" && got != c.language {
				t.Errorf("language %q, want %q", got, c.language)
			}
			if c.reason != "" && (len(report.Reasons) != 1 || report.Reasons[0].Code != c.reason) {
				t.Errorf("reasons %v, want %s", report.Reasons, c.reason)
			}
			checkTextReport(t, report, c.text)
		})
	}
}

func TestAnotherLanguageIsNamedInTheReason(t *testing.T) {
	report := analysedText(t, []byte(germanText))
	if len(report.Reasons) != 1 || !strings.Contains(report.Reasons[0].Message, "German") {
		t.Errorf("reasons %v, want German named", report.Reasons)
	}
}

func TestALongTextsLanguageIsTold(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "CONTRIBUTING.md"))
	assert.NoError(t, err)
	mixed := strings.Repeat(portugueseText+"\n\n", 3) + germanText
	for want, text := range map[string]string{"English": string(page), "Portuguese": mixed} {
		if got := analysedText(t, []byte(text)).Languages; len(got) != 1 || got[0] != want {
			t.Errorf("languages %v, want %s", got, want)
		}
	}
}

func TestEvenTextIsSuspiciousAtMost(t *testing.T) {
	// Sentences of the same length whose words come round like a clock.
	nouns := []string{"river", "window", "letter", "garden", "station", "mirror", "kettle"}
	verbs := []string{"holds", "finds", "moves", "keeps", "turns"}
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "Number%d the %s %s every %s near item%d. ", i, nouns[i%7], verbs[i%5], nouns[(i+3)%7], i*7)
	}
	report := analysedText(t, []byte(b.String()))
	m := report.Models[1]
	if m.Name != burstinessName || m.Status != forensics.Suspicious {
		t.Errorf("%s is %s (%v), want SUSPICIOUS", m.Name, m.Status, m.Data)
	}
	if report.Status != forensics.Suspicious {
		t.Errorf("ensemble %s, want SUSPICIOUS", report.Status)
	}
}

func TestSentencesThatOpenAlikeAreMarkedAndNeverFake(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "We will build road%d with stone%d. ", i, i)
	}
	text := b.String()
	report := analysedText(t, []byte(text))
	if report.Status != forensics.Suspicious {
		t.Errorf("status %s, want SUSPICIOUS: %v", report.Status, report.Models[0].Data)
	}
	if len(report.Marks) != 19 {
		t.Fatalf("%d marks, want one for each sentence but the first", len(report.Marks))
	}
	for _, m := range report.Marks {
		if text[m.Start:m.End] != "We will build" || m.Kind != MarkOpening {
			t.Errorf("%s mark on %q", m.Kind, text[m.Start:m.End])
		}
	}
}

func TestARepeatedPassageIsMarkedWhereItComesAgain(t *testing.T) {
	passage := "nobody in the valley remembers the winter when the mill burnt down"
	text := "At first, " + passage + ". " + englishText + " And yet " + passage + "!"
	report := analysedText(t, []byte(text))
	if len(report.Marks) != 1 || text[report.Marks[0].Start:report.Marks[0].End] != passage || report.Marks[0].Start < 1000 {
		t.Errorf("marks %+v, want the passage's second place alone", report.Marks)
	}
}

func TestTheSameTextGivesTheSameReportInEveryEncoding(t *testing.T) {
	utf16 := func(order func(hi, lo byte) []byte, mark bool) []byte {
		var b []byte
		if mark {
			b = append(b, order(0xfe, 0xff)...)
		}
		for _, r := range portugueseText { // no character beyond the first plane
			b = append(b, order(byte(r>>8), byte(r))...)
		}
		return b
	}
	big := func(hi, lo byte) []byte { return []byte{hi, lo} }
	little := func(hi, lo byte) []byte { return []byte{lo, hi} }
	var latin1 []byte
	for _, r := range portugueseText {
		latin1 = append(latin1, byte(r))
	}
	want := analysedText(t, []byte(portugueseText))
	for name, data := range map[string][]byte{
		"UTF-8 with a mark":         append([]byte("\xef\xbb\xbf"), portugueseText...),
		"UTF-16 LE with a mark":     utf16(little, true),
		"UTF-16 BE with a mark":     utf16(big, true),
		"UTF-16 LE without one":     utf16(little, false),
		"UTF-16 BE without one":     utf16(big, false),
		"Latin-1":                   latin1,
		"UTF-8 with two stray NULs": []byte(portugueseText[:100] + "\x00\x00" + portugueseText[100:]),
	} {
		t.Run(name, func(t *testing.T) {
			if text, err := Decode(data); err != nil || text != portugueseText {
				t.Fatalf("decoded %.60q, %v", text, err)
			}
			if diff := cmp.Diff(want, analysedText(t, data)); diff != "" {
				t.Errorf("report differs (-UTF-8):\n%s", diff)
			}
		})
	}
}

func TestBytesThatAreNoTextAreUnreadable(t *testing.T) {
	mountains, err := os.ReadFile("../../../../testdata/pictures/mountains.jpg")
	assert.NoError(t, err)
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(i*i*31 + i*7 + i>>3)
	}
	for name, data := range map[string][]byte{
		"a picture":                  mountains,
		"noise":                      noise,
		"zeros":                      make([]byte, 1000),
		"damaged UTF-8":              []byte(strings.Replace(portugueseText, "é", "\xc3", 1) + "\xc3"),
		"damaged UTF-8 behind a BOM": []byte("\xef\xbb\xbfcaf\xc3 abc"),
		"half of a UTF-16 pair":      []byte("\xff\xfea\x00\x00\xd8b\x00"),
		"odd UTF-16":                 []byte("\xff\xfea\x00b"),
		"undefined in Windows 1252":  []byte("caf\x81 and tea"),
		"control characters":         []byte(strings.Repeat("ab\x01\x02", 50)),
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Analyse(t.Context(), data, nil)
			var unreadable *forensics.Unreadable
			if !errors.As(err, &unreadable) || unreadable.Error() == "" {
				t.Errorf("got %v, %v, want an *Unreadable", report, err)
			}
		})
	}
}

func TestTheOrderOfModelsAndTheEndOfTheContext(t *testing.T) {
	forensicstest.CheckRun(t, Models(), func(ctx context.Context, finished func(forensics.Model)) error {
		_, err := Analyse(ctx, []byte(englishText), finished)
		return err
	})
}

func TestAFailingTextAnalyserIsARow(t *testing.T) {
	p := readProse(englishText)
	for name, analyse := range map[string]func(context.Context, *prose) (forensics.Model, []Mark, error){
		"an error": func(context.Context, *prose) (forensics.Model, []Mark, error) {
			return forensics.Model{}, nil, errors.New("no")
		},
		"a panic": func(context.Context, *prose) (forensics.Model, []Mark, error) { panic("out of range") },
	} {
		t.Run(name, func(t *testing.T) {
			m, _, err := run(t.Context(), analyser{"faulty", analyse}, p)
			if err != nil || m.Status != forensics.Unable || m.Code != "model-error" {
				t.Errorf("got %+v, %v, want UNABLE_TO_EVALUATE with model-error", m, err)
			}
			if sum, reasons := ensemble([]forensics.Model{m}); sum.Status != forensics.Unable || len(reasons) != 1 {
				t.Errorf("ensemble %s with %v, want UNABLE_TO_EVALUATE and a reason", sum.Status, reasons)
			}
		})
	}
}

func TestTheExplanationIsInertAndComplete(t *testing.T) {
	hostile := `<script>alert(1)</script> <img src=x onerror=alert(2)> </div></body> {{.Rows}} "quoted" & 'single' <a href="javascript:alert(3)">go</a>. `
	text := strings.Repeat(hostile, 5) + englishText
	report := analysedText(t, []byte(text))
	var b bytes.Buffer
	assert.NoError(t, report.Explain(&b, text))
	page := b.String()
	for _, bad := range []string{"<script", "<img", "<a ", "onerror=alert(2)>", "<link", "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, want := range []string{
		"<!DOCTYPE html>", "</html>", "default-src 'none'", "Legend", `<mark class="repeated" title="Said before: `,
		"&lt;script&gt;alert(1)&lt;/script&gt;", "Sandbox: classic statistics of style", repetitionName, ensembleName,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, "&lt;img src=x"); n != 5 {
		t.Errorf("the text's passage occurs %d times, want 5", n)
	}
}

func TestMarksThatDoNotFitTheTextAreLeftOut(t *testing.T) {
	marks := []Mark{{-1, 2, MarkRepeated, 50}, {0, 1, MarkRepeated, 50}, {0, 2, "other", 50}, {0, 2, MarkRepeated, 50}, {1, 3, MarkRepeated, 50}, {3, 99, MarkOpening, 50}}
	want := []explainPart{{"é", MarkRepeated, "Said before: 50 of 100"}, {"tude", "", ""}}
	if diff := cmp.Diff(want, explainParts("étude", marks)); diff != "" {
		t.Errorf("parts:\n%s", diff)
	}
}

// errWriter fails at once.
type errWriter struct{}

func (errWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAFailingWriterIsReported(t *testing.T) {
	if err := new(Report).Explain(errWriter{}, "text"); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v, want the writer's error", err)
	}
}

// FuzzText feeds any bytes: they are refused, or make a report that keeps its promises.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		englishText, germanText, "", "\xff\xfea\x00b\x00", "\xfe\xff\x00a", "a\x00b\x00c\x00", "caf\xe9 \x96 ol\xe9", "\xef\xbb\xbfabc",
		strings.Repeat("one two three four. ", 30), "no-\x80", "a'", "。！？",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := Analyse(t.Context(), data, nil)
		var unreadable *forensics.Unreadable
		if errors.As(err, &unreadable) {
			return
		}
		assert.NoError(t, err)
		text, err := Decode(data)
		assert.NoError(t, err)
		checkTextReport(t, report, text)
		if err := report.Explain(new(bytes.Buffer), text); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkText5MB(b *testing.B) {
	data := bytes.Repeat([]byte(englishText), 5<<20/len(englishText))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		analysedText(b, data)
	}
}
