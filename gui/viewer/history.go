package viewer

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// historyPanel compares the answers for the same content, and shows the custody log.
type historyPanel struct {
	root    *kit.Card
	rows    *fyne.Container
	readers *work.Workers
	source  Source
	compare func(shown, other present.AnswerRef) // nil: answers can't be compared
	cancel  context.CancelFunc
	shown   string
}

func newHistoryPanel(readers *work.Workers, source Source, compare func(shown, other present.AnswerRef)) *historyPanel {
	h := &historyPanel{readers: readers, source: source, compare: compare, cancel: func() {}}
	h.rows = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1})
	h.root = kit.NewCard(kit.NewScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2*look.Space), h.rows)))
	h.root.SetPadding(panelPadding)
	return h
}

// Object is the panel's root.
func (h *historyPanel) Object() fyne.CanvasObject { return h.root }

// Show reads a submission's history.
func (h *historyPanel) Show(v present.Viewer) {
	h.cancel()
	if h.shown != v.ID {
		h.Clear()
	}
	h.shown = v.ID
	h.cancel = h.readers.Do(func(ctx context.Context) func() {
		history, err := h.source.History(ctx, v.ID)
		return func() {
			if err != nil {
				h.fill(kit.NewNotice(look.IconWarning, i18n.F("The history can't be read. %s", present.Problem(err)), "", nil))
				return
			}
			h.fill(h.historyRows(history)...)
		}
	})
}

// Clear shows nothing.
func (h *historyPanel) Clear() {
	h.cancel()
	h.shown = ""
	h.fill()
}

func (h *historyPanel) fill(rows ...fyne.CanvasObject) {
	h.rows.Objects = rows
	h.root.Refresh()
}

func (h *historyPanel) historyRows(history present.History) []fyne.CanvasObject {
	heading := func(text string) fyne.CanvasObject {
		return kit.NewParagraph(text, kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	title := i18n.T("Answers on this content")
	if len(history.Answers) == 1 {
		title = i18n.T("One answer on this content")
	}
	rows := []fyne.CanvasObject{heading(title)}
	shown, ok := history.Shown()
	for _, a := range history.Answers {
		var compare *kit.Button
		if h.compare != nil && ok && a.Read && !a.Shown {
			compare = kit.NewButton(kit.Plain, i18n.T("Compare"), nil, func() { h.compare(shown, a.Ref) })
			compare.SetToolTip(i18n.T("Compare this answer with the one shown"))
		}
		rows = append(rows, pastAnswer(a, compare))
	}
	rows = append(rows, heading(i18n.T("Custody log")))
	if history.Broken != "" {
		rows = append(rows, kit.NewNotice(look.IconWarning, history.Broken, "", nil))
	}
	if len(history.Log) == 0 {
		rows = append(rows, kit.NewParagraph(i18n.T("No entries."), small))
	}
	for _, e := range history.Log {
		rows = append(rows, container.New(kit.Column{Gap: 0, Grow: -1},
			kit.NewParagraph(e.When+" · "+e.Event, kit.TextStyle{Size: look.SizeSmall}),
			kit.NewText(e.Hash, kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Mono: true, Ellipsis: look.EllipsisMiddle})))
	}
	if len(history.Log) > 0 {
		rows = append(rows, kit.NewParagraph(i18n.T("Each entry's hash covers the entry and the hash of the one before it in Assay's log."), small))
	}
	return rows
}

// pastAnswer shows one answer: mark and words, when and by which release, and how it differs from the one before; compare may be nil.
func pastAnswer(a present.PastAnswer, compare *kit.Button) fyne.CanvasObject {
	words := a.Words
	if a.Shown {
		words = i18n.F("%s (shown here)", words)
	}
	column := []fyne.CanvasObject{kit.NewParagraph(words, kit.TextStyle{Weight: look.WeightMedium})}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	line := a.When
	for _, more := range []string{a.Score, a.About} {
		if more != "" {
			line += " · " + more
		}
	}
	column = append(column, kit.NewParagraph(line, small))
	for _, change := range a.Changes {
		column = append(column, kit.NewParagraph(change, kit.TextStyle{Size: look.SizeSmall}))
	}
	mark := container.NewVBox(container.New(layout.NewCustomPaddedLayout(2, 0, 0, 2*look.Space), kit.NewMarkIcon(look.Mark(a.Mark), 15)))
	if compare != nil {
		column = append(column, container.NewHBox(compare))
	}
	return container.NewBorder(nil, nil, mark, nil, container.New(kit.Column{Gap: 2, Grow: -1}, column...))
}

// TypedRune implements Pane; it uses no key.
func (h *historyPanel) TypedRune(rune) bool { return false }

// TypedKey implements Pane; it uses no key.
func (h *historyPanel) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts implements Pane; there are none.
func (h *historyPanel) Shortcuts() []present.Shortcut { return nil }
