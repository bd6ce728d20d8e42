// Package explain reads the explainability page of a text into styled segments; it runs and loads nothing in the page. It imports the
// standard library and golang.org/x/net/html.
package explain

// Page is the content of a page, or of a plain text: text in blocks, with marks.
type Page struct {
	Title   string
	Blocks  []Block
	Marks   []Mark
	LeftOut LeftOut
	Cuts    []Cut // limits that shortened it
}

// Kind is the kind of a block.
type Kind string

// The kinds of a block.
const (
	Paragraph Kind = "paragraph"
	Heading   Kind = "heading"
	Item      Kind = "item" // of a list
	Row       Kind = "row"  // of a table, its cells joined by cellGap
)

// cellGap separates the cells of a row.
const cellGap = " · "

// Block is a paragraph, line, heading or row of text.
type Block struct {
	Kind   Kind
	Level  int    // 1 to 6 of a heading
	Text   string // a result of Clean, without line breaks
	Runs   []Run  // in order, only for text that differs from plain text
	Joined bool   // is a line of the same paragraph as the block before
	Legend bool   // explains the marks
}

// Run is a part of a block's text; Start and End are byte offsets.
type Run struct {
	Start, End   int
	Bold, Italic bool
	Mark         int    // index into Page.Marks, or -1
	Link         string // the target, without its query; never opened
}

// Mark is a passage that the page highlights.
type Mark struct {
	Kind   string  // the page's own name for it, "" where it has none
	Label  string  // the page's text about it, "" where there is none
	Sent   string  // its number as it was sent, "" for none
	Field  string  // the attribute that holds Sent
	Depth  float64 // 0 to 1, how strongly the page colours it, if Tinted; only for colouring, never shown as a number
	Tinted bool
	Legend bool // an example in the page's legend, no passage of the text
}

// LeftOut counts the parts of a page that are never run, loaded or shown.
type LeftOut struct {
	Scripts int // also handlers in attributes
	Frames  int // frames, plug-ins, drawings, players
	Images  int
	Forms   int // fields and buttons
	Loads   int // style sheets, redirections and other addresses that a browser would load
}

// Any reports whether anything was left out.
func (l LeftOut) Any() bool { return l != LeftOut{} }

// Cut is a limit that a page reached.
type Cut string

// The cuts.
const (
	CutBytes  Cut = "bytes"  // the rest of the page was not read
	CutText   Cut = "text"   // the rest of the text was not read
	CutBlocks Cut = "blocks" // the rest of the text was not read
	CutMarks  Cut = "marks"  // further marks are plain text
	CutDepth  Cut = "depth"  // what is nested deeper is plain text
)

// Limits bound what reading a page may cost. All must be above 0.
type Limits struct {
	Bytes  int // of the page as sent
	Text   int // bytes of text that are kept
	Blocks int
	Marks  int
	Depth  int // of elements whose style is kept
}

// DefaultLimits suffice for any text that the service accepts, with a mark on every second word.
var DefaultLimits = Limits{Bytes: 16 << 20, Text: 8 << 20, Blocks: 200_000, Marks: 100_000, Depth: 128}
