package folders

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// rowWidget shows one watched folder: its name, where it lies and what it takes; its state and what is in its way; what was taken
// last and how many; what can be done.
type rowWidget struct {
	widget.BaseWidget
	ring, plain, hover *kit.Fill
	thumb              *kit.Thumb
	name, where, takes *kit.Text
	gate               *kit.Tag
	symbol             *kit.Icon
	state, counts      *kit.Text
	last, age          *kit.Text // in a column of their own, where there is room
	// Up to three lines of one text.
	detail, detailRest, detailEnd *kit.Text

	held, pause, change, open, remove *kit.Button

	row    Row
	now    time.Time
	wide   bool
	screen *Screen
}

var (
	_ fyne.Tappable     = (*rowWidget)(nil)
	_ desktop.Hoverable = (*rowWidget)(nil)
	_ fyne.Accessible   = (*rowWidget)(nil)
)

func newRowWidget(f *Screen) *rowWidget {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	path := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle}
	r := &rowWidget{
		ring: kit.NewFill(look.ColorAccent), plain: kit.NewFill(look.ColorSurface), hover: kit.NewFill(look.ColorHover),
		thumb:  kit.NewThumb(kit.RowThumb, look.IconFolders),
		name:   kit.NewText("", kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisMiddle}),
		where:  kit.NewText("", path),
		takes:  kit.NewText("", small),
		gate:   kit.NewTag(nil, ""),
		symbol: kit.NewIcon(look.IconCheck, look.ColorMuted, kit.RowSign),
		state:  kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisEnd}),
		detail: kit.NewText("", small), detailRest: kit.NewText("", small), detailEnd: kit.NewText("", small),
		counts: kit.NewText("", small),
		last:   kit.NewText("", kit.TextStyle{Ellipsis: look.EllipsisMiddle}),
		age:    kit.NewText("", small),
		screen: f,
	}
	r.hover.Hide()
	action := func(icon fyne.Resource, tip string, do func(id string)) *kit.Button {
		b := kit.NewButton(kit.Bare, "", icon, func() { do(r.row.ID) })
		b.SetToolTip(tip)
		return b
	}
	r.held = kit.NewButton(kit.Bare, "", look.IconInbox, func() { f.ShowHeld(r.row.Form.Path) })
	r.held.SetToolTip(i18n.T("Show them in the inbox (W)"))
	r.pause = action(look.IconPause, "", f.pauseOrResume)
	r.change = action(look.IconSettings, i18n.T("Change… (Enter)"), f.change)
	r.open = action(look.IconExternal, i18n.T("Open in the file manager (O)"), func(string) { f.OpenInFiles(r.row.Form.Path) })
	r.remove = action(look.IconClose, i18n.T("Watch it no longer (Delete)"), f.remove)
	r.ExtendBaseWidget(r)
	return r
}

// set shows a folder. The row with the cursor is the one that keys act on. What is as before is not drawn again.
func (r *rowWidget) set(row Row, cursor bool, now time.Time) {
	r.row, r.now = row, now
	kit.SetVisible(r.ring, cursor)
	kit.SetVisible(r.plain, cursor)
	r.name.SetText(row.Name)
	r.where.SetText(row.Where)
	r.takes.SetText(row.Takes)
	r.gate.Set(gateIcon(row.Form.InForce()), row.Form.InForce().Words())
	icon, ink := folderSign(row.Symbol)
	r.symbol.Set(icon, ink)
	r.state.SetText(row.State)
	if row.Waiting != "" {
		r.held.SetLabel(row.Waiting)
	}
	kit.SetVisible(r.held, row.Waiting != "")
	if row.Paused() {
		r.pause.SetIcon(look.IconPlay)
		r.pause.SetToolTip(i18n.T("Go on (P)"))
	} else {
		r.pause.SetIcon(look.IconPause)
		r.pause.SetToolTip(i18n.T("Pause (P)"))
	}
	r.arrange(r.Size())
}

func gateIcon(g Gate) fyne.Resource {
	switch g {
	case Sends:
		return look.IconArrowUp
	case Keeps:
		return look.IconLock
	}
	return look.IconQuestion
}

func folderSign(s Symbol) (icon fyne.Resource, ink fyne.ThemeColorName) {
	switch s {
	case SymbolBusy:
		return look.IconHourglass, look.ColorMuted
	case SymbolPolling:
		return look.IconRetry, look.ColorMuted
	case SymbolPaused:
		return look.IconPause, look.ColorMuted
	case SymbolGone:
		return look.IconSearch, look.ColorText
	case SymbolTrouble, SymbolWarns:
		return look.IconWarning, look.ColorText
	}
	return look.IconCheck, look.ColorMuted
}

// Tapped implements fyne.Tappable.
func (r *rowWidget) Tapped(*fyne.PointEvent) { r.screen.clicked(r.row.ID) }

// MouseIn implements desktop.Hoverable.
func (r *rowWidget) MouseIn(*desktop.MouseEvent) { r.hover.Show() }

// MouseMoved implements desktop.Hoverable.
func (r *rowWidget) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *rowWidget) MouseOut() { r.hover.Hide() }

// AccessibilityLabel implements fyne.Accessible.
func (r *rowWidget) AccessibilityLabel() string {
	label := r.row.Name + ": " + r.row.State
	for _, more := range []string{r.row.Problem, r.row.Progress, r.row.Last(r.now), r.row.Counts, r.row.Waiting, r.row.Form.InForce().Words(), r.row.Takes} {
		if more != "" {
			label += ", " + more
		}
	}
	return label
}

// AccessibilityRole implements fyne.Accessible.
func (r *rowWidget) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// CreateRenderer implements fyne.Widget.
func (r *rowWidget) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{row: r} }
