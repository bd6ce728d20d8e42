package explain

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// style is how a piece of text looks.
type style struct {
	bold, italic bool
	mark         *openMark
	link         string
}

// openMark is an open element that marks its text. It gets its number once it has text.
type openMark struct {
	Mark
	index int // -1 before that; it stays -1 where there are too many marks
	over  bool
}

// builder collects blocks.
type builder struct {
	limits Limits
	page   *Page

	kind        Kind
	level       int
	inLegend    bool
	joined      bool // the next block is a line of the same paragraph
	text        strings.Builder
	runs        []Run
	space       bool // a space is due before the next word
	size        int  // of all text so far
	stopped     bool
	legendLevel int // of the heading that introduces the legend, 0 for none
}

func newBuilder(limits Limits) *builder {
	return &builder{limits: limits, page: &Page{}, kind: Paragraph}
}

func (b *builder) cut(why Cut) {
	if !slices.Contains(b.page.Cuts, why) {
		b.page.Cuts = append(b.page.Cuts, why)
	}
}

// full reports whether no more text is accepted.
func (b *builder) full() bool { return b.stopped }

// line adds a whole block of plain text.
func (b *builder) line(text string, joined bool) {
	b.joined = joined
	b.put(Clean(text), style{})
	b.end(false)
}

// collapse adds text, with each run of white space reduced to one space.
func (b *builder) collapse(text string, s style) {
	for len(text) > 0 && !b.stopped {
		end := strings.IndexAny(text, " \t\n\r\f")
		word, rest := text, ""
		if end >= 0 {
			word, rest = text[:end], text[end+1:]
		}
		if word != "" {
			if b.space && b.text.Len() > 0 {
				b.gap(" ", s)
			}
			b.space = false
			b.put(Clean(word), s)
		}
		if end >= 0 {
			b.space = true
		}
		text = rest
	}
}

// gap adds what separates two pieces of text. It belongs to a mark only if both do.
func (b *builder) gap(between string, s style) {
	last := b.lastRun(b.text.Len())
	if last == nil || last.Mark < 0 || s.mark == nil || s.mark.index != last.Mark {
		s.mark = nil
	}
	if last == nil || last.Link != s.link {
		s.link = ""
	}
	s.bold, s.italic = s.bold && last != nil && last.Bold, s.italic && last != nil && last.Italic
	b.put(between, s)
}

// preserve adds text with its white space; a line break ends the block.
func (b *builder) preserve(text string, s style) {
	for !b.stopped {
		end := strings.IndexByte(text, '\n')
		line := text
		if end >= 0 {
			line = text[:end]
		}
		b.put(Clean(strings.TrimSuffix(line, "\r")), s)
		if end < 0 {
			return
		}
		blank := strings.TrimSpace(b.text.String()) == ""
		b.end(!blank)
		text = text[end+1:]
	}
}

// lastRun is the run that ends at an offset of the block, or nil.
func (b *builder) lastRun(at int) *Run {
	if len(b.runs) == 0 || b.runs[len(b.runs)-1].End != at {
		return nil
	}
	return &b.runs[len(b.runs)-1]
}

// put adds clean text to the block.
func (b *builder) put(text string, s style) {
	if text == "" || b.stopped {
		return
	}
	if room := b.limits.Text - b.size; len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		text = text[:room]
		b.stop(CutText)
	}
	start := b.text.Len()
	b.text.WriteString(text)
	b.size += len(text)
	run := Run{Start: start, End: b.text.Len(), Bold: s.bold, Italic: s.italic, Mark: b.number(s.mark, text), Link: s.link}
	if run.Start == run.End || run == (Run{Start: run.Start, End: run.End, Mark: -1}) {
		return
	}
	if last := b.lastRun(start); last != nil && last.Bold == run.Bold && last.Italic == run.Italic && last.Mark == run.Mark && last.Link == run.Link {
		last.End = run.End
		return
	}
	b.runs = append(b.runs, run)
}

// number gives a mark its index once it marks some text.
func (b *builder) number(m *openMark, text string) int {
	if m == nil || m.over {
		return -1
	}
	if m.index >= 0 {
		return m.index
	}
	if strings.TrimSpace(text) == "" {
		return -1
	}
	if len(b.page.Marks) >= b.limits.Marks {
		m.over = true
		b.cut(CutMarks)
		return -1
	}
	m.Legend = m.Legend || b.inLegend || b.legendLevel > 0
	m.index = len(b.page.Marks)
	b.page.Marks = append(b.page.Marks, m.Mark)
	return m.index
}

func (b *builder) stop(why Cut) {
	b.stopped = true
	b.cut(why)
}

// end ends the block. If joined, the next one is a line of the same paragraph.
func (b *builder) end(joined bool) {
	text := b.text.String()
	trimmed := strings.TrimRight(text, " ")
	if strings.TrimSpace(trimmed) == "" {
		b.text.Reset()
		b.runs, b.space = nil, false
		b.joined = b.joined && joined
		return
	}
	block := Block{Kind: b.kind, Level: b.level, Text: strings.Clone(trimmed), Joined: b.joined && len(b.page.Blocks) > 0}
	for _, r := range b.runs {
		if r.End = min(r.End, len(trimmed)); r.Start < r.End {
			block.Runs = append(block.Runs, r)
		}
	}
	b.setLegend(&block)
	if len(b.page.Blocks) >= b.limits.Blocks {
		b.stop(CutBlocks)
		return
	}
	b.page.Blocks = append(b.page.Blocks, block)
	b.text.Reset()
	b.runs, b.space, b.joined = nil, false, joined
	b.kind, b.level = Paragraph, 0
}

// setLegend sets whether a block explains the marks: it is under a heading for that, up to the next heading of its level.
func (b *builder) setLegend(block *Block) {
	if block.Kind == Heading {
		if b.legendLevel > 0 && block.Level <= b.legendLevel {
			b.legendLevel = 0
		}
		if b.legendLevel == 0 && isLegendTitle(block.Text) {
			b.legendLevel = block.Level
		}
	}
	block.Legend = b.inLegend || b.legendLevel > 0
}
