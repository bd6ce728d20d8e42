package guitest

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client/i18n/i18ntest"
	"assay/gui/present"
)

// CheckTranslated fails the test for each untranslated word in an object. The object must be built after i18ntest.Pseudo. data are the fixture's own
// names and numbers, which are not translated. Hidden objects are checked too.
func CheckTranslated(t testing.TB, o fyne.CanvasObject, data ...string) {
	t.Helper()
	CheckTextsTranslated(t, Texts(o), data...)
}

// CheckTextsTranslated is CheckTranslated for texts that no object shows yet, such as a pane's shortcuts.
func CheckTextsTranslated(t testing.TB, texts []string, data ...string) {
	t.Helper()
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		if words := i18ntest.Forgotten(text, data...); len(words) > 0 {
			t.Errorf("not translated: %q in %q", words, text)
		}
	}
}

// CheckShortcutsTranslated is CheckTranslated for the descriptions of a screen's or a pane's keys.
func CheckShortcutsTranslated(t testing.TB, shortcuts []present.Shortcut) {
	t.Helper()
	var texts []string
	for _, s := range shortcuts {
		texts = append(texts, s.Does)
	}
	CheckTextsTranslated(t, texts)
}

// Texts returns all texts of an object: drawn texts, the content and hints of fields, tooltips, menus and labels for screen readers.
func Texts(o fyne.CanvasObject) []string {
	var all []string
	walk(o, map[fyne.CanvasObject]bool{}, func(text string) {
		if strings.TrimSpace(text) != "" {
			all = append(all, text)
		}
	})
	return all
}

func walk(o fyne.CanvasObject, seen map[fyne.CanvasObject]bool, say func(string)) {
	if o == nil || seen[o] {
		return
	}
	seen[o] = true
	if tip, ok := o.(interface{ ToolTip() string }); ok {
		say(tip.ToolTip())
	}
	if named, ok := o.(interface{ AccessibilityLabel() string }); ok && !isContainer(o) {
		say(named.AccessibilityLabel())
	}
	switch o := o.(type) {
	case *canvas.Text:
		say(o.Text)
	case *fyne.Container:
		for _, inner := range o.Objects {
			walk(inner, seen, say)
		}
		return
	case *container.Scroll:
		walk(o.Content, seen, say)
		return
	}
	if w, ok := o.(fyne.Widget); ok {
		for _, inner := range test.WidgetRenderer(w).Objects() {
			walk(inner, seen, say)
		}
	}
}

// isContainer reports whether the object's label is the toolkit's own.
func isContainer(o fyne.CanvasObject) bool {
	_, is := o.(*fyne.Container)
	return is
}
