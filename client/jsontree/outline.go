package jsontree

import "slices"

// Outline is a document as rows: the rows of an open value's children follow its own. The root is row 0 and is open at first. Opening a value
// takes the same time however many children it has, because they are counted and not listed. One goroutine may use it at a time.
type Outline struct {
	document *Document
	root     *branch // nil if nothing can be read
	rest     bool    // the last row is the Unread node
}

// branch is an open value. The root has one even while it is closed.
type branch struct {
	parent *branch
	node   Node
	index  int       // among its parent's children
	count  int       // of its children
	rows   int       // number of rows below it
	open   []*branch // its open children, by index
}

// Row is one row of the outline.
type Row struct {
	Node  Node
	Depth int // 0 for the root
	Index int // among its parent's children
	Open  bool
}

// NewOutline returns the outline of a document, with its root open.
func NewOutline(d *Document) *Outline {
	o := &Outline{document: d, rest: d.unread().Kind == Unread}
	if root := d.Root(); root.Kind != None {
		o.root = &branch{node: root, count: d.Count(root)}
		o.root.rows = o.root.count
	}
	return o
}

// Len is the number of rows.
func (o *Outline) Len() int {
	n := 0
	if o.root != nil {
		n = 1 + o.root.rows
	}
	if o.rest {
		n++
	}
	return n
}

// Row returns a row; its node's kind is None if there is no such row.
func (o *Outline) Row(i int) Row {
	switch {
	case i < 0 || i >= o.Len():
		return Row{}
	case o.rest && i == o.Len()-1:
		return Row{Node: o.document.unread()}
	}
	row, _, _ := o.at(i)
	return row
}

// isValue reports whether a row is a value's, rather than the Unread node's.
func (o *Outline) isValue(i int) bool { return o.root != nil && i >= 0 && i <= o.root.rows }

// at returns a row, its branch if it is open (else its parent's), and its parent's row, -1 for the root's.
func (o *Outline) at(i int) (row Row, b *branch, parent int) {
	b, parent = o.root, -1
	own, depth := 0, 0 // the row of b and its depth
	for i > own {
		child, n := b.below(i - own - 1)
		if child == nil {
			row = Row{Depth: depth + 1, Index: n}
			for _, node := range o.document.children(b.node, n, 1) {
				row.Node = node
			}
			return row, b, own
		}
		parent, own, depth, b = own, i-n, depth+1, child
	}
	return Row{Node: b.node, Depth: depth, Index: b.index, Open: b != o.root || b.rows > 0}, b, parent
}

// below finds the i-th row below b. It returns the open child with that row, and the row's distance from the child's own one; or nil, and
// the index of the closed child that is the row.
func (b *branch) below(i int) (child *branch, n int) {
	for _, child := range b.open {
		if i < child.index {
			break
		}
		if i <= child.index+child.rows {
			return child, i - child.index
		}
		i -= child.rows
	}
	return nil, i
}

// rowOf is the distance of a child's row from b's.
func (b *branch) rowOf(index int) int {
	rows := index + 1
	for _, child := range b.open {
		if child.index >= index {
			break
		}
		rows += child.rows
	}
	return rows
}

func (b *branch) find(index int) (at int, found bool) {
	return slices.BinarySearchFunc(b.open, index, func(child *branch, index int) int { return child.index - index })
}

// add opens a child. The caller must then add the child's rows to it and to the branches above.
func (b *branch) add(n Node, index, count int) *branch {
	child := &branch{parent: b, node: n, index: index, count: count}
	at, _ := b.find(index)
	b.open = slices.Insert(b.open, at, child)
	return child
}

// Toggle opens or closes a row, and returns by how many rows the outline grew.
func (o *Outline) Toggle(i int) (grown int) {
	if !o.isValue(i) {
		return 0
	}
	row, b, _ := o.at(i)
	switch {
	case !row.Node.HasChildren():
		return 0
	case row.Open && b == o.root:
		grown, b.open = -b.rows, nil
	case row.Open:
		grown = -b.rows
		at, _ := b.parent.find(b.index)
		b.parent.open = slices.Delete(b.parent.open, at, at+1)
	case i == 0:
		grown = b.count
	default:
		b = b.add(row.Node, row.Index, o.document.Count(row.Node))
		grown = b.count
	}
	for ; b != nil; b = b.parent {
		b.rows += grown
	}
	return grown
}

// Reveal opens all ancestors of a trail's last node, and returns that node's row.
func (o *Outline) Reveal(trail []Step) (row int, ok bool) {
	if o.root == nil || len(trail) == 0 {
		return 0, false
	}
	b, opened := o.root, 0 // how many of the innermost branches were closed before
	if b.rows == 0 && len(trail) > 1 {
		opened++
	}
	for i, step := range trail[1:] {
		row += b.rowOf(step.Index)
		if i == len(trail)-2 {
			break
		}
		if at, found := b.find(step.Index); found {
			b = b.open[at]
		} else {
			b = b.add(step.Node, step.Index, step.Count)
			opened++
		}
	}
	// Rows are added up from the innermost branch outwards, so that the time grows with the depth only.
	for grown := 0; b != nil; b = b.parent {
		if opened > 0 {
			opened--
			grown += b.count
		}
		b.rows += grown
	}
	return row, true
}

// Parent is the row above a row's siblings; -1 for those of depth 0.
func (o *Outline) Parent(i int) int {
	if !o.isValue(i) {
		return -1
	}
	_, _, parent := o.at(i)
	return parent
}

// TrailOf is the trail to a row; it does not search the document.
func (o *Outline) TrailOf(i int) []Step {
	if !o.isValue(i) {
		return nil
	}
	row, b, _ := o.at(i)
	var trail []Step
	if !row.Open && i > 0 {
		trail = append(trail, Step{Node: row.Node, Index: row.Index})
	}
	for ; b != nil; b = b.parent {
		trail = append(trail, Step{Node: b.node, Index: b.index, Count: b.count})
	}
	slices.Reverse(trail)
	return trail
}
