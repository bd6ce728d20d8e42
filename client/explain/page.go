// Package explain reads the explainability page of a text into styled segments: nothing of it is run or loaded. It imports the
// standard library and golang.org/x/net/html alone.
package explain

// Page is what is left of a page, or of a plain text: text in blocks, and where it is marked.
type Page struct {
	Title   string
	Blocks  []Block
	Marks   []Mark
	LeftOut LeftOut
	Cuts    []Cut // why there is less of it than was sent
}

// Kind is what a block is.
type Kind string

// The kinds of a block.
const (
	Paragraph Kind = "paragraph"
	Heading   Kind = "heading"
	Item      Kind = "item" // of a list
	Row       Kind = "row"  // of a table, its cells joined by cellGap
)

// cellGap stands between the cells of a row.
const cellGap = " · "

// Block is a stretch of text that begins on a line of its own.
type Block struct {
	Kind   Kind
	Level  int    // 1 to 6 of a heading
	Text   string // clean, as Clean makes it, and without line ends
	Runs   []Run  // in order, and only where something differs from plain text
	Joined bool   // belongs to the block before: a line of the same paragraph
	Legend bool   // explains the marks
}

// Run is a stretch of a block's text; Start and End count its bytes.
type Run struct {
	Start, End   int
	Bold, Italic bool
	Mark         int    // index into Page.Marks, or -1
	Link         string // where it leads, without its query; never opened
}

// Mark is a passage that the page marks.
type Mark struct {
	Kind   string  // the page's own name for it, "" where it has none
	Label  string  // what the page says of it, "" where it says nothing
	Sent   string  // its number as it was sent, "" for none
	Field  string  // the attribute in which the number stands
	Depth  float64 // 0 to 1, how strongly the page colours it, where Tinted; for colouring alone, never to be said
	Tinted bool
	Legend bool // an example in the page's legend, no passage of the text
}

// LeftOut counts what a page has that is never run, loaded or shown.
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

// Limits bound what a page may cost. All must be above 0.
type Limits struct {
	Bytes  int // of the page as sent that are read
	Text   int // bytes of text that are kept
	Blocks int
	Marks  int
	Depth  int // of elements whose style is kept
}

// DefaultLimits hold any text that the service takes, with a mark on every second word.
var DefaultLimits = Limits{Bytes: 16 << 20, Text: 8 << 20, Blocks: 200_000, Marks: 100_000, Depth: 128}
