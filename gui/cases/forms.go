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

// NewCase asks for a title, makes the case and shows it.
func (s *Screen) NewCase() {
	title := ""
	s.ask(form{
		title: i18n.T("New case"), yes: i18n.T("Make it"), failed: i18n.T("The case could not be made."),
		fields: []formField{{name: i18n.T("Title"), hint: i18n.T("Such as Harbour statement"), text: &title, longest: LongestTitle, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			id, err := s.Records.New(ctx, title, s.by)
			return func() {
				s.list.search.SetText("")
				s.Show(id)
			}, err
		},
	})
}

// form is what a sheet asks for.
type form struct {
	title  string
	above  fyne.CanvasObject // above the fields; may be nil
	fields []formField
	yes    string // the words of the button that does it
	failed string // what could not be done, in a sentence
	// do is called on a worker with what was filled in; then runs on the UI thread after it.
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

// ask shows a form in the window's sheet. Enter in a field of one line does it.
func (s *Screen) ask(f form) {
	var save *kit.Button
	check := func() {
		complete := true
		for _, each := range f.fields {
			complete = complete && each.valid()
		}
		kit.SetEnabled(save, complete)
	}
	done := func() {
		if save.Disabled() {
			return
		}
		for _, each := range f.fields {
			*each.text = strings.TrimSpace(*each.text)
		}
		s.Sheet.Close()
		then := func() {}
		s.do(f.failed, func(ctx context.Context) (err error) {
			then, err = f.do(ctx)
			return err
		}, func() { then() })
	}
	body := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1})
	if f.above != nil {
		body.Add(f.above)
	}
	save = kit.NewButton(kit.Primary, f.yes, nil, done)
	var first fyne.Focusable
	for _, each := range f.fields {
		entry := each.entry(check, done)
		if first == nil {
			first = entry.(fyne.Focusable)
		}
		body.Add(kit.NewLabelled(each.name, entry, nil, nil))
	}
	check()
	s.Sheet.Show(kit.SheetContent{Title: f.title, Body: body, First: first, Width: 520,
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close), save}})
}

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
	one := kit.NewField(f.hint, nil)
	one.SetText(*f.text)
	one.OnChanged = typed
	one.OnSubmitted = func(string) { done() }
	return one
}
