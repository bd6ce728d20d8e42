package jsontree

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// matches are all of a query.
func matches(t testing.TB, d *Document, query string) (all []Node) {
	t.Helper()
	search := d.Search(query)
	for {
		found, more, err := search.Next(t.Context())
		assert.NoError(t, err)
		all = append(all, found...)
		if !more {
			return all
		}
	}
}

func paths(t testing.TB, d *Document, query string) (out []string) {
	t.Helper()
	for _, n := range matches(t, d, query) {
		out = append(out, d.Path(d.Trail(n)))
	}
	return out
}

func TestSearch(t *testing.T) {
	d := mustRead(t, `{"models":[{"name":"svc-Oak","finalScore":0.9312},{"name":"OAK 2","status":null}],"Größe":"İstanbul","kelvin":"\u212A",
		"esc":"tea\u0073poon","url":"https://s3.example/a.png?X-Amz-Signature=deadbeef","list":[true,1e400,"true"]}`)
	d.Mask = func(_, text string) string {
		before, _, cut := strings.Cut(text, "?")
		if cut {
			return before + "?…"
		}
		return text
	}
	for query, want := range map[string][]string{
		"oak":        {"models[0].name", "models[1].name"},
		"finalscore": {"models[0].finalScore"},
		"0.93":       {"models[0].finalScore"},
		"MODELS":     {"models"},
		"GRÖSSE":     nil,
		"gRÖße":      {"Größe"},
		"k":          {"models[0].name", "models[1].name", "kelvin"},
		"teaspoon":   {"esc"},
		"TRUE":       {"list[0]", "list[2]"},
		"1e4":        {"list[1]"},
		"null":       {"models[1].status"},
		"deadbeef":   nil,
		"amz":        nil,
		"a.png?":     {"url"},
		"":           nil,
		"nowhere":    nil,
	} {
		t.Run("finds "+query, func(t *testing.T) {
			assert.Equal(t, want, paths(t, d, query))
		})
	}
	t.Run("tells of a node once, and gives it as Children does", func(t *testing.T) {
		d := mustRead(t, `{"a":{"oak":"oak"},"oak":[1]}`)
		got := matches(t, d, "oak")
		want := []Node{located(t, d, "a.oak"), located(t, d, "oak")}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
	t.Run("looks into what is no JSON too", func(t *testing.T) {
		d, _ := Read(t.Context(), []byte(`{"a":1} <b>Oak</b>`))
		if n := len(matches(t, d, "oak")); n != 1 {
			t.Errorf("%d matches", n)
		}
	})
	t.Run("gives the first matches after a little of the text, and stops where it is asked to", func(t *testing.T) {
		d := mustRead(t, "["+strings.Repeat(`"oak",`, 500_000)+`"end"]`)
		search := d.Search("oak")
		first, more, err := search.Next(t.Context())
		if err != nil || !more || len(first) == 0 || len(first) > 100_000 {
			t.Errorf("%d at first, more %v, %v", len(first), more, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, more, err := search.Next(ctx); len(got) > 0 || !more || !errors.Is(err, context.Canceled) {
			t.Errorf("%d, more %v, %v", len(got), more, err)
		}
		total := len(first)
		for more := true; more; {
			var got []Node
			got, more, _ = search.Next(t.Context())
			total += len(got)
		}
		if total != 500_000 {
			t.Errorf("%d in all", total)
		}
	})
}

func TestPretty(t *testing.T) {
	d := mustRead(t, ` { "a" : [ 1.0, {}, [ ], {"b":"x\ty"} ], "c": "say \"hi\"\n" } `)
	for path, want := range map[string]string{
		"":          "{\n  \"a\": [\n    1.0,\n    {},\n    [],\n    {\n      \"b\": \"x\\ty\"\n    }\n  ],\n  \"c\": \"say \\\"hi\\\"\\n\"\n}",
		"a[0]":      "1.0",
		"a[3].b":    "x\ty",
		"c":         "say \"hi\"\n",
		"a[1]":      "{}",
		"a[3]":      "{\n  \"b\": \"x\\ty\"\n}",
		`["a"]`:     "[\n  1.0,\n  {},\n  [],\n  {\n    \"b\": \"x\\ty\"\n  }\n]",
		`a[3]["b"]`: "x\ty",
	} {
		if got, whole := d.Pretty(located(t, d, path), 1000); got != want || !whole {
			t.Errorf("%s: %s", path, got)
		}
	}
	t.Run("is cut at its limit", func(t *testing.T) {
		d := mustRead(t, `["`+strings.Repeat("x", 1<<20)+`",`+strings.Repeat("1,", 1<<20)+"2]")
		for _, path := range []string{"", "[0]"} {
			if got, whole := d.Pretty(located(t, d, path), 1000); whole || len(got) > 2000 {
				t.Errorf("%q: %d bytes", path, len(got))
			}
		}
	})
	t.Run("is masked under the right key", func(t *testing.T) {
		d := mustRead(t, `{"open":"secret","shut":"secret","in":{"open":["secret"]},"secret":1}`)
		d.Mask = func(key, text string) string {
			if key == "open" {
				return text
			}
			return strings.ReplaceAll(text, "secret", "…")
		}
		got, _ := d.Pretty(d.Root(), 1000)
		want := "{\n  \"open\": \"secret\",\n  \"shut\": \"…\",\n  \"in\": {\n    \"open\": [\n      \"…\"\n    ]\n  },\n  \"…\": 1\n}"
		if got != want {
			t.Error(got)
		}
	})
}

func TestOutline(t *testing.T) {
	d := mustRead(t, `{"a":[10,[20,21],30],"b":{"c":{"d":1}},"e":2}`)
	lines := func(o *Outline) []string {
		var out []string
		for i := range o.Len() {
			row := o.Row(i)
			out = append(out, strings.Repeat(" ", row.Depth)+d.Path(d.Trail(row.Node)))
		}
		return out
	}
	o := NewOutline(d)
	if diff := cmp.Diff([]string{"", " a", " b", " e"}, lines(o)); diff != "" {
		t.Fatal(diff)
	}
	t.Run("opens and closes", func(t *testing.T) {
		if grown := o.Toggle(1) + o.Toggle(3); grown != 5 {
			t.Errorf("grew by %d", grown)
		}
		assert.Equal(t, []string{"", " a", "  a[0]", "  a[1]", "   a[1][0]", "   a[1][1]", "  a[2]", " b", " e"}, lines(o))
		if o.Toggle(4) != 0 {
			t.Error("a number opens")
		}
		if grown := o.Toggle(1); grown != -5 {
			t.Errorf("grew by %d", grown)
		}
		if grown := o.Toggle(0); grown != -3 || o.Row(0).Open || o.Len() != 1 {
			t.Errorf("the root grew by %d", grown)
		}
		if grown := o.Toggle(0); grown != 3 || !o.Row(0).Open {
			t.Errorf("the root grew by %d", grown)
		}
	})
	t.Run("closes all that is open within the root", func(t *testing.T) {
		o := NewOutline(d)
		if o.Toggle(1)+o.Toggle(0) != -3 || o.Toggle(0) != 3 {
			t.Errorf("%d rows", o.Len())
		}
		assert.Equal(t, []string{"", " a", " b", " e"}, lines(o))
	})
	t.Run("reveals what is closed, from a closed root too", func(t *testing.T) {
		o.Toggle(0)
		row, ok := o.Reveal(d.Locate("b.c.d"))
		if !ok || row != 4 {
			t.Errorf("in row %d", row)
		}
		row, _ = o.Reveal(d.Locate("a[1][1]"))
		if diff := cmp.Diff([]string{"", " a", "  a[0]", "  a[1]", "   a[1][0]", "   a[1][1]", "  a[2]", " b", "  b.c", "   b.c.d", " e"}, lines(o)); diff != "" || row != 5 {
			t.Errorf("in row %d: %s", row, diff)
		}
		if p := o.Parent(9); p != 8 {
			t.Errorf("parent in row %d", p)
		}
		if got := d.Path(o.TrailOf(9)); got != "b.c.d" {
			t.Errorf("path %s", got)
		}
	})
	t.Run("shows what can't be read last", func(t *testing.T) {
		d, _ := Read(t.Context(), []byte(`{"a":1}}`))
		o := NewOutline(d)
		if o.Len() != 3 || o.Row(2).Node.Kind != Unread || o.Toggle(2) != 0 || o.Parent(2) != -1 {
			t.Errorf("%d rows", o.Len())
		}
	})
}
