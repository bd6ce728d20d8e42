package jsontree

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// Kind is the kind of a node.
type Kind int

// The kinds. Unread is the text after the end of what is valid JSON.
const (
	None Kind = iota
	Object
	Array
	String
	Number
	Bool
	Null
	Unread
)

// Node is one value of a document, and its key if it is in an object. Start identifies it within the document.
type Node struct {
	Kind             Kind
	Start, End       int // of the value's text, in bytes
	keyStart, keyEnd int // of the key's text with its quotes; equal where there is none
}

// HasKey reports whether it has a key.
func (n Node) HasKey() bool { return n.keyEnd > n.keyStart }

// HasChildren reports whether it is of a kind that may have children.
func (n Node) HasChildren() bool { return n.Kind == Object || n.Kind == Array }

func kindOf(c byte) Kind {
	switch c {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Root is the outermost value; its kind is None if nothing can be read.
func (d *Document) Root() Node {
	if d.root >= len(d.text) {
		return Node{}
	}
	return d.node(d.root)
}

// unread is the text after what can be read, as a node of the kind Unread; its kind is None if all was read.
func (d *Document) unread() Node {
	if len(d.text) == len(d.data) {
		return Node{}
	}
	return Node{Kind: Unread, Start: len(d.text), End: len(d.data)}
}

func (d *Document) node(start int) Node {
	return Node{Kind: kindOf(d.text[start]), Start: start, End: d.skip(start)}
}

// Count is the number of a node's children.
func (d *Document) Count(n Node) int {
	if !n.HasChildren() {
		return 0
	}
	if s := d.spanAt(n.Start); s != nil {
		return s.count
	}
	count := 0
	d.walk(n, 0, func(int, Node) bool { count++; return true })
	return count
}

// children returns at most limit children from an index on. Its cost depends on limit only, not on the index.
func (d *Document) children(n Node, first, limit int) []Node {
	var out []Node
	if limit <= 0 || !n.HasChildren() {
		return nil
	}
	d.walk(n, first, func(_ int, child Node) bool {
		out = append(out, child)
		return len(out) < limit
	})
	return out
}

// childAt returns the child whose text contains an offset.
func (d *Document) childAt(n Node, offset int) (child Node, index int, ok bool) {
	from := 0
	if s := d.spanAt(n.Start); s != nil {
		if i := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].offset > offset }); i > 0 {
			from = s.marks[i-1].index
		}
	}
	d.walk(n, from, func(i int, c Node) bool {
		if c.End <= offset {
			return true
		}
		child, index, ok = c, i, c.Start <= offset
		return false
	})
	return child, index, ok
}

// walk calls visit for the children from an index on until it returns false.
func (d *Document) walk(n Node, from int, visit func(index int, child Node) bool) {
	i, index := n.Start+1, 0
	if s := d.spanAt(n.Start); s != nil {
		if m := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].index > from }); m > 0 {
			i, index = s.marks[m-1].offset, s.marks[m-1].index
		}
	}
	for ; ; index++ {
		i = skipSpace(d.text, i)
		if i < len(d.text) && d.text[i] == ',' {
			i = skipSpace(d.text, i+1)
		}
		if i >= len(d.text) || d.text[i] == ']' || d.text[i] == '}' {
			return
		}
		var child Node
		if n.Kind == Object {
			child.keyStart, child.keyEnd = i, d.skip(i)
			i = skipSpace(d.text, child.keyEnd)
			if i >= len(d.text) || d.text[i] != ':' {
				return
			}
			if i = skipSpace(d.text, i+1); i >= len(d.text) {
				return
			}
		}
		child.Kind, child.Start, child.End = kindOf(d.text[i]), i, d.skip(i)
		i = child.End
		if index >= from && !visit(index, child) {
			return
		}
	}
}

// spanFrom is the index of the first span that begins at an offset or after it.
func (d *Document) spanFrom(offset int) int {
	return sort.Search(len(d.spans), func(i int) bool { return d.spans[i].start >= offset })
}

func (d *Document) spanAt(offset int) *span {
	if i := d.spanFrom(offset); i < len(d.spans) && d.spans[i].start == offset {
		return &d.spans[i]
	}
	return nil
}

// skip is the end of the value at an offset. It skips spans as a whole, so that it reads at most a grain of text.
func (d *Document) skip(i int) int {
	switch d.text[i] {
	case '"', '{', '[':
	default:
		end := i
		for end < len(d.text) && !endsScalar(d.text[end]) {
			if end++; end == i+grain {
				if s := d.spanAt(i); s != nil {
					return s.end
				}
			}
		}
		return end
	}
	next := d.spanFrom(i)
	for depth := 0; i < len(d.text); {
		if next < len(d.spans) && d.spans[next].start == i {
			i = d.spans[next].end
			next = d.spanFrom(i)
		} else {
			switch d.text[i] {
			case '"':
				i, _ = readString(d.text, i)
			case '{', '[':
				depth++
				i++
			case '}', ']':
				depth--
				i++
			default:
				i++
				continue
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(d.text)
}

// Step is a node on the path from the root.
type Step struct {
	Node  Node
	Index int // among its parent's children
	Count int // of its own children
}

// Trail is the path from the root to a node, including both; nil for a node that is not in the document. Its cost grows with the depth only.
func (d *Document) Trail(n Node) []Step {
	at := d.Root()
	if at.Kind == None || n.Kind == Unread || n.Start < at.Start || n.Start >= at.End {
		return nil
	}
	trail := []Step{{Node: at, Count: d.Count(at)}}
	for at.Start != n.Start {
		child, index, ok := d.childAt(at, n.Start)
		if !ok {
			return nil
		}
		at = child
		trail = append(trail, Step{Node: child, Index: index, Count: d.Count(child)})
	}
	return trail
}

// Path is a trail as text, such as models[2].finalScore; a key that is no plain name is quoted, as in ["a b"]. The root's is "". Keys are
// masked, and invisible characters in them are escaped.
func (d *Document) Path(trail []Step) string {
	var out strings.Builder
	for i, step := range trail {
		if i == 0 {
			continue
		}
		if !step.Node.HasKey() {
			out.WriteString("[" + strconv.Itoa(step.Index) + "]")
			continue
		}
		key := d.Key(step.Node, plainLimit)
		switch {
		case !isName(key):
			out.WriteString(`["` + key + `"]`)
		case out.Len() > 0:
			out.WriteString("." + key)
		default:
			out.WriteString(key)
		}
	}
	return out.String()
}

func isName(key string) bool {
	for i, r := range key {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return key != ""
}

// Locate returns the trail for a path in Path's notation. Of several equal keys the last one counts, as for encoding/json. An unquoted key
// may contain anything except a dot or a bracket. A path to no node returns nil.
func (d *Document) Locate(path string) []Step {
	at := d.Root()
	if at.Kind == None {
		return nil
	}
	trail := []Step{{Node: at, Count: d.Count(at)}}
	for path != "" {
		key, index, rest, ok := nextPart(path)
		if !ok {
			return nil
		}
		path = rest
		step, ok := d.find(trail[len(trail)-1], key, index)
		if !ok {
			return nil
		}
		step.Count = d.Count(step.Node)
		trail = append(trail, step)
	}
	return trail
}

// nextPart splits the first part off a path: an index, or a key, where index is -1.
func nextPart(path string) (key string, index int, rest string, ok bool) {
	switch {
	case strings.HasPrefix(path, `["`):
		end, valid := readString([]byte(path), 1)
		if !valid || end >= len(path) || path[end] != ']' {
			return "", 0, "", false
		}
		key, _ = decode([]byte(path[2:end-1]), -1)
		return key, -1, path[end+1:], true
	case path[0] == '[':
		digits, rest, closed := strings.Cut(path[1:], "]")
		index, err := strconv.Atoi(digits)
		return "", index, rest, closed && err == nil && index >= 0
	}
	path = strings.TrimPrefix(path, ".")
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	return path[:end], -1, path[end:], end > 0
}

// find returns the child with a name, or with an index if that is not negative.
func (d *Document) find(parent Step, key string, index int) (step Step, ok bool) {
	switch {
	case parent.Node.Kind == Array && index >= 0:
		for _, child := range d.children(parent.Node, index, 1) {
			return Step{Node: child, Index: index}, true
		}
	case parent.Node.Kind == Object && index < 0:
		d.walk(parent.Node, 0, func(i int, child Node) bool {
			if name, _ := decode(d.inside(child.keyStart, child.keyEnd), -1); name == key {
				step, ok = Step{Node: child, Index: i}, true
			}
			return true
		})
	}
	return step, ok
}
