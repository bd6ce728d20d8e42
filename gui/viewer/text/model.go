package text

import (
	"context"
	"errors"
	"strings"

	"assay/client"
	"assay/client/explain"
	"assay/client/i18n"
	"assay/gui/present"
)

// Prose is a text as the viewer shows it: that of the explainability page with its marks, or the text itself.
type Prose struct {
	Marked   bool         // whether it is from the explainability page
	Blocks   []ProseBlock // none if there is nothing to show
	Marks    []ProseMark  // to which the blocks' runs refer
	Passages []int        // indices of the text's marks in order, without the legend's examples
	Legend   []string     // the meaning of the marks, in the page's words
	Summary  string       // "12 marked passages"
	Notices  []string     // remarks to show with it, as sentences
}

// ProseBlock is a paragraph, heading, item or row. Its text has no control characters.
type ProseBlock = explain.Block

// ProseRun is a stretch of a block that differs from plain text.
type ProseRun = explain.Run

// The kinds of a block.
const (
	ProseParagraph = explain.Paragraph
	ProseHeading   = explain.Heading
	ProseItem      = explain.Item
)

// MostProse is the number of bytes that are read of a page or a text; more are not shown.
const MostProse = 16 << 20

// ProseMark is a marked passage, or an example in the legend.
type ProseMark struct {
	Says   string  // what the page says about it
	Shade  float64 // 0 to 1, how strong its colour is; 0.5 if the page gives no number
	Block  int     // index of the block where it begins
	Start  int     // byte offset in the block's text
	Legend bool
}

// ErrNoPage is the reason for no explainability page if the service names none.
var ErrNoPage error = noPage{}

type noPage struct{}

func (noPage) Error() string    { return "the result has no explainability page" }
func (noPage) Sentence() string { return i18n.T("the service names none for this result.") }

// ProseOf converts an explainability page. err is the error of fetching it, which it returns, as ErrNoPage if the service has none. It is slow: run it
// off the UI thread.
func ProseOf(ctx context.Context, page []byte, err error) (*Prose, error) {
	switch {
	case errors.Is(err, client.ErrNoArtifact):
		return nil, ErrNoPage
	case err != nil:
		return nil, err
	}
	limits := explain.DefaultLimits
	limits.Bytes = MostProse
	read, err := explain.Read(ctx, page, limits)
	if err != nil {
		return nil, err
	}
	p := &Prose{Marked: true, Blocks: read.Blocks}
	p.takeMarks(read)
	p.Summary = prosePassages(len(p.Passages))
	p.Notices = append(proseCuts(read.Cuts, limits, "The page is too large to show whole: it was cut after %s."), proseLeftOut(read.LeftOut)...)
	return p, nil
}

// ProseOfText converts the text itself: a person's own file, or the service's copy. err is the error of reading it. instead is why there is no page,
// nil if none was asked for.
func ProseOfText(ctx context.Context, text []byte, err, instead error) (*Prose, error) {
	p := &Prose{}
	if instead != nil {
		p.Notices = append(p.Notices, i18n.F("No explainability page: %s", present.Problem(instead)))
	}
	if err == nil {
		limits := explain.DefaultLimits
		limits.Bytes = MostProse
		var read *explain.Page
		if read, err = explain.ReadText(ctx, text, limits); err == nil {
			p.Blocks = read.Blocks
			p.Notices = append(p.Notices, proseCuts(read.Cuts, limits, "The text is too large to show whole: it was cut after %s.")...)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch {
	case err != nil:
		p.Notices = append(p.Notices, i18n.F("The text itself can't be shown either. %s", present.Problem(err)))
		if instead == nil {
			p.Notices = []string{i18n.F("The text can't be shown. %s", present.Problem(err))}
		}
	case instead != nil:
		p.Notices[0] += " " + i18n.T("This is the text itself, without marks.")
	}
	p.Summary = i18n.T("The text alone, without marks")
	if len(p.Blocks) == 0 {
		p.Summary = ""
	}
	return p, nil
}

// takeMarks collects the marks and where each begins.
func (p *Prose) takeMarks(read *explain.Page) {
	p.Marks = make([]ProseMark, len(read.Marks))
	meanings := proseLegend(read)
	for i, m := range read.Marks {
		p.Marks[i] = ProseMark{Says: proseSays(m, meanings), Shade: 0.5, Block: -1, Legend: m.Legend}
		if m.Tinted {
			p.Marks[i].Shade = m.Depth
		}
	}
	for i, b := range read.Blocks {
		for _, r := range b.Runs {
			if r.Mark >= 0 && p.Marks[r.Mark].Block < 0 {
				p.Marks[r.Mark].Block, p.Marks[r.Mark].Start = i, r.Start
				if !p.Marks[r.Mark].Legend {
					p.Passages = append(p.Passages, r.Mark)
				}
			}
		}
		if b.Legend && b.Kind != explain.Heading && len(p.Legend) < mostProseLegend {
			p.Legend = append(p.Legend, b.Text)
		}
	}
}

const mostProseLegend = 12

// proseLegend returns the legend's meaning of each kind of mark, of which it shows an example.
func proseLegend(read *explain.Page) map[string]string {
	meanings := map[string]string{}
	for _, b := range read.Blocks {
		if !b.Legend {
			continue
		}
		for _, r := range b.Runs {
			if r.Mark < 0 || read.Marks[r.Mark].Kind == "" {
				continue
			}
			if meaning := strings.TrimLeft(b.Text[r.End:], " :–—-=·"); meaning != "" {
				meanings[read.Marks[r.Mark].Kind] = meaning
			}
		}
	}
	return meanings
}

// proseSays returns what a page says of a mark, and its number as it was sent.
func proseSays(m explain.Mark, meanings map[string]string) string {
	var parts []string
	if m.Label != "" {
		parts = append(parts, m.Label)
	}
	if meaning := meanings[m.Kind]; meaning != "" {
		parts = append(parts, meaning)
	} else if m.Label == "" && m.Kind != "" {
		parts = append(parts, i18n.F("“%s”", m.Kind))
	}
	if m.Sent != "" {
		parts = append(parts, m.Field+" = "+m.Sent)
	}
	if len(parts) == 0 {
		return i18n.T("the page says nothing of it")
	}
	return strings.Join(parts, " · ")
}

// MarkLine is the line below the text for a passage, by its index in Passages.
func (p *Prose) MarkLine(passage int) string {
	return i18n.F("%s of %s", i18n.Count(passage+1), i18n.Count(len(p.Passages))) + " · " + p.Marks[p.Passages[passage]].Says
}

// LegendLine is the line below the text on what marks mean; "" if the page has no legend.
func (p *Prose) LegendLine() string {
	if len(p.Passages) == 0 || len(p.Legend) == 0 {
		return ""
	}
	return i18n.F("In the page's own words: %s", strings.Join(p.Legend, "; "))
}

// LinkLine is the line below the text for a link that was clicked.
func LinkLine(address string) string {
	return i18n.F("The page links to %s. It is not opened from here.", address)
}

// Plain is the whole text without marks, for the clipboard.
func (p *Prose) Plain() string {
	var out strings.Builder
	for i, b := range p.Blocks {
		switch {
		case i == 0:
		case b.Joined:
			out.WriteString("\n")
		default:
			out.WriteString("\n\n")
		}
		out.WriteString(b.Text)
	}
	return out.String()
}

func prosePassages(n int) string {
	if n == 0 {
		return i18n.T("No marked passages")
	}
	return i18n.N(n, "%s marked passage", "%s marked passages")
}

func proseCuts(all []explain.Cut, limits explain.Limits, tooLarge i18n.Key) (sentences []string) {
	for _, cut := range all {
		switch cut {
		case explain.CutBytes:
			sentences = append(sentences, i18n.F(tooLarge, i18n.Size(int64(limits.Bytes))))
		case explain.CutText:
			sentences = append(sentences, i18n.F("The text is too large to show whole: it was cut after %s.", i18n.Size(int64(limits.Text))))
		case explain.CutBlocks:
			sentences = append(sentences, i18n.N(limits.Blocks, "The text is too long to show whole: it was cut after %s line.",
				"The text is too long to show whole: it was cut after %s lines."))
		case explain.CutMarks:
			sentences = append(sentences, i18n.N(limits.Marks, "The page has too many marks: those after the first are plain text.",
				"The page has too many marks: those after the first %s are plain text."))
		case explain.CutDepth:
			sentences = append(sentences, i18n.T("Parts of the page are nested too deeply for their marks to be read."))
		}
	}
	return sentences
}

func proseLeftOut(l explain.LeftOut) []string {
	if !l.Any() {
		return nil
	}
	var parts []string
	for _, p := range []struct {
		n     int
		words i18n.Plural
	}{
		{l.Scripts, i18n.Plural{One: "%s script", Other: "%s scripts"}},
		{l.Frames, i18n.Plural{One: "%s embedded part", Other: "%s embedded parts"}},
		{l.Images, i18n.Plural{One: "%s picture", Other: "%s pictures"}},
		{l.Forms, i18n.Plural{One: "%s form field", Other: "%s form fields"}},
		{l.Loads, i18n.Plural{One: "%s address to load", Other: "%s addresses to load"}},
	} {
		if p.n > 0 {
			parts = append(parts, p.words.For(p.n))
		}
	}
	return []string{i18n.F("Left out of the page: %s. Nothing of it was run or loaded.", strings.Join(parts, ", "))}
}
