package report

import (
	"bytes"
	"context"
	"errors"
	"image"
	"iter"
	"strings"

	"assay/client/i18n"
	"assay/client/media/picture"
)

// Section is a part of a page, on a result or a case, for a preview that lays it out without being a file.
type Section = section

// Head is what stands above the sections.
type Head = head

// Table is a part of a Section.
type Table = table

// Row is a line of a Table.
type Row = row

// Cell is a field of a Row.
type Cell = cell

// Heatmap is a heatmap of a Section.
type Heatmap = shownHeatmap

// Lane is the bar above a Table on a timeline.
type Lane = lane

// LaneSpan is a part of a Lane.
type LaneSpan = laneSpan

// HeadOf is what stands above the sections of a page or a PDF.
func HeadOf(o Options) (h Head) {
	_ = i18n.In(o.Language, func() error { h = headOf(o.careful()); return nil }) // in a language that there is not, nothing is written either
	return h
}

// CaseSection is the section on the case of a page or a PDF.
func CaseSection(o Options) (s *Section) {
	_ = i18n.In(o.Language, func() error { s = caseSection(o.careful().Case); return nil })
	return s
}

// SectionOf is the section on a result in a page or a PDF, with its pictures: read, which is called in the options' language, reads the result. It reads
// the disk and decodes; an error is the records' or ctx's.
func SectionOf(ctx context.Context, o Options, read func() (*Result, error)) (s *Section, err error) {
	err = i18n.In(o.Language, func() error {
		r, err := read()
		if err == nil {
			s, err = sectionOf(ctx, o.of(r), o.careful())
		}
		return err
	})
	return s, err
}

// Decode returns the picture's pixels.
func (p *shownPicture) Decode(ctx context.Context) (*image.RGBA, error) { return pixels(ctx, p.jpeg) }

// Decode returns the heatmap's pixels.
func (h shownHeatmap) Decode(ctx context.Context) (*image.RGBA, error) { return pixels(ctx, h.png) }

func pixels(ctx context.Context, data []byte) (*image.RGBA, error) {
	p, err := picture.Decode(ctx, bytes.NewReader(data), picture.Limits{})
	if err != nil {
		return nil, err
	}
	return p.Image, nil
}

// TableOf is the head and the first rows of a table of results, at most so many, as text. An error is that of the results.
func TableOf(o Options, results iter.Seq2[*Result, error], most int) (head []string, rows [][]string, err error) {
	for _, c := range columns {
		head = append(head, c.header)
	}
	err = i18n.In(o.Language, func() (err error) {
		rows, err = firstRows(o.shown(results), most)
		return err
	})
	return head, rows, err
}

func firstRows(results iter.Seq2[*Result, error], most int) (rows [][]string, err error) {
	for r, err := range results {
		if err != nil {
			return nil, err
		}
		cells := make([]string, len(columns))
		for i, c := range columns {
			text, escaped := csvCell(c.value(r))
			if escaped {
				text = text[1:]
			}
			cells[i] = text
		}
		if rows = append(rows, cells); len(rows) == most {
			break
		}
	}
	return rows, nil
}

// BeginningOf is how a file with this name would begin, up to most bytes; whole means that this is all of it. An error is that of the results.
func BeginningOf(ctx context.Context, name string, o Options, results iter.Seq2[*Result, error], most int) (text string, whole bool, err error) {
	form, err := formatOf(name)
	if err != nil {
		return "", false, err
	}
	begins := &beginning{most: most}
	err = form.render(ctx, begins, o, results)
	if err != nil && !errors.Is(err, errEnough) {
		return "", false, err
	}
	return strings.ToValidUTF8(begins.String(), ""), err == nil, nil
}

// errEnough ends the writing of a beginning.
var errEnough = errors.New("this is enough of the file")

// beginning keeps the first bytes that are written.
type beginning struct {
	bytes.Buffer
	most int
}

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	room := b.most - b.Len()
	if len(p) <= room {
		return b.Buffer.Write(p)
	}
	b.Buffer.Write(p[:room])
	return room, errEnough
}
