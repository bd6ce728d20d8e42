package jsontree

import "slices"

// Outline is a document as rows of which the open ones have their children's rows beneath them. The root is row 0 and begins open.
// Opening a value of any number of children costs nothing for those that are not looked at. It is for one goroutine.
type Outline struct {
	document *Document
	root     *branch
	rest     bool  // there is a last row for what can't be read
	near     place // of the last look-up; none once rows have moved
}

// branch is an open value.
type branch struct {
	parent *branch
	node   Node
	index  int // among its parent's children
	count  int // of its children
	rows   int // that stand beneath it
	open   []*branch
}

// Row is one line of the outline.
type Row struct {
	Node  Node
	Depth int // 0 for the root
	Index int // among its parent's children
	Open  bool
}

// NewOutline shows a document with its root open.
func NewOutline(d *Document) *Outline {
	o := &Outline{document: d, rest: d.Rest().Kind == Unread}
	if root := d.Root(); root.Kind != None {
		o.root = &branch{node: root, count: d.Count(root)}
		o.root.rows = o.root.count
	}
	return o
}

// Len is how many rows there are.
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

// Row gives a row; its kind is None where there is none.
func (o *Outline) Row(i int) Row {
	if i < 0 || i >= o.Len() {
		return Row{}
	}
	if o.rest && i == o.Len()-1 {
		return Row{Node: o.document.Rest()}
	}
	row, _ := o.at(i)
	return row
}

// at gives a row and its branch where it is open, else its parent's. It begins where the last look-up ended, so that neighbours cost
// no way down from the root.
func (o *Outline) at(i int) (Row, *branch) {
	if o.near.branch == nil {
		o.near = place{branch: o.root}
	}
	p := o.near
	for i < p.row || i > p.row+p.branch.rows {
		p = p.parent()
	}
	for i > p.row {
		child, index := p.branch.childAt(i - p.row - 1)
		if child == nil {
			o.near = p
			row := Row{Depth: p.depth + 1, Index: index}
			for _, n := range o.document.Children(p.branch.node, index, 1) {
				row.Node = n
			}
			return row, p.branch
		}
		p = place{branch: child, row: p.row + 1 + child.before(), depth: p.depth + 1}
	}
	o.near = p
	b := p.branch
	return Row{Node: b.node, Depth: p.depth, Index: b.index, Open: b != o.root || b.rows > 0}, b
}

// place is where a branch stands.
type place struct {
	branch *branch
	row    int
	depth  int
}

func (p place) parent() place {
	return place{branch: p.branch.parent, row: p.row - 1 - p.branch.before(), depth: p.depth - 1}
}

// before is how many rows stand between a branch's parent and itself.
func (b *branch) before() int {
	rows := b.index
	for _, sibling := range b.parent.open {
		if sibling.index >= b.index {
			break
		}
		rows += sibling.rows
	}
	return rows
}

// childAt gives the open child in or under which a row beneath b stands, else the index of the closed one that is the row.
func (b *branch) childAt(row int) (child *branch, index int) {
	for _, child := range b.open {
		if row < child.index {
			break
		}
		if row <= child.index+child.rows {
			return child, child.index
		}
		row -= child.rows
	}
	return nil, row
}

func (b *branch) find(index int) (at int, found bool) {
	return slices.BinarySearchFunc(b.open, index, func(child *branch, index int) int { return child.index - index })
}

// Toggle opens or closes a row, and gives by how many rows the outline grew.
func (o *Outline) Toggle(i int) (grown int) {
	if o.root == nil || i < 0 || i > o.root.rows {
		return 0
	}
	row, b := o.at(i)
	switch {
	case !row.Node.HasChildren():
		return 0
	case row.Open:
		grown = -b.rows
		if b == o.root {
			b.open = nil
			break
		}
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
	o.near = place{}
	return grown
}

func (b *branch) add(n Node, index, count int) *branch {
	child := &branch{parent: b, node: n, index: index, count: count}
	at, _ := b.find(index)
	b.open = slices.Insert(b.open, at, child)
	return child
}

// Reveal opens what stands above a trail's last node, and gives its row.
func (o *Outline) Reveal(trail []Step) (row int, ok bool) {
	if o.root == nil || len(trail) == 0 {
		return 0, false
	}
	b, grown := o.root, 0
	o.near = place{}
	if b.rows == 0 && len(trail) > 1 {
		b.rows = b.count
	}
	// Rows are added up from the innermost on, so that a deep trail costs a step for each level.
	innermost := b
	var added []*branch
	for _, step := range trail[1:max(1, len(trail)-1)] {
		at, found := b.find(step.Index)
		if found {
			b = b.open[at]
		} else {
			b = b.add(step.Node, step.Index, step.Count)
			added = append(added, b)
		}
		innermost = b
	}
	for b = innermost; b != nil; b = b.parent {
		if n := len(added); n > 0 && added[n-1] == b {
			grown += b.count
			added = added[:n-1]
			b.rows = grown
			continue
		}
		b.rows += grown
	}
	return o.rowOf(trail), true
}

// rowOf is the row of a trail whose nodes above the last are open.
func (o *Outline) rowOf(trail []Step) int {
	row, b := 0, o.root
	for _, step := range trail[1:] {
		next := branch{parent: b, index: step.Index}
		row += 1 + next.before()
		if at, open := b.find(step.Index); open {
			b = b.open[at]
		}
	}
	return row
}

// Parent is the row above a row's siblings; -1 for those of depth 0.
func (o *Outline) Parent(i int) int {
	if o.root == nil || i <= 0 || i > o.root.rows {
		return -1
	}
	if row, _ := o.at(i); row.Open {
		return o.near.parent().row
	}
	return o.near.row
}

// TrailOf is the way to a row, for its path: without looking through the document.
func (o *Outline) TrailOf(i int) []Step {
	if o.root == nil || i < 0 || i > o.root.rows {
		return nil
	}
	row, b := o.at(i)
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
