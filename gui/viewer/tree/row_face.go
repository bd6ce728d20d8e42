package tree

import (
	"strconv"

	"assay/client/i18n"
	"assay/client/jsontree"
)

// face is what a row says.
type face struct {
	key   string // "" where it has none
	about string // how many it holds, in words
	value string // as JSON, or its beginning
	whole bool   // the value is all of it
}

const (
	indent       = 16
	triangleRoom = 20
	rowPad       = 8
	longestKey   = 120
)

// indentOf is where a row of a depth begins. Depth takes two fifths of the width at most: beyond, the key tells it.
func indentOf(depth int, width float32) float32 {
	return rowPad + float32(min(depth, deepestIndent(width)))*indent
}

func deepestIndent(width float32) int { return max(2, int(width*0.4/indent)) }

// face puts a row into words of about so many characters.
func (r *rows) face(row jsontree.Row, limit int) face {
	var f face
	n := row.Node
	switch {
	case n.Kind == jsontree.Unread:
		f.key = i18n.T("Not readable from here on")
	case row.Depth == 0:
		f.key = r.name
	case n.HasKey():
		if f.key = r.document.Key(n, longestKey); f.key == "" {
			f.key = `""`
		}
	default:
		f.key = strconv.Itoa(row.Index)
	}
	if n.HasChildren() {
		f.about = countOf(r.document.Count(n), n.Kind)
		if row.Open {
			f.whole = true
			return f
		}
	}
	f.value, f.whole = r.document.Preview(n, limit)
	return f
}

func countOf(n int, kind jsontree.Kind) string {
	switch fields := kind == jsontree.Object; {
	case fields && n == 0:
		return i18n.T("no fields")
	case fields:
		return i18n.N(n, "%s field", "%s fields")
	case n == 0:
		return i18n.T("no items")
	}
	return i18n.N(n, "%s item", "%s items")
}
