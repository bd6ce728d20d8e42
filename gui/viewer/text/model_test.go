package text

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

func TestProseOf(t *testing.T) {
	of := func(t *testing.T, page string) *Prose {
		t.Helper()
		p, err := ProseOf(t.Context(), []byte(page), nil)
		assert.NoError(t, err)
		return p
	}
	const page = `<h2>Legend</h2><ul><li><mark class=r>like this</mark>: said before</ul><h2>The text</h2>
		<p>One <mark class=r title="Said before: 80 of 100">two</mark><br>three <span data-score="0.730">four</span> <mark>five</mark>`
	t.Run("marks are told in the page's words and with its numbers as sent", func(t *testing.T) {
		p := of(t, page)
		var got []string
		for i := range p.Passages {
			got = append(got, p.MarkLine(i))
		}
		want := []string{"1 of 3 · Said before: 80 of 100 · said before", "2 of 3 · data-score = 0.730", "3 of 3 · the page says nothing of it"}
		assert.Equal(t, want, got)
	})
	t.Run("every number that is told is on the page", func(t *testing.T) {
		for _, m := range of(t, page).Marks {
			for _, word := range strings.FieldsFunc(m.Says, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
				if !strings.Contains(page, word) {
					t.Errorf("%q of %q is not on the page", word, m.Says)
				}
			}
		}
	})
	t.Run("an example in the legend is no passage", func(t *testing.T) {
		p := of(t, page)
		if p.Summary != "3 marked passages" || !p.Marks[0].Legend || len(p.Marks) != 4 {
			t.Errorf("%q, marks %+v", p.Summary, p.Marks)
		}
		assert.Equal(t, "In the page's own words: like this: said before", p.LegendLine())
	})
	t.Run("a mark begins where its text does", func(t *testing.T) {
		p := of(t, page)
		var got []string
		for _, i := range p.Passages {
			got = append(got, p.Blocks[p.Marks[i].Block].Text[p.Marks[i].Start:])
		}
		assert.Equal(t, []string{"two", "four five", "five"}, got)
	})
	t.Run("the strength is the page's, and in the middle where it tells none", func(t *testing.T) {
		p := of(t, page)
		if p.Marks[1].Shade != 0.8 || p.Marks[2].Shade != 0.73 || p.Marks[3].Shade != 0.5 {
			t.Errorf("%+v", p.Marks)
		}
	})
	t.Run("the plain text has no marks", func(t *testing.T) {
		if got, want := of(t, page).Plain(), "Legend\n\nlike this: said before\n\nThe text\n\nOne two\nthree four five"; got != want {
			t.Error(cmp.Diff(want, got))
		}
	})
	t.Run("A7 what a browser would run or load is told as left out", func(t *testing.T) {
		p := of(t, `<script>x</script><img src=//x><img src=//y><p>a`)
		want := []string{"Left out of the page: 1 script, 2 pictures. Nothing of it was run or loaded."}
		assert.Equal(t, want, p.Notices)
	})
	t.Run("counts", func(t *testing.T) {
		for n, want := range map[int]string{0: "No marked passages", 1: "1 marked passage", 12: "12 marked passages", 12034: "12,034 marked passages"} {
			if got := prosePassages(n); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
	t.Run("a result without a page says so", func(t *testing.T) {
		_, err := ProseOf(t.Context(), nil, &client.Error{Kind: client.KindAnswer, Err: client.ErrNoArtifact})
		if !errors.Is(err, ErrNoPage) {
			t.Errorf("error %v", err)
		}
	})
}

func TestProseOfText(t *testing.T) {
	for name, c := range map[string]struct {
		text         string
		err, instead error
		notices      []string
		summary      string
	}{
		"asked for":           {"one", nil, nil, nil, "The text alone, without marks"},
		"instead of a page":   {"one", nil, ErrNoPage, []string{"No explainability page: the service names none for this result. This is the text itself, without marks."}, "The text alone, without marks"},
		"asked for and gone":  {"", os.ErrNotExist, nil, []string{"The text can't be shown. The file is no longer where it was."}, ""},
		"neither can be read": {" ", nil, ErrNoPage, []string{"No explainability page: the service names none for this result.", "The text itself can't be shown either. The file contains no text."}, ""},
		"cut": {strings.Repeat("x", MostProse+1), nil, nil, []string{"The text is too large to show whole: it was cut after 16 MB.",
			"The text is too large to show whole: it was cut after 8 MB."}, "The text alone, without marks"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ProseOfText(t.Context(), []byte(c.text), c.err, c.instead)
			assert.NoError(t, err)
			assert.Equal(t, c.notices, p.Notices)
			if p.Summary != c.summary {
				t.Errorf("%q", p.Summary)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := ProseOfText(ctx, []byte("one"), nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}
