package tree

import (
	"context"
	"sort"

	"assay/client/i18n"
	"assay/client/jsontree"
	"assay/gui/kit"
)

// mostMatches is how many matches are kept; if there are more, "10,000+" is shown.
const mostMatches = 10_000

// find searches for the text in the field.
func (p *Pane) find() {
	p.cancelFind()
	p.found, p.more = nil, false
	p.searching = p.open != nil && p.search.Text != ""
	p.rows.matches = nil
	p.rows.Refresh()
	p.showHits()
	if p.searching {
		p.findOn(p.open.Search(p.search.Text))
	}
}

// findOn continues a search until there is something to show, shows it, and repeats: matches appear while the rest is searched.
func (p *Pane) findOn(search *jsontree.Search) {
	room := mostMatches - len(p.found)
	p.cancelFind = p.workers.Do(func(ctx context.Context) func() {
		var found []jsontree.Node
		more := true
		for more && len(found) == 0 {
			var err error
			if found, more, err = search.Next(ctx); err != nil {
				return nil
			}
		}
		return func() {
			first := len(p.found) == 0
			p.more = len(found) > room || len(found) == room && more
			p.found = append(p.found, found[:min(room, len(found))]...)
			p.searching = more && !p.more
			p.rows.matches = p.found
			p.rows.Refresh()
			if first && len(p.found) > 0 {
				p.goTo(p.nearest())
			}
			p.showHits()
			if p.searching {
				p.findOn(search)
			}
		}
	})
}

// nearest is the index of the match at the chosen row or the first after it, so that typing on does not jump back.
func (p *Pane) nearest() int {
	start := p.rows.chosenRow().Node.Start
	i := sort.Search(len(p.found), func(i int) bool { return p.found[i].Start >= start })
	return i % len(p.found)
}

// step goes to the next or previous match, from the last to the first.
func (p *Pane) step(by int) {
	n := len(p.found)
	if n == 0 {
		return
	}
	at := p.rows.matchAt()
	if at < 0 { // between two matches, the chosen row counts as the one before the next
		at = p.nearest()
		if by > 0 {
			by--
		}
	}
	p.goTo(((at+by)%n + n) % n)
}

// goTo opens the parents of a match and chooses it.
func (p *Pane) goTo(match int) {
	read, node := p.open, p.found[match]
	p.cancelGo()
	if node.Kind == jsontree.Unread {
		p.rows.choose(p.rows.length() - 1)
		return
	}
	p.cancelGo = p.workers.Do(func(context.Context) func() {
		trail := read.Trail(node)
		return func() { p.rows.reveal(trail) }
	})
}

// showHits shows the number of the chosen match and of all.
func (p *Pane) showHits() {
	text := ""
	if p.open != nil && p.search.Text != "" {
		text = p.hitsText()
	}
	p.hits.SetText(text)
	for _, b := range []*kit.Button{p.previous, p.next} {
		kit.SetVisible(b, text != "")
		if len(p.found) == 0 {
			b.Disable()
		} else {
			b.Enable()
		}
	}
	kit.SetVisible(p.hits, text != "")
	p.root.Refresh()
}

func (p *Pane) hitsText() string {
	all := i18n.Count(len(p.found))
	switch {
	case p.more:
		all += "+"
	case p.searching && len(p.found) == 0:
		return i18n.T("Searching…")
	case p.searching:
		all += "…"
	case len(p.found) == 0:
		return i18n.T("None found")
	}
	if at := p.rows.matchAt(); at >= 0 {
		return i18n.F("%s of %s", i18n.Count(at+1), all)
	}
	return i18n.N(len(p.found), "%[2]s found", "%[2]s found", all)
}
