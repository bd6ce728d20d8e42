package plain_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/client/assert"
	"assay/client/plain"
	"assay/client/plain/plaintest"
)

func TestTextShows(t *testing.T) {
	for name, tc := range map[string]struct{ sent, want string }{
		"a plain name":                          {"Café 東京 (1).jpg", "Café 東京 (1).jpg"},
		"right-to-left letters":                 {"صورة.jpg", "صورة.jpg"},
		"emoji, joined ones too":                {"👩‍🚀❤️🏳️‍🌈1️⃣👍🏽.jpg", "👩‍🚀❤️🏳️‍🌈1️⃣👍🏽.jpg"},
		"Persian and Hindi words":               {"می\u200cخواهم क्\u200dष.jpg", "می\u200cخواهم क्\u200dष.jpg"},
		"accents, Vietnamese and Tibetan marks": {"é ệ བསྒྲུབས", "é ệ བསྒྲུབས"},
		"a line break":                          {"a\r\nb.jpg", "a��b.jpg"},
		"control characters":                    {"a\x00\x1b[31m\x7f\u0085\u009b.jpg", "a��[31m���.jpg"},
		"a direction mark hides no extension":   {"photo\u202egpj.exe", "photo�gpj.exe"},
		"isolates and invisible ones":           {"\u2066a\u2069\u200b\ufeff\u2028\u2029.jpg", "�a�����.jpg"},
		"bytes that are no UTF-8":               {"a\xff\xc3.jpg", "a��.jpg"},
		"blanks that are letters or symbols":    {"a\u115f\u3164\uffa0\u2800b", "a����b"},
		"tags":                                  {"a\U000E0041\U000E0042", "a��"},
		"private characters":                    {"a\ue000", "a�"},
		"a joiner between Latin letters":        {"FA\u200dKE", "FA�KE"},
		"a row of joiners":                      {"م\u200c\u200c\u200c", "م\u200c��"},
		"a row of variation selectors":          {"😀\ufe0f\ufe01\U000E0101", "😀\ufe0f��"},
		"marks without end":                     {"a" + strings.Repeat("\u0301", 1000) + "b", "a" + strings.Repeat("\u0301", 8) + "�b"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := plain.From(tc.sent).String(); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestTextKeepsWhatWasSent(t *testing.T) {
	type sent struct {
		XMLName xml.Name              `json:"-" xml:"sent"`
		Name    plain.Text            `json:"name" xml:"name"`
		By      map[plain.Text]string `json:"by,omitempty" xml:"-"`
	}
	for _, text := range plaintest.Hostile() {
		t.Run(fmt.Sprintf("through JSON %.20q", text), func(t *testing.T) {
			if !utf8.ValidString(text) {
				text = strings.ToValidUTF8(text, "\ufffd") // JSON has no form for it
			}
			raw, err := json.Marshal(map[string]any{"name": text, "by": map[string]string{text: "<x>"}})
			assert.NoError(t, err)
			var got sent
			if err := json.Unmarshal(raw, &got); err != nil || got.Name != plain.From(text) || got.By[plain.From(text)] != "<x>" {
				t.Fatalf("%+v, %v", got, err)
			}
			again, err := json.Marshal(struct {
				By   map[plain.Text]string `json:"by"`
				Name plain.Text            `json:"name"`
			}{got.By, got.Name})
			if err != nil || string(again) != string(raw) {
				t.Errorf("it is written as %s, not as the string %s: %v", again, raw, err)
			}
		})
	}
	for _, other := range []string{`{"name":3}`, `{"name":["x"]}`, `{"name":{"a":1}}`, `{"name":null}`} {
		t.Run("what is no text is none: "+other, func(t *testing.T) {
			var got sent
			if err := json.Unmarshal([]byte(other), &got); (err == nil) != strings.Contains(other, "null") || !got.Name.IsZero() {
				t.Errorf("%q, %v", got.Name.Verbatim(), err)
			}
		})
	}
	t.Run("through XML", func(t *testing.T) {
		var got sent
		if err := xml.Unmarshal([]byte("<sent><name>a\u202eb</name></sent>"), &got); err != nil || got.Name.String() != "a\ufffdb" {
			t.Errorf("%q, %v", got.Name, err)
		}
	})
}

func TestTextPrintsPlain(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		for _, verb := range []string{"%v", "%s", "%q", "%+v"} {
			plaintest.OneLine(t, fmt.Sprintf(verb, plain.From(text)))
			plaintest.OneLine(t, fmt.Sprintf(verb, struct{ Name plain.Text }{plain.From(text)}))
		}
		plaintest.OneLine(t, plain.Line(text))
	}
	if got := plain.Line("one\r\ntwo\tthree\u2028four  five"); got != "one two three four  five" {
		t.Errorf("%q", got)
	}
	if got := plain.From(" one\r\n two\tthree\u2028four  five").Folded().String(); got != "one two three four five" {
		t.Errorf("%q", got)
	}
}

func TestClip(t *testing.T) {
	for _, tc := range []struct {
		text string
		most int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"abcd", 1, "…"}} {
		if got := plain.From(tc.text).Clip(tc.most).String(); got != tc.want {
			t.Errorf("%q at %d: %q", tc.text, tc.most, got)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		t.Run(fmt.Sprintf("says the same without a hidden character: %.20q", text), func(t *testing.T) {
			text = strings.Map(func(r rune) rune { // as themselves they are no JSON
				if r < ' ' {
					return -1
				}
				return r
			}, text)
			raw := `{"` + text + `":1,"n": 1.50,` + "\r\n\t" + `"b":"\u202e\\n"}`
			got, err := plain.JSONLine([]byte(raw))
			if err != nil {
				t.Fatalf("%v of %q", err, raw)
			}
			laidOut, err := plain.JSON([]byte(raw))
			if again, failed := plain.JSONLine(laidOut); err != nil || failed != nil || string(again) != string(got) || !strings.Contains(string(laidOut), "1.50,\n\t") {
				t.Errorf("laid out it is %q, %v, %v", laidOut, err, failed)
			}
			plaintest.Lines(t, strings.ReplaceAll(string(laidOut), "\t", ""))
			if strings.ContainsFunc(string(got), plain.Hidden) || !utf8.Valid(got) {
				t.Errorf("%q", got)
			}
			var before, after map[string]any
			if json.Unmarshal([]byte(raw), &before) != nil || json.Unmarshal(got, &after) != nil || fmt.Sprint(before) != fmt.Sprint(after) {
				t.Errorf("%q became %q", raw, got)
			}
			if !strings.Contains(string(got), "1.50") {
				t.Errorf("a number is not as it was sent: %s", got)
			}
		})
	}
	if got, err := plain.JSON([]byte("no JSON\x1b")); err == nil {
		t.Errorf("%q", got)
	}
}

func FuzzText(f *testing.F) {
	for _, text := range plaintest.Hostile() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := plain.From(text).String()
		plaintest.OneLine(t, shown)
		if again := plain.From(shown).String(); again != shown {
			t.Errorf("%q shows as %q, and that as %q", text, shown, again)
		}
		plaintest.OneLine(t, plain.Line(text))
	})
}
