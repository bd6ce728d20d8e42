package explain

import (
	"golang.org/x/net/html/atom"
)

// role is what an element does to the text in it.
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

// closes says what an element ends that was left open, and up to which element outside it.
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

// opened is an element that has not ended yet, with how its text is told.
type opened struct {
	tag      atom.Atom
	style    style
	preserve bool
	hidden   bool
	legend   bool
	listed   bool // of an item: its first block has begun
	deeper   int  // how many were open beyond the stack when it began
}
