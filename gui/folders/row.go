package folders

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/kit"
	"assay/gui/look"
)

// rowWidget shows a watched folder: name, place, and what it takes; its state and problems; the last file and how many were taken; its actions.
type rowWidget struct {
	kit.Row
	thumb              *kit.Thumb
	name, where, takes *kit.Text
	gate               *kit.Tag
	symbol             *kit.Icon
	state, counts      *kit.Text
	last, age          *kit.Text // in a column of their own, if there is room
	// Up to three lines of one text.
	detail, detailRest, detailEnd *kit.Text

	held, pause, change, open, remove *kit.Button

	row    Row
	now    time.Time
	wide   bool
	screen *Screen
}

var (
	_ fyne.Tappable   = (*rowWidget)(nil)
	_ fyne.Accessible = (*rowWidget)(nil)
)

func newRowWidget(f *Screen) *rowWidget {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	path := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle}
	r := &rowWidget{
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
	r.remove = action(look.IconClose, i18n.T("Stop watching"), f.remove)
	r.StartRow(r)
	return r
}

// set shows a folder. cursor is whether keys act on it. What did not change is not drawn again.
func (r *rowWidget) set(row Row, cursor bool, now time.Time) {
	r.row, r.now = row, now
	r.Mark(cursor, false)
	r.name.SetText(row.Name)
	r.where.SetText(row.Where)
	r.takes.SetText(row.Takes)
	r.gate.Set(gateIcon(row.Form.InForce()), GateWords(row.Form.InForce()))
	icon, ink := folderSign(row.Symbol)
	r.symbol.Set(icon, ink)
	r.state.SetText(row.State)
	if row.Waiting != "" {
		r.held.SetLabel(row.Waiting)
	}
	kit.SetVisible(r.held, row.Waiting != "")
	if row.Paused() {
		r.pause.SetIcon(look.IconPlay)
		r.pause.SetToolTip(i18n.T("Resume"))
	} else {
		r.pause.SetIcon(look.IconPause)
		r.pause.SetToolTip(i18n.T("Pause"))
	}
	r.arrange(r.Size())
}

func gateIcon(g submission.Gate) fyne.Resource {
	switch g {
	case submission.GateSend:
		return look.IconArrowUp
	case submission.GateNever:
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

// AccessibilityLabel implements fyne.Accessible.
func (r *rowWidget) AccessibilityLabel() string {
	label := r.row.Name + ": " + r.row.State
	for _, more := range []string{r.row.Problem, r.row.Progress, r.row.Last(r.now), r.row.Counts, r.row.Waiting, GateWords(r.row.Form.InForce()), r.row.Takes} {
		if more != "" {
			label += ", " + more
		}
	}
	return label
}

// CreateRenderer implements fyne.Widget.
func (r *rowWidget) CreateRenderer() fyne.WidgetRenderer {
	return r.DrawRow(fyne.NewSize(300, rowHeight), r.arrange, r.thumb, r.name, r.where, r.takes, r.gate, r.symbol, r.state, r.detail, r.detailRest,
		r.detailEnd, r.counts, r.last, r.age, r.held, r.pause, r.change, r.open, r.remove)
}

const (
	rowHeight float32 = 80
	// folderWide is the least width for a column with the last file.
	folderWide float32 = 960
	// folderNarrow is the least width for name and state beside each other.
	folderNarrow float32 = 560
)

// arrange shares the width that the actions leave between name, state and the column of the last file. In a narrow row there is no such column, and the
// lines of the state show it too. The button for files that wait has the same width in all rows.
func (r *rowWidget) arrange(size fyne.Size) {
	const button = look.ControlHeight
	r.PlaceRow(size)
	right := size.Width - 2.5*look.Space
	narrow := size.Width < folderNarrow
	kit.SetVisible(r.open, !narrow || !r.held.Visible())
	for _, b := range []*kit.Button{r.remove, r.open, r.change, r.pause} {
		if !b.Visible() {
			continue
		}
		right -= button
		kit.PlaceInRow(b, right, size.Height, button, button)
	}
	kit.PlaceInRow(r.held, right-r.held.MinSize().Width, size.Height, r.held.MinSize().Width, button)
	right -= r.screen.heldWidth + kit.RowGap
	x := kit.RowEdge
	r.wide = size.Width >= folderWide
	kit.SetVisible(r.thumb, r.wide)
	if r.wide {
		kit.PlaceInRow(r.thumb, x, size.Height, kit.RowThumb, kit.RowThumb)
		x += kit.RowThumb + kit.RowGap
	}
	room := right - x
	for _, o := range []fyne.CanvasObject{r.where, r.takes, r.detail, r.detailRest, r.detailEnd, r.counts} {
		kit.SetVisible(o, !narrow)
	}
	if narrow {
		r.placeColumn(x, max(0, room), size.Height)
		return
	}
	nameWidth := max(200, 0.46*room)
	if r.wide {
		nameWidth = 0.34 * room
	}
	r.placeName(x, nameWidth, size.Height)
	x += nameWidth + 2*kit.RowGap
	kit.PlaceInRow(r.symbol, x, size.Height, kit.RowSign, kit.RowSign)
	x += kit.RowSign + kit.RowGap
	stateWidth := max(0, right-x)
	if r.wide && (r.row.LastName != "" || r.row.Counts != "") {
		stateWidth = max(0, stateWidth-2*kit.RowGap) / 2
	}
	r.sayDetails(stateWidth)
	if r.wide {
		kit.StackLines(x, stateWidth, size.Height, r.state, r.detail, r.detailRest, r.detailEnd)
		kit.StackLines(x+stateWidth+2*kit.RowGap, stateWidth, size.Height, r.last, r.age, r.counts)
	} else {
		kit.StackLines(x, stateWidth, size.Height, r.state, r.detail, r.detailRest, r.detailEnd, r.counts)
	}
	r.alignSymbol()
}

// placeColumn lays out the name, the state and the gate below each other. What else there is to say, “Change…” shows.
func (r *rowWidget) placeColumn(x, width, height float32) {
	const indent = kit.RowSign + 1.5*look.Space
	kit.StackLines(x, width, height, r.name, r.state, r.gate)
	r.state.Move(r.state.Position().AddXY(indent, 0))
	r.state.Resize(fyne.NewSize(max(0, width-indent), r.state.Size().Height))
	r.gate.Resize(fyne.NewSize(min(width, r.gate.MinSize().Width), r.gate.MinSize().Height))
	r.symbol.Move(fyne.NewPos(x, 0))
	r.symbol.Resize(fyne.NewSquareSize(kit.RowSign))
	r.alignSymbol()
}

// sayDetails distributes the text over the lines.
func (r *rowWidget) sayDetails(width float32) {
	row := r.row
	say := func(detail string, lines int) {
		first, rest := brokenAt(detail, width)
		end := ""
		if lines > 2 {
			rest, end = brokenAt(rest, width)
		}
		r.detail.SetText(first)
		r.detailRest.SetText(rest)
		r.detailEnd.SetText(end)
	}
	kit.SetVisible(r.last, r.wide)
	kit.SetVisible(r.age, r.wide)
	if r.wide {
		say(joinedText(row.Problem, row.Progress), 3)
		r.last.SetText(row.LastName)
		r.age.SetText(row.Age(r.now))
		r.counts.SetText(row.Counts)
		return
	}
	last := row.Last(r.now)
	if row.Problem != "" {
		counts := joinedText(row.Progress, row.Counts, last)
		lines := 2
		if counts == "" {
			lines = 3
		}
		say(row.Problem, lines)
		r.counts.SetText(counts)
		return
	}
	if last == "" {
		say(row.Progress, 2)
		r.counts.SetText(row.Counts)
		return
	}
	r.detail.SetText(last)
	r.detailRest.SetText("")
	r.detailEnd.SetText("")
	r.counts.SetText(joinedText(row.Progress, row.Counts))
}

// brokenAt breaks a text after the last word that fits a width. If all of it fits, or no word does, first is the whole text.
func brokenAt(text string, width float32) (first, rest string) {
	first, rest, more := kit.FirstLine(text, width, look.Size(look.SizeSmall), fyne.TextStyle{})
	if more && !strings.HasPrefix(text[len(first):], " ") { // within a word
		return text, ""
	}
	return first, rest
}

func joinedText(parts ...string) string {
	var filled []string
	for _, p := range parts {
		if p != "" {
			filled = append(filled, p)
		}
	}
	return strings.Join(filled, " · ")
}

// placeName stacks the name, its place, and its gate before what it takes.
func (r *rowWidget) placeName(x, width, height float32) {
	const gap = 1
	tag := r.gate.MinSize()
	name, where := r.name.MinSize().Height, kit.LineHeight(r.where)
	y := (height - name - where - gap - tag.Height) / 2
	for _, line := range []*kit.Text{r.name, r.where} {
		line.Move(fyne.NewPos(x, y))
		line.Resize(fyne.NewSize(width, line.MinSize().Height))
		y += kit.LineHeight(line)
	}
	y += gap
	r.gate.Move(fyne.NewPos(x, y))
	r.gate.Resize(tag)
	takes := r.takes.MinSize().Height
	left := tag.Width + 1.5*look.Space
	r.takes.Move(fyne.NewPos(x+left, y+(tag.Height-takes)/2))
	r.takes.Resize(fyne.NewSize(max(0, width-left), takes))
}

// alignSymbol places the symbol beside the first line of the state.
func (r *rowWidget) alignSymbol() {
	middle := r.state.Position().Y + r.state.MinSize().Height/2
	r.symbol.Move(fyne.NewPos(r.symbol.Position().X, middle-kit.RowSign/2))
}
