package explain

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Read reads a page in whatever state it is, and skips what it does not understand. It processes the tokens one by one and never builds
// a tree; it runs and fetches nothing. Its errors are ctx's and ErrNoText.
func Read(ctx context.Context, data []byte, limits Limits) (*Page, error) {
	r := &reader{builder: newBuilder(limits), sheet: newSheet(), attributes: attributes{}, open: map[atom.Atom]int{}}
	if len(data) > limits.Bytes {
		data = data[:limits.Bytes]
		r.cut(CutBytes)
	}
	source, err := decoder(data, true)
	if err != nil {
		return nil, err
	}
	z := html.NewTokenizer(untilDone{ctx, source})
	for n := 0; !r.full(); n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		r.take(kind, z)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.end(false)
	if len(r.page.Blocks) == 0 {
		return r.page, ErrNoText
	}
	return r.page, nil
}

type reader struct {
	*builder
	sheet      *sheet
	attributes attributes
	stack      []opened
	open       map[atom.Atom]int // how many of each are on the stack
	deeper     int               // how many more are open than the stack holds
}

func (r *reader) top() *opened {
	if len(r.stack) == 0 {
		return &opened{}
	}
	return &r.stack[len(r.stack)-1]
}

func (r *reader) take(kind html.TokenType, z *html.Tokenizer) {
	switch kind {
	case html.TextToken:
		r.write(string(z.Text()))
	case html.StartTagToken, html.SelfClosingTagToken:
		name, has := z.TagName()
		tag := atom.Lookup(name)
		clear(r.attributes)
		if has {
			r.attributes.read(z, &r.page.LeftOut)
		}
		r.start(tag, kind == html.SelfClosingTagToken)
	case html.EndTagToken:
		name, _ := z.TagName()
		r.finish(atom.Lookup(name))
	}
}

func (r *reader) write(text string) {
	top := r.top()
	switch {
	case top.tag == atom.Style:
		r.sheet.add(text)
	case top.tag == atom.Title && r.page.Title == "" && r.deeper == 0:
		r.page.Title = short(text)
	case top.hidden:
	case top.preserve:
		r.begin(text)
		r.preserve(text, top.style)
	default:
		r.begin(text)
		r.collapse(text, top.style)
	}
}

// begin sets a block's kind, when its first text comes.
func (r *reader) begin(text string) {
	if r.text.Len() > 0 || strings.TrimSpace(text) == "" {
		return
	}
	r.kind, r.level, r.inLegend = Paragraph, 0, r.top().legend
	for i := len(r.stack) - 1; i >= 0; i-- {
		e := &r.stack[i]
		switch roles[e.tag] {
		case heading:
			r.kind, r.level = Heading, int(e.tag.String()[1]-'0')
			return
		case item:
			if !e.listed {
				e.listed = true
				r.kind = Item
			}
			return
		case row:
			r.kind = Row
			return
		}
	}
}

func (r *reader) start(tag atom.Atom, closed bool) {
	r.closeBefore(tag)
	r.count(tag)
	if void[tag] {
		r.void(tag)
		return
	}
	role := roles[tag]
	switch role {
	case block, heading, item, row:
		r.end(false)
	case cell:
		if r.text.Len() > 0 && !r.top().hidden {
			r.space = false
			r.gap(cellGap, style{})
		}
	}
	if closed && (tag == atom.Svg || tag == atom.Math) {
		return // elements of SVG and MathML may be self-closing
	}
	if len(r.stack) >= r.limits.Depth && (role != dropped || r.top().hidden) {
		r.deeper++
		r.cut(CutDepth)
		return
	}
	outer := r.top()
	e := opened{tag: tag, style: outer.style, preserve: outer.preserve, hidden: outer.hidden, legend: outer.legend, deeper: r.deeper}
	r.deeper = 0
	r.dress(&e, role)
	r.stack = append(r.stack, e)
	r.open[tag]++
}

// dress sets the style of an element's text.
func (r *reader) dress(e *opened, role role) {
	a := r.attributes
	_, hidden := a["hidden"]
	e.hidden = e.hidden || role == dropped || hidden || strings.Contains(strings.ReplaceAll(strings.ToLower(a.of("style")), " ", ""), "display:none")
	e.legend = e.legend || isLegendTitle(a.of("class")) || isLegendTitle(a.of("id"))
	switch e.tag {
	case atom.B, atom.Strong, atom.Th:
		e.style.bold = true
	case atom.I, atom.Em, atom.Cite, atom.Dfn:
		e.style.italic = true
	case atom.Pre, atom.Xmp, atom.Plaintext, atom.Listing:
		e.preserve = true
	case atom.A:
		e.style.link = webAddress(a.of("href"))
	}
	e.preserve = e.preserve || r.sheet.keeps(a)
	if m := markOf(e.tag, a, r.sheet); m != nil {
		m.Legend = e.legend
		e.style.mark = m
	}
}

// count counts what a browser would have run or loaded.
func (r *reader) count(tag atom.Atom) {
	out, a := &r.page.LeftOut, r.attributes
	if runs(a.of("href")) || runs(a.of("action")) || runs(a.of("src")) && tag != atom.Img {
		out.Scripts++
	}
	if strings.Contains(strings.ToLower(a.of("style")), "url(") || a.of("background") != "" {
		out.Loads++
	}
	switch tag {
	case atom.Script:
		out.Scripts++
	case atom.Iframe, atom.Frame, atom.Object, atom.Embed, atom.Applet, atom.Svg, atom.Math, atom.Canvas, atom.Video, atom.Audio:
		out.Frames++
	case atom.Img, atom.Image:
		out.Images++
	case atom.Input, atom.Button, atom.Select, atom.Textarea:
		out.Forms++
	case atom.Link, atom.Base:
		out.Loads++
	case atom.Meta:
		if strings.EqualFold(strings.TrimSpace(a.of("http-equiv")), "refresh") {
			out.Loads++
		}
	}
}

func (r *reader) void(tag atom.Atom) {
	if r.top().hidden {
		return
	}
	switch tag {
	case atom.Br:
		r.end(r.text.Len() > 0)
	case atom.Hr:
		r.end(false)
	case atom.Img, atom.Image:
		if alt := short(r.attributes.of("alt")); alt != "" {
			r.begin(alt)
			r.collapse("[Image: "+alt+"]", r.top().style)
		}
	}
}

// closeBefore ends the open elements that an element ends implicitly.
func (r *reader) closeBefore(tag atom.Atom) {
	var c closes
	switch role := roles[tag]; {
	case tag == atom.Li:
		c = endsItem
	case tag == atom.Dt || tag == atom.Dd:
		c = endsTerm
	case role == cell:
		c = endsCell
	case role == row:
		r.closeUpTo(endsCell)
		c = endsRow
	case role == block || role == heading:
		c = endsText
	default:
		return
	}
	r.closeUpTo(c)
}

func (r *reader) closeUpTo(c closes) {
	some := false
	for _, tag := range c.ends {
		some = some || r.open[tag] > 0
	}
	if !some || r.deeper > 0 {
		return
	}
	for i := len(r.stack) - 1; i >= 0; i-- {
		for _, tag := range c.within {
			if r.stack[i].tag == tag {
				return
			}
		}
		for _, tag := range c.ends {
			if r.stack[i].tag == tag {
				r.pop(i)
				return
			}
		}
	}
}

// finish ends the innermost open element of a name, if there is one.
func (r *reader) finish(tag atom.Atom) {
	if tag == atom.P && r.open[tag] == 0 || tag == atom.Br {
		r.end(false)
	}
	if r.deeper > 0 {
		r.deeper--
		switch roles[tag] {
		case block, heading, item, row:
			r.end(false)
		}
		return
	}
	if r.open[tag] == 0 {
		return
	}
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].tag == tag {
			r.pop(i)
			return
		}
	}
}

// pop ends the element at i and all elements inside it.
func (r *reader) pop(i int) {
	for _, e := range r.stack[i:] {
		r.open[e.tag]--
		switch roles[e.tag] {
		case block, heading, item, row:
			r.end(false)
		}
	}
	r.deeper = r.stack[i].deeper
	r.stack = r.stack[:i]
}
