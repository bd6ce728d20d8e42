package explain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/client/assert"
	"assay/client/sandbox/forensics/text"

	"assay/client/explain"
)

func read(t *testing.T, page string) *explain.Page {
	t.Helper()
	got, err := explain.Read(t.Context(), []byte(page), explain.DefaultLimits)
	if err != nil && !errors.Is(err, explain.ErrNoText) {
		t.Fatal(err)
	}
	return got
}

// outline writes a page's blocks in short: "# " for a heading, "- " for an item, "| " for a row, "+ " for a line of the same
// paragraph; <…> for a mark, *…* for bold, /…/ for italic, (→ …) for a link.
func outline(p *explain.Page) string {
	var out strings.Builder
	for _, b := range p.Blocks {
		switch b.Kind {
		case explain.Heading:
			out.WriteString("# ")
		case explain.Item:
			out.WriteString("- ")
		case explain.Row:
			out.WriteString("| ")
		}
		if b.Joined {
			out.WriteString("+ ")
		}
		at := 0
		for _, r := range b.Runs {
			out.WriteString(b.Text[at:r.Start])
			piece := b.Text[r.Start:r.End]
			if r.Bold {
				piece = "*" + piece + "*"
			}
			if r.Italic {
				piece = "/" + piece + "/"
			}
			if r.Mark >= 0 {
				piece = fmt.Sprintf("<%d:%s>", r.Mark, piece)
			}
			if r.Link != "" {
				piece += "(→ " + r.Link + ")"
			}
			out.WriteString(piece)
			at = r.End
		}
		out.WriteString(b.Text[at:] + "\n")
	}
	return out.String()
}

func TestReadSanitises(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"paragraphs, headings and items are blocks": {"<h2>One</h2><p>two\n  three</p><ul><li>four<li>five</ul>six", "# One\ntwo three\n- four\n- five\nsix\n"},
		"a line break keeps the paragraph":          {"<p>one<br>two<br><br>three", "one\n+ two\nthree\n"},
		"cells of a row stand in one line":          {"<table><tr><th>Model</th><th>Score</th></tr><tr><td>a</td><td>1.5</td></tr></table>", "| *Model* · *Score*\n| a · 1.5\n"},
		"bold and italic":                           {"<p>a <b>b <i>c</i></b> d", "a *b */*c*/ d\n"},
		"white space is kept where the page says so": {
			"<style>.t{white-space:pre-wrap}</style><div class=t>one\ntwo\n\nthree  four</div>", "one\n+ two\nthree  four\n"},
		"a script's text is dropped":             {"<p>a<script>alert('b')</script>c", "ac\n"},
		"an unclosed script takes the rest":      {"<p>a<script>alert('b')", "a\n"},
		"a style's text is dropped":              {"<style>p{color:red}</style><p>a", "a\n"},
		"frames, plug-ins and drawings":          {"<p>a<iframe src=//x>b</iframe><object data=//x>c</object><svg><text>d</text></svg><embed src=//x>e", "ae\n"},
		"a drawing left open does not take more": {"<svg><text>a<p>b", "b\n"},
		"forms keep their text, not their fields": {"<form action=//x><p>a<input value=b><textarea>c</textarea><select><option>d</select><button>e</button>f</form>",
			"af\n"},
		"a picture leaves what it is said to show": {"<p>a <img src=http://x/y.png alt='a cat' onerror=alert(1)>", "a [Image: a cat]\n"},
		"a link is text with its address":          {"<p><a href='https://u:p@example.com/a?token=1#x'>there</a>", "there(→ https://example.com/a)\n"},
		"links that run something lead nowhere": {
			"<p><a href=' java\nscript:alert(1)'>a</a><a href=data:text/html,x>b</a><a href=file:///etc/passwd>c</a>", "abc\n"},
		"templates and what is not displayed": {"<template>a</template><p hidden>b</p><p style='display: none'>c</p><noscript>d</noscript>e", "e\n"},
		"entities are text":                   {"<p>&lt;script&gt;&amp;&eacute;&#x202e;&nbsp;x", "<script>&é[U+202E]\u00a0x\n"},
		"characters that turn the order are told": {
			"<p>a\u202eb\u2066c\u2069", "a[U+202E]b[U+2066]c[U+2069]\n"},
		"control characters and broken bytes": {"<meta charset=utf-8><p>a\x00b\x1bc\xffd é", "a\ufffdb\ufffdc\ufffdd é\n"},
		"end tags of nothing":                 {"</div></mark></p>a</b></table>", "a\n"},
		"a mark left open ends with its paragraph": {
			"<p>a <mark>b<p>c", "a <0:b>\nc\n"},
		"markup in a comment and in attributes": {"<!-- <p>x --><p title='<p>y'>z<![CDATA[q]]>", "z\n"},
		"plain text after plaintext":            {"<p>a<plaintext><b>b", "a\n<b>b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, outline(read(t, c.page)))
		})
	}
}

func TestReadTellsMarks(t *testing.T) {
	for name, c := range map[string]struct {
		page, text string
		mark       explain.Mark
	}{
		"mark with a title": {"<p><mark class=repeated title='Said before: 80 of 100'>a b</mark>", "<0:a b>\n",
			explain.Mark{Kind: "repeated", Label: "Said before: 80 of 100", Depth: 0.8, Tinted: true}},
		"a background in a style":      {"<p><span style='background-color: rgba(255, 0, 0, 0.25)'>a</span>", "<0:a>\n", explain.Mark{Depth: 0.25, Tinted: true}},
		"a class with a background":    {"<style>.x3 { background: #fcc }</style><p><span class=x3>a</span>", "<0:a>\n", explain.Mark{Kind: "x3"}},
		"a class that says so":         {"<p><span class='ai-generated'>a</span>", "<0:a>\n", explain.Mark{Kind: "ai-generated"}},
		"a number in an attribute":     {"<p><span data-score=0.730>a</span>", "<0:a>\n", explain.Mark{Sent: "0.730", Field: "data-score", Depth: 0.73, Tinted: true}},
		"a number of no scale":         {"<p><span data-weight=-3>a</span>", "<0:a>\n", explain.Mark{Sent: "-3", Field: "data-weight"}},
		"a mark round paragraphs":      {"<mark><p>a<p>b</mark>c", "<0:a>\n<0:b>\nc\n", explain.Mark{}},
		"none for a white background":  {"<p><span style='background: #fff'>a</span><mark>b</mark>", "a<0:b>\n", explain.Mark{}},
		"none for a container's looks": {"<div style='background: #eee'>a</div><mark>b</mark>", "a\n<0:b>\n", explain.Mark{}},
		"none for a picture behind":    {"<p style='background: url(//x)'>a<mark>b</mark>", "a<0:b>\n", explain.Mark{}},
		"none without text":            {"<p><mark> </mark>a<mark>b</mark>", "a<0:b>\n", explain.Mark{}},
		"one in a legend is no passage": {"<h2>Legend</h2><ul><li><mark>x</mark>: said before</ul>", "# Legend\n- <0:x>: said before\n",
			explain.Mark{Legend: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, c.page)
			assert.Equal(t, c.text, outline(got))
			assert.Equal(t, []explain.Mark{c.mark}, got.Marks)
		})
	}
	t.Run("a legend ends at the next heading", func(t *testing.T) {
		got := read(t, "<h2>Legend</h2><mark>x</mark><h2>The text</h2><mark>y</mark>")
		if !got.Marks[0].Legend || got.Marks[1].Legend || !got.Blocks[1].Legend || got.Blocks[2].Legend {
			t.Errorf("marks %+v, blocks %+v", got.Marks, got.Blocks)
		}
	})
}

func TestReadCountsWhatItLeavesOut(t *testing.T) {
	got := read(t, `<head><link rel=stylesheet href=//x><meta http-equiv=refresh content="0;url=//x"><base href=//x></head>
<body onload="a()" background=//x><script src=//x></script><iframe src=//x></iframe><img src=//x><input><a href="javascript:x">t</a>`)
	want := explain.LeftOut{Scripts: 3, Frames: 1, Images: 1, Forms: 1, Loads: 4}
	assert.Equal(t, want, got.LeftOut)
}

func TestReadObeysTheCharset(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"declared":                        {"<meta charset=iso-8859-5><p>\xbf\xd8", "Пи\n"},
		"in UTF-16 with its mark":         {"\xff\xfe<\x00p\x00>\x00\xe9\x00", "é\n"},
		"in UTF-8 with its mark":          {"\xef\xbb\xbf<p>é", "é\n"},
		"UTF-8 that nobody declares":      {"<p>" + strings.Repeat("a ", 600) + "é", strings.Repeat("a ", 600) + "é\n"},
		"Windows-1252 nobody declares":    {"<p>caf\xe9 \x93x\x94", "café “x”\n"},
		"an encoding that does not exist": {"<meta charset=klingon><p>é", "é\n"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, outline(read(t, c.page)))
		})
	}
}

func TestReadIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine")
	}
	within := func(t *testing.T, page []byte, most time.Duration) *explain.Page {
		t.Helper()
		begun := time.Now()
		got, err := explain.Read(t.Context(), page, explain.DefaultLimits)
		if err != nil && !errors.Is(err, explain.ErrNoText) {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > most {
			t.Errorf("took %v", took)
		}
		return got
	}
	has := func(t *testing.T, p *explain.Page, want ...explain.Cut) {
		t.Helper()
		assert.Equal(t, want, p.Cuts)
	}
	const slow = 30 * time.Second // for a race build on a busy machine; it takes a fraction
	t.Run("a page of 100 MB is cut, and says so", func(t *testing.T) {
		has(t, within(t, []byte(strings.Repeat("<p>word word word word</p>", 4<<20)), slow), explain.CutBytes, explain.CutBlocks)
	})
	t.Run("100,000 elements within each other", func(t *testing.T) {
		got := within(t, []byte(strings.Repeat("<div>", 100_000)+"<mark>a</mark><script>x</script>"+strings.Repeat("</div>", 100_000)+"<mark>b</mark>"), slow)
		has(t, got, explain.CutDepth)
		assert.Equal(t, "a\n<0:b>\n", outline(got))
	})
	t.Run("a million end tags", func(t *testing.T) {
		within(t, []byte(strings.Repeat("<p><b><span>", 40)+strings.Repeat("</i></p><p>", 300_000)), slow)
	})
	t.Run("more text than is kept", func(t *testing.T) {
		has(t, within(t, []byte("<pre>"+strings.Repeat("é", 5<<20)), slow), explain.CutText)
	})
	t.Run("more marks than are told", func(t *testing.T) {
		got := within(t, []byte(strings.Repeat("<mark>a</mark> ", 120_000)), slow)
		has(t, got, explain.CutMarks)
		if len(got.Marks) != explain.DefaultLimits.Marks {
			t.Errorf("%d marks", len(got.Marks))
		}
	})
	t.Run("a page that is cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := explain.Read(ctx, []byte("<p>a"), explain.DefaultLimits); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a page without text says so", func(t *testing.T) {
		if _, err := explain.Read(t.Context(), []byte("<html><script>x</script>"), explain.DefaultLimits); !errors.Is(err, explain.ErrNoText) {
			t.Errorf("error %v", err)
		}
	})
}

func TestReadText(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"lines and paragraphs": {"one\r\ntwo\r\n\r\nthree", "one\n+ two\nthree\n"},
		"no markup":            {"<b>one</b> &amp;", "<b>one</b> &amp;\n"},
		"Windows-1252":         {"caf\xe9", "café\n"},
		"UTF-16":               {"\xfe\xff\x00a\x00\n\x05\xd0", "a\n+ א\n"},
		"orders are told":      {"a\u202eb", "a[U+202E]b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := explain.ReadText(t.Context(), []byte(c.text), explain.DefaultLimits)
			assert.NoError(t, err)
			assert.Equal(t, c.want, outline(got))
		})
	}
	t.Run("an empty file says so", func(t *testing.T) {
		if _, err := explain.ReadText(t.Context(), []byte(" \n"), explain.DefaultLimits); !errors.Is(err, explain.ErrNoText) {
			t.Errorf("error %v", err)
		}
	})
}

func TestReadTakesTheSandboxsPageWhole(t *testing.T) {
	refrain := "The harbour was closed for the night and nobody could tell when it would open again for the boats that were waiting outside. "
	words := "A storm came up on Monday.\n\n" + refrain + "Some of the <b>crews</b> slept aboard & waited.\n" + strings.Repeat(refrain, 3) + "\nIn the morning the wind had gone."
	report, err := text.Analyse(t.Context(), []byte(words), nil)
	assert.NoError(t, err)
	var page bytes.Buffer
	assert.NoError(t, report.Explain(&page, words))
	got, err := explain.Read(t.Context(), page.Bytes(), explain.DefaultLimits)
	assert.NoError(t, err)

	var marked, want []string
	for _, m := range report.Marks {
		want = append(want, strings.Join(strings.Fields(words[m.Start:m.End]), " "))
	}
	at := map[int]int{}
	for _, b := range got.Blocks {
		for _, r := range b.Runs {
			if r.Mark < 0 || got.Marks[r.Mark].Legend {
				continue
			}
			if i, known := at[r.Mark]; known {
				marked[i] += " " + strings.TrimSpace(b.Text[r.Start:r.End])
				continue
			}
			at[r.Mark] = len(marked)
			marked = append(marked, strings.TrimSpace(b.Text[r.Start:r.End]))
		}
	}
	if len(want) == 0 {
		t.Fatal("the sandbox marked nothing")
	}
	assert.Equal(t, want, marked)
	for i, m := range got.Marks {
		if !m.Legend && (m.Kind == "" || m.Label == "" || !m.Tinted) {
			t.Errorf("mark %d: %+v", i, m)
		}
	}
	whole := outline(got)
	for _, line := range []string{"A storm came up on Monday.", "In the morning the wind had gone.", "crews</b> slept aboard & waited."} {
		if !strings.Contains(whole, line) {
			t.Errorf("%q is not in\n%s", line, whole)
		}
	}
	if got.LeftOut.Any() || len(got.Cuts) > 0 {
		t.Errorf("left out %+v, cut %v", got.LeftOut, got.Cuts)
	}
}

// FuzzRead holds that a page of any bytes gives clean text, and runs that fit it.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"<p>a <mark class=x title='80 of 100'>b</mark> <b>c</b>", "<table><tr><td>a<td>b<tr></table><ul><li>c", "<style>.x{background:red;white-space:pre}</style><div class=x>a\nb",
		"<svg><p>a</svg><script>b</script", "\xff\xfe<\x00p\x00", "<meta charset=gbk>\x81\x30", "<h2>Legend</h2><span data-score=1%>a", "<a href='//x?y'>&#x202e;</a><img alt=a>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := explain.Limits{Bytes: 1 << 16, Text: 4 << 10, Blocks: 50, Marks: 20, Depth: 12}
		page, err := explain.Read(t.Context(), data, limits)
		if errors.Is(err, explain.ErrNoText) {
			return
		}
		assert.NoError(t, err)
		size := 0
		for _, b := range page.Blocks {
			size += len(b.Text)
			if !utf8.ValidString(b.Text) || explain.Clean(b.Text) != b.Text || strings.TrimSpace(b.Text) == "" {
				t.Fatalf("block %q", b.Text)
			}
			at := 0
			for _, r := range b.Runs {
				if r.Start < at || r.End <= r.Start || r.End > len(b.Text) || r.Mark >= len(page.Marks) || r.Mark < -1 {
					t.Fatalf("run %+v of %q", r, b.Text)
				}
				if !utf8.ValidString(b.Text[r.Start:r.End]) {
					t.Fatalf("run %+v cuts a character of %q", r, b.Text)
				}
				at = r.End
			}
		}
		if size > limits.Text || len(page.Blocks) > limits.Blocks || len(page.Marks) > limits.Marks {
			t.Fatalf("%d bytes, %d blocks, %d marks", size, len(page.Blocks), len(page.Marks))
		}
	})
}
