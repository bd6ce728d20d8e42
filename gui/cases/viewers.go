package cases

import (
	"slices"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// Look tells the desk which shared case is in sight, and shows which colleagues have it open, too. It is called when either may have changed.
func (s *Screen) Look() {
	if s.Desk == nil {
		return
	}
	of := ""
	if s.root.Visible() && !s.away && s.pane.of.Shared.On {
		of = s.pane.of.ID
	}
	if of != s.looked {
		s.looked = of
		s.Desk.LookAt(of)
	}
	s.pane.showViewers()
}

// Away says that the window can't be seen, or can again.
func (s *Screen) Away(away bool) {
	s.away = away
	s.Look()
}

// showViewers says who else has the case open.
func (p *casePane) showViewers() {
	s := p.screen
	var names []string
	if s.looked != "" && s.looked == p.of.ID {
		for _, login := range s.Desk.Viewers(p.of.ID) {
			if i := slices.IndexFunc(s.colleagues, func(c Colleague) bool { return c.Login == login }); i >= 0 {
				names = append(names, s.colleagues[i].Name)
			}
		}
	}
	words := viewersText(names)
	if words == p.viewers.Text() {
		return
	}
	p.viewers.SetText(words)
	kit.SetVisible(p.viewersMark, words != "")
	kit.Relayout(p.under)
	p.under.Refresh()
}

// viewersText says who else has a case open; "" for nobody.
func viewersText(names []string) string {
	const most = 2 // who are named
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return i18n.F("%s is looking at this now", names[0])
	case n > most:
		return i18n.N(n-most, "%[2]s and %[1]s other are looking at this now", "%[2]s and %[1]s others are looking at this now", joinNames(names[:most]))
	}
	return i18n.F("%s are looking at this now", i18n.List(names...))
}

// underTitle lays out what is said under a title, which is shortened, with a mark and words at the right, which take at most their part of the width. Its height
// is the same with and without them.
type underTitle struct{}

const (
	viewersMark float32 = 8
	viewersPart float32 = 0.6
)

// Layout implements fyne.Layout.
func (underTitle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	detail, mark, words := objects[0], objects[1], objects[2].(*kit.Text)
	room := size.Width
	if words.Text() != "" {
		wide := look.Measure(words.Text(), look.Size(look.SizeSmall), look.WeightMedium.Style()).Width + 1
		width := min(wide, max(viewersPart*size.Width, size.Width-detailWidth(detail)-viewersMark-4*look.Space))
		kit.PlaceInRow(words, size.Width-width, size.Height, width, words.MinSize().Height)
		room -= width + look.Space + viewersMark
		kit.PlaceInRow(mark, room, size.Height, viewersMark, viewersMark)
		room -= 2 * look.Space
	}
	kit.PlaceInRow(detail, 0, size.Height, max(0, room), detail.MinSize().Height)
}

// detailWidth is that of a text that is not shortened.
func detailWidth(o fyne.CanvasObject) float32 {
	return look.Measure(o.(*kit.Text).Text(), look.Size(look.SizeSmall), fyne.TextStyle{}).Width
}

// MinSize implements fyne.Layout.
func (underTitle) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(100, max(objects[0].MinSize().Height, objects[2].MinSize().Height))
}
