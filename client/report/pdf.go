package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"assay/client/i18n"
)

// MostInPDF is how many results a PDF may have: it is made in memory, and one with four heatmaps can take some megabytes.
const MostInPDF = 250

// The page, A4, in millimetres.
const (
	pageWidth, pageHeight = 210.0, 297.0
	margin                = 14.0
	bodyWidth             = pageWidth - 2*margin
	bodyTop               = 22.0
	bodyBottom            = 278.0
	gap                   = 5.5
)

// Styles of a page.
var (
	styleTitle    = style{faceBold, 16, ink}
	styleHeadline = style{faceBold, 15, ink}
	styleHeading  = style{faceBold, 11, ink}
	styleText     = style{faceText, 9, ink}
	styleMuted    = style{faceText, 9, muted}
	styleStrong   = style{faceBold, 8, ink}
	styleCell     = style{faceText, 8.5, ink}
	styleMono     = style{faceMono, 7.5, ink}
	styleNote     = style{faceText, 7.5, muted}
	styleEnds     = style{faceText, 6.5, muted}
	styleFooter   = style{faceMono, 6.5, ink}
)

// document is a PDF while it is written.
type document struct {
	*fpdf.Fpdf
	letters *letters
	head    head
	y       float64  // where the next part begins, below the page's top
	answer  string   // SHA-256 of the answer that the current pages are about
	answers []string // of each page
	images  int      // pictures in the file
}

// writePDF writes all results, each from a new page on. It holds all in memory, so that it accepts at most MostInPDF.
func writePDF(ctx context.Context, w io.Writer, o Options, results iter.Seq2[*Result, error]) error {
	faces, err := typefaces()
	if err != nil {
		return err
	}
	d := newDocument(o, faces)
	o.foremost = true
	if o.Case != nil && !o.Case.resultFirst() {
		if err := d.caseOf(o.Case); err != nil {
			return err
		}
	}
	count := 0
	for r, err := range results {
		if err != nil {
			return err
		}
		if count++; count > MostInPDF {
			return &Error{Text: i18n.F("A PDF holds at most %s results: export fewer, or as .html.", i18n.Count(MostInPDF))}
		}
		s, err := sectionOf(ctx, r, o)
		if err != nil {
			return err
		}
		if err := d.section(s); err != nil {
			return err
		}
	}
	if ResultFirst(o) {
		if err := d.caseOf(o.Case); err != nil {
			return err
		}
	}
	d.frames()
	var out bytes.Buffer
	if err := d.Output(&out); err != nil {
		return fmt.Errorf("write a PDF: %w", err)
	}
	return writeWithID(w, out.Bytes())
}

func newDocument(o Options, faces []*typeface) *document {
	d := &document{Fpdf: fpdf.New("P", "mm", "A4", ""), letters: &letters{faces: faces, widths: map[letter]float64{}}, head: headOf(o)}
	made := o.Made
	if made.IsZero() {
		made = time.Unix(0, 0)
	}
	// The same report must give the same bytes, so neither the time of writing nor the order of a map may have an effect.
	d.SetCreationDate(made.UTC())
	d.SetModificationDate(made.UTC())
	d.SetCatalogSort(true)
	d.SetProducer("Assay", true)
	d.SetTitle(d.head.Title, true)
	d.SetLang(d.head.Language)
	d.SetAutoPageBreak(false, 0)
	d.SetMargins(0, 0, 0)
	for _, face := range faces {
		d.AddUTF8FontFromBytes(face.family, "", bytes.Clone(face.data)) // the library modifies them
	}
	return d
}

// writeWithID writes a PDF with its identity in the trailer, made of its bytes. What stands behind the table of objects moves none of them.
func writeWithID(w io.Writer, content []byte) error {
	sum := sha256.Sum256(content)
	const trailer = "trailer\n<<\n"
	at := bytes.LastIndex(content, []byte(trailer)) + len(trailer)
	for _, part := range [][]byte{content[:at], fmt.Appendf(nil, "/ID [<%x> <%x>]\n", sum[:16], sum[:16]), content[at:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// frames draws header and footer on every page, once the number of pages is known.
func (d *document) frames() {
	if d.PageCount() == 0 { // nothing was exported
		d.newPage()
	}
	pages := d.PageCount()
	for page := 1; page <= pages; page++ {
		d.SetPage(page)
		title := style{faceBold, 8, ink}
		d.at(d.head.Title, title, margin, 11)
		left := margin + d.letters.measure(d.head.Title, title) + 3
		d.at(d.shortened(d.head.Kind, styleNote, pageWidth-margin-left-d.letters.measure(d.head.Made, styleNote)-6), styleNote, left, 11)
		d.toRight(d.head.Made, styleNote, 11)
		d.stroke(ink, 0.5)
		d.Line(margin, 17, pageWidth-margin, 17)
		d.stroke(ink, 0.25)
		d.Line(margin, 282, pageWidth-margin, 282)
		if sum := d.answers[page]; sum != "" {
			label := i18n.T("SHA-256 of the answer")
			d.at(label, styleNote, margin, 283.5)
			d.at(sum, styleFooter, margin+d.letters.measure(label, styleNote)+3, 283.7)
		}
		verify := styleNote
		verify.size = 6.5
		d.block(d.head.Verify, verify, margin, 287.5, bodyWidth)
		d.toRight(i18n.F("Page %s of %s", i18n.Count(page), i18n.Count(pages)), title, 283.5)
	}
	d.SetPage(pages)
}

// shortened is a text in one line of a width.
func (d *document) shortened(text string, s style, width float64) string {
	lines := d.letters.lines(text, s, width)
	if len(lines) < 2 {
		return text
	}
	return d.letters.lines(text, s, width-d.letters.measure(" …", s))[0] + " …"
}

func (d *document) newPage() {
	d.AddPage()
	for len(d.answers) <= d.PageNo() {
		d.answers = append(d.answers, d.answer)
	}
	d.y = bodyTop
}

// room begins a new page if the current one has less than this much space left.
func (d *document) room(height float64) {
	if d.y+height > bodyBottom && d.y > bodyTop {
		d.newPage()
	}
}

func (d *document) at(text string, s style, x, y float64) {
	d.letters.draw(d.Fpdf, d.letters.written(text, s.face), s, x, y)
}

func (d *document) toRight(text string, s style, y float64) {
	d.at(text, s, pageWidth-margin-d.letters.measure(d.letters.written(text, s.face), s), y)
}

func (d *document) stroke(c rgb, width float64) {
	d.SetDrawColor(c.r, c.g, c.b)
	d.SetLineWidth(width)
	d.SetLineCapStyle("butt")
	d.SetLineJoinStyle("miter")
	d.SetDashPattern(nil, 0)
}

func (d *document) area(c rgb) { d.SetFillColor(c.r, c.g, c.b) }

// paragraph writes a text over the whole width, on as many pages as it needs.
func (d *document) paragraph(text string, s style) {
	for _, part := range d.letters.lines(text, s, bodyWidth) {
		d.room(s.lineHeight())
		d.letters.draw(d.Fpdf, part, s, margin, d.y)
		d.y += s.lineHeight()
	}
}

// block writes a text into a column, and returns where it ends.
func (d *document) block(text string, s style, x, y, width float64) float64 {
	for _, part := range d.letters.lines(text, s, width) {
		d.letters.draw(d.Fpdf, part, s, x, y)
		y += s.lineHeight()
	}
	return y
}

// height is that of a text in a column.
func (d *document) height(text string, s style, width float64) float64 {
	return float64(len(d.letters.lines(text, s, width))) * s.lineHeight()
}

// begin begins the pages of a result or a case. A heading of many lines is written smaller.
func (d *document) begin(heading string) {
	d.letters.missing = false
	d.newPage()
	title := styleTitle
	if len(d.letters.lines(heading, title, bodyWidth)) > 2 {
		title.size = 10
	}
	d.paragraph(heading, title)
	d.y += 3
}

// end explains how characters without a glyph are written, if these pages have any.
func (d *document) end() error {
	if d.letters.missing {
		d.y += 3
		d.room(3 * styleNote.lineHeight())
		d.paragraph(i18n.T("[U+…] is the number of a character that this file can't show. The .html and the .json of this report have the text itself."), styleNote)
	}
	return d.Error()
}

// caseOf writes the case, before its results.
func (d *document) caseOf(c *Case) error {
	s := caseSection(c)
	if c.resultFirst() {
		d.y += 2 * gap
		d.room(90)
		d.paragraph(s.Heading, styleTitle)
		d.y += 3
	} else {
		d.begin(s.Heading)
	}
	if err := d.tables(s.Tables); err != nil {
		return err
	}
	return d.end()
}

// section writes one result.
func (d *document) section(s *section) error {
	d.answer = s.answerSHA256()
	d.begin(s.Heading)
	if s.Remark != "" {
		d.remark(s.Remark)
	}
	for _, note := range []string{s.Provisional, s.LaterNote} {
		if note != "" {
			d.remark(note)
		}
	}
	if err := d.card(s); err != nil {
		return err
	}
	if err := d.first(s); err != nil {
		return err
	}
	if err := d.tables(s.Tables); err != nil {
		return err
	}
	if s.Covered == "" {
		if err := d.heatmaps(s); err != nil {
			return err
		}
	}
	if err := d.tables(s.After); err != nil {
		return err
	}
	if s.Covered != "" {
		if err := d.coveredPictures(s); err != nil {
			return err
		}
	}
	return d.end()
}
