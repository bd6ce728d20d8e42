package viewer

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// page is what a tab shows.
type page int

// The pages. The medium has a tab only if there is no room for another page beside it.
const (
	mediumPage page = iota
	modelsPage
	detailsPage
	dataPage
	historyPage
)

// pages show the medium and one page about it: beside the medium, below it, or in its place.
type pages struct {
	viewer  *Viewer
	tools   *fyne.Container // tools of the medium
	medium  *fyne.Container // contains the medium and the open page
	tabs    *kit.Tabs
	tabRow  *fyne.Container
	layout  *pagesLayout
	slot    *fyne.Container // contains the medium's pane
	panel   *fyne.Container // contains the open page
	inPanel Pane
	current Pane // the medium's, nil for none
	media   map[present.Medium]Pane
	panels  map[page]Pane
	models  *modelsPanel
	chosen  page // by the person
	wide    bool
	fresh   map[page]bool // pages that are up to date
	begun   bool
}

func newPages(v *Viewer) *pages {
	p := &pages{viewer: v, media: map[present.Medium]Pane{}, panels: map[page]Pane{}, fresh: map[page]bool{}, chosen: modelsPage, wide: true}
	p.tools = container.NewStack()
	p.tools.Hide()
	p.slot, p.panel = container.NewStack(), container.NewStack()
	p.layout = &pagesLayout{pages: p}
	p.medium = container.New(p.layout, p.slot, p.panel)
	p.tabs = kit.NewTabs(nil, func(i int) { p.choose(p.offered()[i]) })
	p.tabRow = container.New(kit.AtLeast(0), p.tabs)
	p.models = newModelsPanel(v.reveal)
	p.panels[modelsPage] = p.models
	p.panels[historyPage] = newHistoryPanel(v.Readers, v.Source, v.Compare)
	p.relabel()
	return p
}

// offered returns the pages that have a tab.
func (p *pages) offered() []page {
	all := []page{modelsPage, detailsPage, dataPage, historyPage}
	if p.viewer.Details == nil {
		all = slices.DeleteFunc(all, func(o page) bool { return o == detailsPage })
	}
	if p.viewer.Data == nil {
		all = slices.DeleteFunc(all, func(o page) bool { return o == dataPage })
	}
	if p.wide {
		return all
	}
	return append([]page{mediumPage}, all...)
}

var pageNames = map[page]i18n.Key{modelsPage: "Models", detailsPage: "Details", dataPage: "Data", historyPage: "History"}

// relabel names the tabs and marks the open one.
func (p *pages) relabel() {
	offered := p.offered()
	names := make([]string, len(offered))
	for i, o := range offered {
		names[i] = i18n.T(pageNames[o])
		if o == mediumPage {
			names[i] = present.MediumName(p.viewer.shown.Medium)
		}
	}
	p.tabs.SetNames(names, slices.Index(offered, p.openPage()))
}

// openPage returns the chosen page, or the one that replaces it for lack of room.
func (p *pages) openPage() page {
	if p.wide && p.chosen == mediumPage {
		return modelsPage
	}
	return p.chosen
}

// mediumShown reports whether the medium is on screen.
func (p *pages) mediumShown() bool { return p.slot.Visible() }

// open opens a page.
func (p *pages) open(o page) {
	if i := slices.Index(p.offered(), o); i >= 0 {
		p.tabs.Select(i)
		p.choose(o)
	}
}

func (p *pages) choose(o page) {
	p.chosen = o
	p.arrange()
	p.viewer.root.Refresh()
}

// arrange places the open page, and updates it to the result that the viewer shows.
func (p *pages) arrange() {
	o := p.openPage()
	p.layout.stand = p.stand(o)
	kit.SetVisible(p.slot, p.layout.stand != panelAlone)
	kit.SetVisible(p.panel, p.layout.stand != mediumAlone)
	kit.SetVisible(p.tools, p.slot.Visible() && len(p.tools.Objects) > 0)
	if p.layout.stand == mediumAlone {
		return
	}
	pane := p.pane(o)
	if pane == nil {
		return
	}
	if p.inPanel != pane {
		p.inPanel = pane
		p.panel.Objects = []fyne.CanvasObject{pane.Object()}
		if o == detailsPage { // the other pages have a card of their own
			p.panel.Objects = []fyne.CanvasObject{kit.NewCard(layout.NewSpacer()),
				container.New(layout.NewCustomPaddedLayout(panelPadding, panelPadding, panelPadding, panelPadding), pane.Object())}
		}
		p.panel.Refresh()
	}
	if !p.fresh[o] && p.begun {
		p.fresh[o] = true
		pane.Show(p.viewer.shown)
	}
}

// stand says where a page is in relation to the medium.
func (p *pages) stand(o page) stand {
	switch {
	case o == mediumPage:
		return mediumAlone
	case !p.wide || o == dataPage:
		return panelAlone
	case p.viewer.shown.Medium != present.Clip: // frames, sound and lanes need the width
	case o == modelsPage:
		return panelBeneath
	default:
		return panelAlone
	}
	return panelBeside
}

// pane returns a page's pane, which is made on the first call.
func (p *pages) pane(o page) Pane {
	if pane := p.panels[o]; pane != nil {
		return pane
	}
	switch o {
	case detailsPage:
		p.panels[o] = p.viewer.Details()
	case dataPage:
		p.panels[o] = p.viewer.Data()
	}
	return p.panels[o]
}

// show shows a submission's medium and the pages about it.
func (p *pages) show(v present.Viewer) {
	p.begun = true
	clear(p.fresh)
	next := p.mediumPane(v.Medium)
	if next != p.current {
		if p.current != nil {
			p.current.Clear()
		}
		p.current = next
		p.slot.Objects = []fyne.CanvasObject{next.Object()}
		p.slot.Refresh()
		p.tools.Objects = nil
		if with, ok := next.(tooled); ok {
			p.tools.Objects = []fyne.CanvasObject{with.Tools()}
		}
		p.tools.Refresh()
	}
	p.arrange()
	p.relabel()
	p.setPreview() // before anything is visible
	p.current.Show(v)
}

// clear empties all panes.
func (p *pages) clear() {
	if p.current != nil {
		p.current.Clear()
	}
}

func (p *pages) mediumPane(m present.Medium) Pane {
	if pane := p.media[m]; pane != nil {
		return pane
	}
	if made := p.viewer.Media[m]; made != nil {
		p.media[m] = made()
	} else {
		p.media[m] = newNoPreview()
	}
	return p.media[m]
}

// setPreview applies the person's preview to the pane in front.
func (p *pages) setPreview() {
	if previewer, ok := p.current.(Previewer); ok {
		previewer.SetPreview(p.viewer.previewNow())
	}
}

// setSound shows the bars of a clip's sound beside the clip's; nil for none.
func (p *pages) setSound(sound *present.Viewer) {
	p.models.setSound(sound)
	p.medium.Refresh()
}

// setWide sets whether there is room for a page beside the medium.
func (p *pages) setWide(wide bool) {
	if p.wide == wide {
		return
	}
	p.wide = wide
	if !wide && p.chosen == modelsPage {
		p.chosen = mediumPage // what the person looks at stays visible
	}
	p.arrange()
	p.relabel()
}

// stand is where the open page is in relation to the medium.
type stand int

const (
	panelBeside stand = iota
	panelBeneath
	mediumAlone
	panelAlone
)

const (
	panelWidth   float32 = 340
	panelMinimum float32 = 292
	besideFrom   float32 = 720  // the least width for a page beside the medium
	mediumLeast  float32 = 190  // the least height of the medium
	mediumMost   float32 = 320  // the most height that a medium can ask for
	panelMost    float32 = 0.36 // of the height, for a page below the medium
)

// pagesLayout lays out the medium and the open page.
type pagesLayout struct {
	pages *pages
	stand stand
}

// Layout implements fyne.Layout.
func (l *pagesLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.pages.setWide(size.Width >= besideFrom)
	medium, panel := objects[0], objects[1]
	at := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, w), max(0, h)))
	}
	switch l.stand {
	case panelBeside:
		side := min(max(panelMinimum, 0.39*size.Width), panelWidth)
		at(medium, 0, 0, size.Width-side-3*look.Space, size.Height)
		at(panel, size.Width-side, 0, side, size.Height)
	case panelBeneath:
		panel.Resize(fyne.NewSize(size.Width, panel.Size().Height)) // the width first: the height follows from it
		low := min(l.pages.models.height(), panelMost*size.Height)
		at(medium, 0, 0, size.Width, size.Height-low-3*look.Space)
		at(panel, 0, size.Height-low, size.Width, low)
	default:
		at(medium, 0, 0, size.Width, size.Height)
		at(panel, 0, 0, size.Width, size.Height)
	}
}

// MinSize implements fyne.Layout. It is not wider than a narrow window, and low: the panes scroll what does not fit. It grows only for controls that
// wrap into further lines.
func (l *pagesLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(panelMinimum, mediumLeast)
	if medium := objects[0]; medium.Visible() {
		size.Height = min(max(mediumLeast, medium.MinSize().Height), mediumMost)
	}
	if l.stand == panelBeneath {
		size.Height += 120
	}
	return size
}
