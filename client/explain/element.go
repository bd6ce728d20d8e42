package explain

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay/client/address"
	"assay/client/lazyregexp"
)

// role is what an element does with its text.
type role int

const (
	inline  role = iota // nothing by itself
	block               // its text begins on a line of its own
	heading             //
	item                // of a list
	row                 // of a table
	cell                //
	dropped             // neither it nor its text is shown
)

var roles = map[atom.Atom]role{
	atom.P: block, atom.Div: block, atom.Section: block, atom.Article: block, atom.Main: block, atom.Header: block, atom.Footer: block,
	atom.Aside: block, atom.Nav: block, atom.Blockquote: block, atom.Pre: block, atom.Ul: block, atom.Ol: block, atom.Dl: block,
	atom.Dt: block, atom.Dd: block, atom.Table: block, atom.Caption: block, atom.Thead: block, atom.Tbody: block, atom.Tfoot: block,
	atom.Figure: block, atom.Figcaption: block, atom.Address: block, atom.Details: block, atom.Summary: block, atom.Fieldset: block,
	atom.Legend: block, atom.Form: block, atom.Body: block, atom.Html: block, atom.Center: block, atom.Xmp: block, atom.Plaintext: block,
	atom.Listing: block, atom.Dialog: block, atom.Menu: block, atom.Hgroup: block, atom.Search: block,
	atom.H1: heading, atom.H2: heading, atom.H3: heading, atom.H4: heading, atom.H5: heading, atom.H6: heading,
	atom.Li: item, atom.Tr: row, atom.Td: cell, atom.Th: cell,
	atom.Script: dropped, atom.Style: dropped, atom.Title: dropped, atom.Template: dropped, atom.Noscript: dropped,
	atom.Iframe: dropped, atom.Object: dropped, atom.Applet: dropped, atom.Svg: dropped, atom.Math: dropped, atom.Canvas: dropped,
	atom.Video: dropped, atom.Audio: dropped, atom.Map: dropped, atom.Noembed: dropped, atom.Noframes: dropped, atom.Frameset: dropped,
	atom.Select: dropped, atom.Textarea: dropped, atom.Button: dropped, atom.Datalist: dropped,
}

// void elements have no end and no text.
var void = map[atom.Atom]bool{
	atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Hr: true, atom.Img: true, atom.Image: true,
	atom.Input: true, atom.Link: true, atom.Meta: true, atom.Param: true, atom.Source: true, atom.Track: true, atom.Wbr: true,
	atom.Frame: true, atom.Bgsound: true, atom.Keygen: true, atom.Isindex: true,
}

// closes are the open elements that an element ends, and the outer element at which that stops.
type closes struct {
	ends   []atom.Atom
	within []atom.Atom
}

var (
	endsItem = closes{ends: []atom.Atom{atom.Li}, within: []atom.Atom{atom.Ul, atom.Ol, atom.Menu}}
	endsTerm = closes{ends: []atom.Atom{atom.Dt, atom.Dd}, within: []atom.Atom{atom.Dl}}
	endsCell = closes{ends: []atom.Atom{atom.Td, atom.Th}, within: []atom.Atom{atom.Table}}
	endsRow  = closes{ends: []atom.Atom{atom.Tr}, within: []atom.Atom{atom.Table}}
	endsText = closes{
		ends:   []atom.Atom{atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Svg, atom.Math, atom.Select, atom.Button},
		within: []atom.Atom{atom.Div, atom.Td, atom.Th, atom.Li, atom.Blockquote, atom.Section, atom.Article, atom.Object},
	}
)

// opened is an element that has not ended yet, with the style of its text.
type opened struct {
	tag      atom.Atom
	style    style
	preserve bool
	hidden   bool
	legend   bool
	listed   bool // of a list item: its first block has begun
	deeper   int  // how many elements were open beyond the stack when it began
}

// attributes are the first ones of an element, by name.
type attributes map[string]string

const (
	mostAttributes = 32
	mostAttribute  = 4 << 10 // bytes of a value
)

func (a attributes) of(name string) string { return a[name] }

// read replaces them by the attributes of an element. It also counts what a browser would have run or loaded.
func (a attributes) read(z *html.Tokenizer, out *LeftOut) {
	clear(a)
	for n := 0; ; n++ {
		key, value, more := z.TagAttr()
		if len(key) > 2 && key[0] == 'o' && key[1] == 'n' {
			out.Scripts++
		} else if len(key) > 0 && len(a) < mostAttributes {
			a[string(key)] = string(value[:min(len(value), mostAttribute)])
		}
		if !more {
			return
		}
	}
}

// webAddress is a link's target, for display only: without query, fragment and password; "" if it isn't on the web.
func webAddress(href string) string {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if !address.HasHost(u) {
			return ""
		}
		u.RawQuery, u.Fragment, u.RawFragment, u.User, u.ForceQuery = "", "", "", nil, false
		return short(u.String())
	case "mailto":
		to, _, _ := strings.Cut(u.Opaque, "?")
		return short("mailto:" + to)
	}
	return ""
}

// runs reports whether following a link would run something, or open something on this computer.
func runs(href string) bool {
	scheme, _, found := strings.Cut(href, ":")
	if !found {
		return false
	}
	switch strings.ToLower(strings.Join(strings.Fields(scheme), "")) {
	case "javascript", "vbscript", "data":
		return true
	}
	return false
}

// sheet is what the page's own style sheets state about classes, as far as it changes the meaning of the text: which have a background,
// and which preserve white space. Nothing else is read, and no style sheet is loaded.
type sheet struct {
	marked, preserved map[string]bool
	read              int
}

// mostSheet bounds how many bytes of all style sheets are read.
const mostSheet = 256 << 10

var (
	classRule    = lazyregexp.New(`\.([A-Za-z_][\w-]{0,63})`)
	preserveRule = lazyregexp.New(`(?i)white-space\s*:\s*(?:pre|break-spaces)`)
)

func newSheet() *sheet { return &sheet{marked: map[string]bool{}, preserved: map[string]bool{}} }

func (s *sheet) add(css string) {
	css = css[:min(len(css), mostSheet-s.read)]
	s.read += len(css)
	for css != "" {
		selector, rest, found := strings.Cut(css, "{")
		if !found {
			return
		}
		declarations, after, _ := strings.Cut(rest, "}")
		css = after
		has, _ := background(declarations)
		keeps := preserveRule().MatchString(declarations)
		if !has && !keeps {
			continue
		}
		for _, class := range classRule().FindAllStringSubmatch(selector, 64) {
			if has {
				s.marked[class[1]] = true
			}
			if keeps {
				s.preserved[class[1]] = true
			}
		}
	}
}

// keeps reports whether an element preserves its white space.
func (s *sheet) keeps(a attributes) bool {
	for _, class := range strings.Fields(a.of("class")) {
		if s.preserved[class] {
			return true
		}
	}
	return preserveRule().MatchString(a.of("style"))
}
