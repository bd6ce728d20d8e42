package explain

import "golang.org/x/net/html/atom"

// closeBefore ends what an element ends that was left open.
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

// finish ends the innermost element of a name; one that was never begun ends nothing.
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

// pop ends the element at i and all within it.
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
