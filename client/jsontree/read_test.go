package jsontree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

func mustRead(t testing.TB, text string) *Document {
	t.Helper()
	d, err := Read(t.Context(), []byte(text))
	assert.NoError(t, err)
	return d
}

func located(t testing.TB, d *Document, path string) Node {
	t.Helper()
	trail := d.Locate(path)
	if trail == nil {
		t.Fatalf("%q leads nowhere", path)
	}
	return trail[len(trail)-1].Node
}

func TestReadKeepsWhatWasSent(t *testing.T) {
	for name, c := range map[string]struct{ text, path, preview string }{
		"a number beyond any float":            {`{"n":1e400}`, "n", "1e400"},
		"a number's trailing zeroes":           {`{"n":0.10}`, "n", "0.10"},
		"a number of a thousand digits":        {`[` + strings.Repeat("7", 1000) + `]`, "[0]", strings.Repeat("7", 60) + "…"},
		"negative zero":                        {`[-0]`, "[0]", "-0"},
		"the last of equal keys is found":      {`{"a":1,"a":2}`, "a", "2"},
		"an escaped key":                       {`{"\u0061":1}`, "a", "1"},
		"a key that is no name":                {`{"a b":{"c.d":[5]}}`, `["a b"]["c.d"][0]`, "5"},
		"a key with a hyphen, as it is":        {`{"x-y":5}`, `x-y`, "5"},
		"an empty key":                         {`{"":5}`, `[""]`, "5"},
		"a quote in a key":                     {`{"a\"b":5}`, `["a\"b"]`, "5"},
		"text with escapes, decoded":           {`["caf\u00e9 \ud83d\ude00 a\/b"]`, "[0]", `"café 😀 a/b"`},
		"control characters, escaped":          {`["a\nb\tc\u0000\u007f"]`, "[0]", `"a\nb\tc\u0000\u007f"`},
		"bidi characters, escaped":             {"[\"a\u202eb\u2066c\"]", "[0]", `"a\u202eb\u2066c"`},
		"a lone surrogate, escaped":            {`["\ud800x"]`, "[0]", `"\ud800x"`},
		"a byte that is no UTF-8, escaped":     {"[\"a\xffb\"]", "[0]", `"a\xffb"`},
		"quotes and backslashes, told apart":   {`["say \"n\\n\""]`, "[0]", `"say \"n\\n\""`},
		"a byte order mark":                    {"\xef\xbb\xbf{\"a\":true}", "a", "true"},
		"a document that is a number":          {" 12 ", "", "12"},
		"a beginning of what holds others":     {`{"a":[1,"x",{"b":1},[],{},[2]]}`, "a", `[1, "x", {…}, [], {}, […]]`},
		"a very long text, its beginning":      {`["` + strings.Repeat("x", 1<<20) + `"]`, "[0]", `"` + strings.Repeat("x", 60) + "…"},
		"right-to-left letters, as they are":   {`["שלום"]`, "[0]", `"שלום"`},
		"joined emoji and Persian, unescaped":  {"[\"👩\u200d🚒 می\u200cخواهم\"]", "[0]", "\"👩\u200d🚒 می\u200cخواهم\""},
		"white space everywhere":               {" { \"a\" :\n[ 1 ,\t2 ] } ", "a[1]", "2"},
		"an index into an array of many":       {`[` + strings.Repeat("0,", 99_999) + `42]`, "[99999]", "42"},
		"a key after a hundred thousand":       {manyKeys(100_000), "k99999", "99999"},
		"a value behind a huge one":            {`{"a":"` + strings.Repeat("y", 1<<20) + `","b":[` + strings.Repeat("[],", 1<<16) + `1],"c":3}`, "c", "3"},
		"the 12th level of what is an array":   {strings.Repeat("[", 12) + "7" + strings.Repeat("]", 12), strings.Repeat("[0]", 12), "7"},
		"zero and null and false as different": {`[0,null,false,""]`, "[3]", `""`},
	} {
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, c.text)
			if got, _ := d.Preview(located(t, d, c.path), 60); got != c.preview {
				t.Errorf("shown as %s, want %s", got, c.preview)
			}
		})
	}
}

func manyKeys(n int) string {
	var out strings.Builder
	out.WriteString("{")
	for i := range n {
		if i > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(&out, `"k%d":%d`, i, i)
	}
	return out.String() + "}"
}

func TestReadWhatIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		offset   int
		sentence string
		root     string // preview of what was readable
		rest     string
	}{
		"empty":                         {"", 0, "This document is empty.", "", ""},
		"white space alone":             {" \n ", 3, "This document is empty.", "", ""},
		"a page":                        {"<html>", 0, "This document is not JSON. Its text is shown as it was sent.", "", "<html>"},
		"cut in an array":               {`{"a":[1,2`, 8, "This document breaks off at line 1, character 9. Assay shows what comes before.", `{"a": […]}`, "2"},
		"cut in a text":                 {`{"a":1,"b":"xy`, 11, "This document breaks off at line 1, character 12. Assay shows what comes before.", `{"a": 1}`, `"xy`},
		"cut in a key":                  {`{"a":1,"b`, 7, "This document breaks off at line 1, character 8. Assay shows what comes before.", `{"a": 1}`, `"b`},
		"cut after a key":               {`{"a":1,"b"`, 10, "This document breaks off at line 1, character 11. Assay shows what comes before.", `{"a": 1}`, ""},
		"cut in a word":                 {`[true,fal`, 6, "This document breaks off at line 1, character 7. Assay shows what comes before.", `[true]`, "fal"},
		"cut after a comma":             {`[1,`, 3, "This document breaks off at line 1, character 4. Assay shows what comes before.", `[1]`, ""},
		"a comma too many":              {`[1,]`, 3, "This document can't be read from line 1, character 4 on. Assay shows what comes before.", `[1]`, "]"},
		"a comma missing":               {"[1\n 2]", 4, "This document can't be read from line 2, character 2 on. Assay shows what comes before.", `[1]`, "2]"},
		"the wrong bracket":             {`{"a":[1}`, 7, "This document can't be read from line 1, character 8 on. Assay shows what comes before.", `{"a": […]}`, "}"},
		"more after the end":            {`{"a":1} x`, 8, "More text follows where this document should end, at line 1, character 9.", `{"a": 1}`, "x"},
		"a number that is none":         {`[1,01]`, 3, "This document can't be read from line 1, character 4 on. Assay shows what comes before.", `[1]`, "01]"},
		"a line break inside a text":    {"[1,\"a\nb\"]", 3, "This document can't be read from line 1, character 4 on. Assay shows what comes before.", `[1]`, `"a\nb"]`},
		"an escape that is none":        {`["\x"]`, 1, "This document can't be read from line 1, character 2 on. Assay shows what comes before.", `[]`, `"\x"]`},
		"a control character in a text": {"[\"a\x1fb\"]", 1, "This document can't be read from line 1, character 2 on. Assay shows what comes before.", `[]`, "\"a\\u001fb\"]"},
		"cut in an escape":              {`["\u12`, 1, "This document breaks off at line 1, character 2. Assay shows what comes before.", `[]`, `"\u12`},
		"a word that is none, cut":      {`[falsy`, 1, "This document can't be read from line 1, character 2 on. Assay shows what comes before.", `[]`, "falsy"},
		"NaN":                           {`{"a":NaN}`, 5, "This document can't be read from line 1, character 6 on. Assay shows what comes before.", `{}`, "NaN}"},
		"a number cut at the very end":  {`[12`, 1, "This document breaks off at line 1, character 2. Assay shows what comes before.", `[]`, "12"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Read(t.Context(), []byte(c.text))
			var fault *Fault
			if !errors.As(err, &fault) || fault.Offset != c.offset || fault.Sentence() != c.sentence {
				t.Fatalf("%v: %q", err, fault.Sentence())
			}
			if got, _ := d.Preview(d.Root(), 60); got != c.root {
				t.Errorf("readable: %s, want %s", got, c.root)
			}
			if got, _ := d.Preview(d.unread(), 60); got != c.rest {
				t.Errorf("the rest: %s, want %s", got, c.rest)
			}
		})
	}
	t.Run("nested a million deep and one", func(t *testing.T) {
		d, err := Read(t.Context(), []byte(strings.Repeat("[", deepest+1)))
		var fault *Fault
		if !errors.As(err, &fault) || fault.reason != tooDeep || d.Count(d.Root()) != 1 {
			t.Error(err)
		}
	})
	t.Run("no cut of a document makes a value that was not sent", func(t *testing.T) {
		const text = `{"a":[12.50,{"b":"xé\n","c":null}],"d":true,"e":-1e5}`
		whole := values(t, mustRead(t, text))
		for i := range len(text) {
			d, _ := read(t.Context(), []byte(text[:i]), 1)
			for path, value := range values(t, d) {
				if whole[path] != value && value != "container" {
					t.Errorf("cut at %d: %s is %s, was %s", i, path, value, whole[path])
				}
			}
		}
	})
}

// values are all of a document's by their paths.
func values(t *testing.T, d *Document) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, n := range all(d) {
		value := "container"
		if !n.HasChildren() {
			value, _ = d.Preview(n, 100)
		}
		out[d.Path(d.Trail(n))] = value
	}
	return out
}

// all gives every node, the parents first.
func all(d *Document) []Node {
	if d.Root().Kind == None {
		return nil
	}
	list := []Node{d.Root()}
	for i := 0; i < len(list); i++ {
		list = append(list, d.children(list[i], 0, 1<<30)...)
	}
	return list
}

func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := Read(ctx, []byte(`[1]`)); d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", d, err)
	}
}

func TestDepth(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine")
	}
	for name, depth := range map[string]int{"arrays": 10_000, "objects": 100_000} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if name == "objects" {
			text = strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		}
		t.Run(name, func(t *testing.T) {
			d := mustRead(t, text)
			n := d.Root()
			levels := 1
			for {
				children := d.children(n, 0, 1)
				if len(children) == 0 {
					break
				}
				n = children[0]
				levels++
			}
			trail := d.Trail(n)
			if want := depth + strings.Count(text, "1"); levels != want || len(trail) != want {
				t.Errorf("%d levels, a trail of %d, want %d", levels, len(trail), want)
			}
			back := d.Locate(d.Path(trail))
			if diff := cmp.Diff(len(trail), len(back)); diff != "" || back[len(back)-1].Node.Start != n.Start {
				t.Error("the path leads elsewhere")
			}
			o := NewOutline(d)
			row, ok := o.Reveal(trail)
			if !ok || row != len(trail)-1 || o.Row(row).Node.Start != n.Start {
				t.Errorf("revealed in row %d", row)
			}
		})
	}
}

func TestIndexIsSmall(t *testing.T) {
	for name, text := range map[string]string{
		"a million numbers": "[" + strings.Repeat("1,", 1_000_000-1) + "1]",
		"empty arrays":      "[" + strings.Repeat("[],", 500_000) + "1]",
		"towers":            "[" + strings.Repeat(strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+",", 100) + "1]",
		"long texts":        "[" + strings.Repeat(`"`+strings.Repeat("x", 1024)+`",`, 2_000) + "1]",
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(text)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			d, err := Read(t.Context(), data)
			assert.NoError(t, err)
			runtime.GC()
			runtime.ReadMemStats(&after)
			grown := float64(after.HeapAlloc) - float64(before.HeapAlloc)
			if grown > 0.1*float64(len(data)) {
				t.Errorf("%.1f MB for %.1f MB of text", grown/(1<<20), float64(len(data))/(1<<20))
			}
			n := d.Count(d.Root())
			if got := d.children(d.Root(), n-1, 5); len(got) != 1 {
				t.Errorf("%d children behind the last", len(got))
			}
		})
	}
}

// asPlain builds what encoding/json would.
func asPlain(t *testing.T, d *Document, n Node) any {
	t.Helper()
	switch n.Kind {
	case Object:
		out := map[string]any{}
		for _, c := range d.children(n, 0, 1<<30) {
			key, _ := decode(d.inside(c.keyStart, c.keyEnd), -1)
			out[key] = asPlain(t, d, c)
		}
		return out
	case Array:
		out := []any{}
		for _, c := range d.children(n, 0, 1<<30) {
			out = append(out, asPlain(t, d, c))
		}
		return out
	case String:
		text, _ := d.Pretty(n, 1<<30)
		return text
	case Number:
		text, _ := d.Pretty(n, 1<<30)
		return json.Number(text)
	case Bool:
		return d.text[n.Start] == 't'
	}
	return nil
}

func FuzzAgreesWithEncodingJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.50,-0,1e400,"x\u00e9\ud83d\ude00\ud800",true,false,null],"a":{"":{}}}`, `[[[[]]],[{}]]`, `{"a b":{"c":[1,{"d":"e\"f"}]}}`,
		`[1,]`, `{"a"}`, `"`, `01`, "\"\x01\"", `nul`, ` [ 1 , 2 ] `, "[\"\xff\"]", `{"a":1}x`, `[1.]`, `-`, `"\u12"`,
	} {
		f.Add([]byte(seed), "a")
	}
	f.Fuzz(func(t *testing.T, data []byte, query string) {
		if strings.HasPrefix(string(data), "\xef\xbb\xbf") {
			return
		}
		for _, grain := range []int{1, 7, grain} {
			d, err := read(t.Context(), data, grain)
			if (err == nil) != json.Valid(data) {
				t.Fatalf("%v, but valid is %v", err, json.Valid(data))
			}
			checkDocument(t, d)
			matches(t, d, query)
			d.Locate(query)
			if err != nil {
				continue
			}
			var want any
			decoder := json.NewDecoder(strings.NewReader(string(data)))
			decoder.UseNumber()
			assert.NoError(t, decoder.Decode(&want))
			if diff := cmp.Diff(want, asPlain(t, d, d.Root())); diff != "" {
				t.Fatal(diff)
			}
			pretty, whole := d.Pretty(d.Root(), 1<<30)
			if d.Root().HasChildren() && (!whole || !json.Valid([]byte(pretty))) {
				t.Fatalf("pretty is no JSON: %s", pretty)
			}
		}
	})
}

// checkDocument holds a document to what every one keeps.
func checkDocument(t *testing.T, d *Document) {
	t.Helper()
	nodes := all(d)
	nodes = nodes[:min(len(nodes), 60)] // a trail of each, which is long where the document is deep
	for _, n := range nodes {
		children := d.children(n, 0, 1<<30)
		if d.Count(n) != len(children) {
			t.Fatalf("counts %d, has %d", d.Count(n), len(children))
		}
		for i, c := range children[:min(len(children), 20)] {
			if one := d.children(n, i, 1); len(one) != 1 || one[0] != c {
				t.Fatalf("child %d is %v, and %v", i, c, one)
			}
		}
		trail := d.Trail(n)
		if trail == nil || trail[len(trail)-1].Node != n {
			t.Fatalf("no trail to %v", n)
		}
		d.Preview(n, 20)
		d.Pretty(n, 20)
		d.Path(d.Trail(n))
	}
	d.Preview(d.unread(), 20)
	o := NewOutline(d)
	for i := 0; i < min(o.Len(), 60); i++ {
		if !o.Row(i).Open {
			o.Toggle(i)
		}
	}
	for i := range min(o.Len(), 60) {
		trail := o.TrailOf(i)
		if row, ok := o.Reveal(trail); len(trail) > 0 && (!ok || row != i) {
			t.Fatalf("row %d is found in row %d", i, row)
		}
		if p := o.Parent(i); p >= i {
			t.Fatalf("row %d has its parent in row %d", i, p)
		}
	}
}
