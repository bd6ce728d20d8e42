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

// page is what a tab of the panel shows.
type page int

// The pages.
const (
	modelsPage page = iota
	detailsPage
	dataPage
	historyPage
)

// pages show the medium and, in a panel at its right that folds, one page about it. Where there is no room for both, the panel is in the medium's
// place, and folded until it is asked for.
type pages struct {
	viewer  *Viewer
	tools   *fyne.Container // tools of the medium
	both    *fyne.Container // contains the medium and the panel
	tabs    *kit.Tabs
	slot    *fyne.Container // contains the medium's pane
	panel   *fyne.Container // contains the tabs and the open page
	page    *fyne.Container // contains the open page
	inPanel Pane
	current Pane // the medium's, nil for none
	media   map[present.Medium]Pane
	panels  map[page]Pane
	models  *modelsPanel
	chosen  page          // by the person
	folded  bool          // by the person, where there is room
	over    bool          // whether the panel is in the medium's place, where there is none
	wide    bool          // whether there is room
	room    float32       // the height that the medium has without scrolling
	fresh   map[page]bool // pages that are up to date
	begun   bool
}

func newPages(v *Viewer) *pages {
	p := &pages{viewer: v, media: map[present.Medium]Pane{}, panels: map[page]Pane{}, fresh: map[page]bool{}, wide: true, folded: v.Folded}
	p.tools = container.NewStack()
	p.tools.Hide()
	p.slot, p.page = container.NewStack(), container.NewStack()
	p.tabs = kit.NewTabs(nil, func(i int) { p.choose(p.offered()[i]) })
	p.panel = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, p.tabs, p.page)
	p.both = container.New(&pagesLayout{p}, p.slot, p.panel)
	p.models = newModelsPanel(v.reveal, p.goToVoice)
	p.panels[modelsPage] = p.models
	p.panels[historyPage] = newHistoryPanel(v.Readers, v.Source, v.Compare)
	var names []string
	for _, o := range p.offered() {
		names = append(names, i18n.T(pageNames[o]))
	}
	p.tabs.SetNames(names, 0)
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
	return all
}

var pageNames = map[page]i18n.Key{modelsPage: "Models", detailsPage: "Details", dataPage: "Data", historyPage: "History"}

// mediumShown reports whether the medium is on screen.
func (p *pages) mediumShown() bool { return p.slot.Visible() }

// panelShown reports whether the panel is.
func (p *pages) panelShown() bool { return p.panel.Visible() }

// open opens a page, and the panel with it.
func (p *pages) open(o page) {
	if i := slices.Index(p.offered(), o); i >= 0 {
		p.tabs.Select(i)
		p.folded, p.over = p.folded && !p.wide, true
		p.choose(o)
	}
}

// fold folds the panel, or unfolds it.
func (p *pages) fold() {
	if p.wide {
		p.folded = !p.folded
		p.viewer.onFold(p.folded)
	} else {
		p.over = !p.over
	}
	p.arrange()
	p.viewer.root.Refresh()
}

func (p *pages) choose(o page) {
	p.chosen = o
	p.arrange()
	p.viewer.root.Refresh()
}

// arrange shows what is open, and updates the page to the result that the viewer shows.
func (p *pages) arrange() {
	kit.SetVisible(p.panel, p.wide && !p.folded || !p.wide && p.over)
	kit.SetVisible(p.slot, p.wide || !p.over)
	kit.SetVisible(p.tools, p.slot.Visible() && len(p.tools.Objects) > 0)
	if !p.panelShown() {
		return
	}
	pane := p.pane(p.chosen)
	if p.inPanel != pane {
		p.inPanel = pane
		p.page.Objects = []fyne.CanvasObject{pane.Object()}
		if p.chosen == detailsPage { // the other pages have a card of their own
			p.page.Objects = []fyne.CanvasObject{kit.NewCard(layout.NewSpacer()),
				container.New(layout.NewCustomPaddedLayout(panelPadding, panelPadding, panelPadding, panelPadding), pane.Object())}
		}
		p.page.Refresh()
	}
	if !p.fresh[p.chosen] && p.begun {
		p.fresh[p.chosen] = true
		pane.Show(p.viewer.shown)
	}
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
	filled := p.viewer.full.on()
	if next != p.current {
		p.viewer.full.end()
		if p.current != nil {
			p.current.Clear()
		}
		p.current = next
		p.place()
	}
	p.arrange()
	p.setPreview() // before anything is visible
	p.current.Show(v)
	if filled && !p.viewer.full.on() {
		p.viewer.full.begin()
	}
}

// readAhead has a medium's pane get ready for a result, and the others forget what they got ready for. A pane that nothing has been shown in is not made
// for it.
func (p *pages) readAhead(id string, medium present.Medium) {
	for of, pane := range p.media {
		reader, ok := pane.(interface{ ReadAhead(id string) })
		switch {
		case !ok:
		case of == medium:
			reader.ReadAhead(id)
		default:
			reader.ReadAhead("")
		}
	}
}

// place puts the medium and its tools into their places.
func (p *pages) place() {
	p.slot.Objects = []fyne.CanvasObject{p.current.Object()}
	p.slot.Refresh()
	p.tools.Objects = nil
	if with, ok := p.current.(tooled); ok {
		p.tools.Objects = []fyne.CanvasObject{with.Tools()}
	}
	p.tools.Refresh()
	p.setRoom(p.room)
	if speaks, ok := p.current.(voiced); ok {
		speaks.OnVoice(p.models.setVoice)
	}
}

// setRoom tells the medium how much height it has without scrolling.
func (p *pages) setRoom(height float32) {
	p.room = height
	if fits, ok := p.current.(interface{ SetRoom(height float32) }); ok {
		fits.SetRoom(height)
	}
}

// goToVoice goes to a part of a clip's voice, where it can be seen.
func (p *pages) goToVoice(lane, i int) {
	if !p.mediumShown() {
		p.fold()
	}
	if speaks, ok := p.current.(voiced); ok {
		speaks.ChooseVoice(lane, i)
	}
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
	p.both.Refresh()
}

// setWide sets whether there is room for the panel beside the medium.
func (p *pages) setWide(wide bool) {
	if p.wide == wide {
		return
	}
	p.wide, p.over = wide, false // what the person looks at stays visible
	p.arrange()
}

const (
	panelWidth   float32 = 340
	panelMinimum float32 = 280
	besideFrom   float32 = 620 // the least width for the panel beside the medium
	mediumLeast  float32 = 200 // the least height of the medium
	mediumLow    float32 = 100 // where there is little height
)

// pagesLayout lays out the medium and the panel.
type pagesLayout struct{ pages *pages }

// Layout implements fyne.Layout.
func (l *pagesLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.pages.setWide(size.Width >= besideFrom)
	medium, panel := objects[0], objects[1]
	if !medium.Visible() || !panel.Visible() {
		kit.PlaceAt(medium, 0, 0, size.Width, size.Height)
		kit.PlaceAt(panel, 0, 0, size.Width, size.Height)
		return
	}
	side := min(max(panelMinimum, 0.27*size.Width), panelWidth)
	kit.PlaceAt(medium, 0, 0, size.Width-side-3*look.Space, size.Height)
	kit.PlaceAt(panel, size.Width-side, 0, side, size.Height)
}

// MinSize implements fyne.Layout. It is not wider than a narrow window, and as low as the medium can be: pages scroll.
func (l *pagesLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := mediumLeast
	if l.pages.viewer.tightness == tighter {
		least = mediumLow
	}
	if objects[0].Visible() {
		least = max(least, objects[0].MinSize().Height)
	}
	return fyne.NewSize(panelMinimum, least)
}

// noPreview is the pane for a medium that Assay does not know.
type noPreview struct{ root *fyne.Container }

func newNoPreview() *noPreview {
	return &noPreview{container.NewVBox(kit.NewNotice(look.IconInfo, i18n.T("There is no preview for this kind of file. What the models said is beside it."), "", nil))}
}

// Object is the pane's root.
func (n *noPreview) Object() fyne.CanvasObject { return n.root }

// Show implements Pane; it shows nothing.
func (*noPreview) Show(present.Viewer) {}

// Clear implements Pane; there is nothing to clear.
func (*noPreview) Clear() {}

// TypedRune implements Pane; it uses no key.
func (*noPreview) TypedRune(rune) bool { return false }

// TypedKey implements Pane; it uses no key.
func (*noPreview) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts implements Pane; there are none.
func (*noPreview) Shortcuts() []present.Shortcut { return nil }
