package cases

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// form is what a sheet asks for.
type form struct {
	title  string
	above  fyne.CanvasObject // above the fields; may be nil
	below  fyne.CanvasObject // below them; may be nil
	fields []formField
	who    bool   // it asks who says so, too
	yes    string // the words of the button that does it
	failed string // what could not be done, in a sentence
	// do is called on a worker with what was filled in; then runs on the UI thread after it, and may be nil.
	do func(ctx context.Context) (then func(), err error)
}

// formField is a text to be filled in.
type formField struct {
	name, hint string
	text       *string // as it begins, and as it was filled in
	longest    int     // characters
	lines      int     // 0: a field of one line
	needed     bool
}

// ask shows a form in the window's sheet. Enter in a field of one line does it, and so does Enter with the usual modifier in one of several lines.
func (s *Screen) ask(f form) {
	by := s.by
	if f.who {
		f.fields = append(f.fields, formField{name: i18n.T("Written by"), hint: i18n.T("Your name"), text: &by, longest: LongestTitle, needed: true})
	}
	save := kit.NewButton(kit.Primary, f.yes, nil, nil)
	check := func() {
		complete := true
		for _, each := range f.fields {
			complete = complete && each.valid()
		}
		kit.SetEnabled(save, complete)
	}
	save.OnTapped = func() {
		if save.Disabled() {
			return
		}
		for _, each := range f.fields {
			*each.text = strings.TrimSpace(*each.text)
		}
		s.by = by
		s.Sheet.Close()
		var then func()
		s.do(f.failed, func(ctx context.Context) (err error) {
			then, err = f.do(ctx)
			return err
		}, func() {
			if then != nil {
				then()
			}
		})
	}
	body := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1})
	if f.above != nil {
		body.Add(f.above)
	}
	var first fyne.Focusable
	for _, each := range f.fields {
		entry := each.entry(check, save.OnTapped)
		if first == nil {
			first = entry.(fyne.Focusable)
		}
		body.Add(kit.NewLabelled(each.name, entry, nil, nil))
	}
	if f.below != nil {
		body.Add(f.below)
	}
	check()
	s.Sheet.Show(kit.SheetContent{Title: f.title, Body: body, First: first, Width: sheetWidth,
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close), save}})
}

const sheetWidth float32 = 540

// valid reports whether what is filled in can be kept.
func (f formField) valid() bool {
	text := strings.TrimSpace(*f.text)
	return (text != "" || !f.needed) && len([]rune(text)) <= f.longest
}

// entry is the widget that it is filled in with.
func (f formField) entry(changed, done func()) fyne.CanvasObject {
	typed := func(text string) {
		*f.text = text
		changed()
	}
	if f.lines > 0 {
		area := kit.NewTextArea(f.hint, f.lines, nil)
		area.Longest = f.longest
		area.SetText(*f.text)
		area.OnChanged, area.OnDone = typed, done
		return area
	}
	field := kit.NewField(f.hint, nil)
	field.Longest = f.longest
	field.SetText(*f.text)
	field.OnChanged = typed
	field.OnSubmitted = func(string) { done() }
	return field
}

// findings are texts with who wrote them and when, below each other; nil for none.
func findings(title string, all []Finding) fyne.CanvasObject {
	if len(all) == 0 {
		return nil
	}
	column := container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, kit.NewText(title, kit.TextStyle{Weight: look.WeightMedium}))
	for _, f := range all {
		column.Add(container.New(kit.Column{Gap: 2, Grow: -1}, kit.NewParagraph(f.Text, kit.TextStyle{}), kit.NewHint(f.Who)))
	}
	return column
}
