package screen

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// folderRow shows one watched folder: its name, where it lies and what it takes; its state and what is in its way; what was taken
// last and how many; what can be done.
type folderRow struct {
	widget.BaseWidget
	ring, plain, hover *kit.Ground
	thumb              *kit.Thumb
	name, where, takes *kit.Text
	gate               *kit.Tag
	symbol             *kit.Icon
	state, counts      *kit.Text
	last, age          *kit.Text // in a column of their own, where there is room
	// Up to three lines of one text.
	detail, detailRest, detailEnd *kit.Text

	held, pause, change, open, remove *kit.Button

	row    present.FolderRow
	now    time.Time
	wide   bool
	screen *Folders
}

var (
	_ fyne.Tappable     = (*folderRow)(nil)
	_ desktop.Hoverable = (*folderRow)(nil)
	_ fyne.Accessible   = (*folderRow)(nil)
)

func newFolderRow(f *Folders) *folderRow {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	path := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle}
	r := &folderRow{
		ring: kit.NewGround(look.ColorAccent), plain: kit.NewGround(look.ColorSurface), hover: kit.NewGround(look.ColorHover),
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
func (r *folderRow) set(row present.FolderRow, cursor bool, now time.Time) {
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

func gateIcon(g present.FolderGate) fyne.Resource {
	switch g {
	case present.FolderSends:
		return look.IconArrowUp
	case present.FolderKeeps:
		return look.IconLock
	}
	return look.IconQuestion
}

func folderSign(s present.FolderSymbol) (icon fyne.Resource, ink fyne.ThemeColorName) {
	switch s {
	case present.FolderBusy:
		return look.IconHourglass, look.ColorMuted
	case present.FolderPolling:
		return look.IconRetry, look.ColorMuted
	case present.FolderPaused:
		return look.IconPause, look.ColorMuted
	case present.FolderGone:
		return look.IconSearch, look.ColorText
	case present.FolderTrouble, present.FolderWarns:
		return look.IconWarning, look.ColorText
	}
	return look.IconCheck, look.ColorMuted
}

// Tapped implements fyne.Tappable.
func (r *folderRow) Tapped(*fyne.PointEvent) { r.screen.clicked(r.row.ID) }

// MouseIn implements desktop.Hoverable.
func (r *folderRow) MouseIn(*desktop.MouseEvent) { r.hover.Show() }

// MouseMoved implements desktop.Hoverable.
func (r *folderRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *folderRow) MouseOut() { r.hover.Hide() }

// AccessibilityLabel implements fyne.Accessible.
func (r *folderRow) AccessibilityLabel() string {
	label := r.row.Name + ": " + r.row.State
	for _, more := range []string{r.row.Problem, r.row.Progress, r.row.Last(r.now), r.row.Counts, r.row.Waiting, r.row.Form.InForce().Words(), r.row.Takes} {
		if more != "" {
			label += ", " + more
		}
	}
	return label
}

// AccessibilityRole implements fyne.Accessible.
func (r *folderRow) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// CreateRenderer implements fyne.Widget.
func (r *folderRow) CreateRenderer() fyne.WidgetRenderer { return &folderRowRenderer{row: r} }
