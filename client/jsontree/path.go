package jsontree

import (
	"strconv"
	"strings"
	"unicode"
)

// Step is a node on the way from the root.
type Step struct {
	Node  Node
	Index int // among its parent's children
	Count int // of its own children
}

// Trail is the way from the root to a node, both in it; nil for what is not in the document. It costs a little for every level.
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

// Path is a node's place as models[2].finalScore; a key that is no plain name stands quoted, as in ["a b"]. The root's is "". Keys are
// masked, and what can't be seen in them is escaped.
func (d *Document) Path(n Node) string { return d.PathOf(d.Trail(n)) }

// PathOf is the path of a trail's last node.
func (d *Document) PathOf(trail []Step) string {
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

// Locate gives the way to a path as Path writes it. Of several equal keys the last counts, as for those who read the document into
// fields. Plain keys may hold anything but a dot or a bracket. A path that leads nowhere gives nil.
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

// nextPart takes the first part off a path: an index, or a key where index is -1.
func nextPart(path string) (key string, index int, rest string, ok bool) {
	switch {
	case strings.HasPrefix(path, `["`):
		found, valid := readString([]byte(path), 1)
		if !valid || found.end >= len(path) || path[found.end] != ']' {
			return "", 0, "", false
		}
		key, _ = decode([]byte(path[2:found.end-1]), -1)
		return key, -1, path[found.end+1:], true
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

// find gives the child of a name, or of an index where that is not negative.
func (d *Document) find(parent Step, key string, index int) (step Step, ok bool) {
	switch {
	case parent.Node.Kind == Array && index >= 0:
		for _, child := range d.Children(parent.Node, index, 1) {
			return Step{Node: child, Index: index}, true
		}
	case parent.Node.Kind == Object && index < 0:
		d.walk(parent.Node, 0, func(i int, child Node) bool {
			if inside := d.inside(child.keyStart, child.keyEnd); sameText(inside, key) {
				step, ok = Step{Node: child, Index: i}, true
			}
			return true
		})
	}
	return step, ok
}

// sameText reports whether a string's inside reads as a text.
func sameText(inside []byte, text string) bool {
	if string(inside) == text {
		return !strings.Contains(text, `\`)
	}
	if len(inside) <= len(text) && !strings.ContainsRune(text, '�') {
		return false // escapes only make it longer
	}
	decoded, _ := decode(inside, -1)
	return decoded == text
}
