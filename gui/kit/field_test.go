package kit_test

import (
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

func TestTheWordsOverAControlAreItsName(t *testing.T) {
	test.NewTempApp(t)
	field, secret, area := kit.NewField("such as a link", nil), kit.NewSecretField("", nil), kit.NewTextArea("", 3, nil)
	field.SetText("https://harbour.example")
	secret.SetText("sk_live")
	area.Disable()
	of := kit.NewSelect(kit.Plain, []string{"System", "Light"}, nil)
	volume := kit.NewSlider(60, nil)
	volume.Name = "Volume"
	for want, control := range map[string]fyne.CanvasObject{
		"Address: https://harbour.example": field,
		"Key":                              secret, // which nobody beside the person hears
		"Note, not available":              area,
		"Theme: System":                    container.NewHBox(of),
		"Volume: 60":                       volume,
	} {
		words, _, _ := strings.Cut(want, ":")
		words, _, _ = strings.Cut(words, ",")
		var names []string
		for _, named := range guitest.InSight[fyne.Accessible](kit.NewLabelled(words, control, nil, nil)) {
			if _, takes := named.(fyne.Focusable); takes {
				names = append(names, named.AccessibilityLabel())
			}
		}
		if !slices.Contains(names, want) {
			t.Errorf("named %q, not %q", names, want)
		}
	}
	if got := kit.NewField("such as a link", nil).AccessibilityLabel(); got != "such as a link" {
		t.Errorf("without words over it, it is named %q", got)
	}
}

func TestNoTextBeginsWithTheSpaceThatOpenedItsField(t *testing.T) {
	test.NewTempApp(t)
	for name, field := range map[string]interface {
		TypedRune(char rune)
	}{"a line": kit.NewField("", nil), "a secret": kit.NewSecretField("", nil)} {
		t.Run(name, func(t *testing.T) {
			for _, char := range " a b" {
				field.TypedRune(char)
			}
			said := ""
			switch f := field.(type) {
			case *kit.Field:
				said = f.Text
			case *kit.SecretField:
				said = f.Text
			}
			if said != "a b" {
				t.Errorf("%q", said)
			}
		})
	}
}

func TestField(t *testing.T) {
	var typed string
	f := kit.NewField("Such as *.jpg", func(text string) { typed = text })
	w := setup(t, f, 200, 34)
	t.Run("is typed into", func(t *testing.T) {
		test.Type(f, "*.png")
		if typed != "*.png" || f.MinSize().Height != look.ControlHeight {
			t.Errorf("%q, %v", typed, f.MinSize())
		}
	})
	t.Run("passes Escape on and keeps its text", func(t *testing.T) {
		var passed fyne.KeyName
		w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { passed = e.Name })
		typeKeys(f, fyne.KeyEscape)
		if passed != fyne.KeyEscape || f.Text != "*.png" {
			t.Errorf("%q, %q", passed, f.Text)
		}
	})
}

func TestAFieldLooksTheSameBeforeItsFirstUse(t *testing.T) {
	fields := map[string]interface {
		fyne.Widget
		fyne.Focusable
		fyne.Disableable
	}{
		"a field":                         kit.NewField("Such as *.jpg, in any folder below the one that is watched", nil),
		"a field for a secret":            kit.NewSecretField("The key", nil),
		"a field to search with":          kit.NewSearchField("Search by name or link", nil),
		"a hint that Inter does not have": kit.NewField("写真 🏖", nil),
	}
	for name, f := range fields {
		t.Run(name, func(t *testing.T) {
			window := setup(t, container.New(kit.AtLeast(look.ControlHeight), f), 200, look.ControlHeight)
			before := window.Canvas().Capture()
			f.Disable()
			disabled := window.Canvas().Capture()
			f.Enable()
			window.Canvas().Focus(f)
			window.Canvas().Unfocus()
			if n := guitest.PixelsApart(window.Canvas().Capture(), before); n > 0 {
				t.Errorf("%d pixels differ", n)
			}
			f.Disable()
			if n := guitest.PixelsApart(window.Canvas().Capture(), disabled); n > 0 {
				t.Errorf("%d pixels differ where it is disabled", n)
			}
		})
	}
}

func TestTheWheelOverAField(t *testing.T) {
	const long = "a text that is much longer than the field is wide, so that it moves while somebody types"
	field, secret, search := kit.NewField("", nil), kit.NewSecretField("", nil), kit.NewSearchField("", nil)
	fields := []struct {
		name  string
		field fyne.CanvasObject
		fill  func(string)
	}{
		{"a field", field, field.SetText}, {"a field for a secret", secret, secret.SetText}, {"a field to search with", search, search.SetText},
	}
	notes := widget.NewMultiLineEntry()
	column := container.New(kit.Column{Gap: 10, Grow: -1}, field, secret, search, notes, container.New(kit.AtLeast(1000)))
	page := kit.NewScroll(column)
	window := setup(t, page, 300, 300)
	scroll := page.Objects[0].(*container.Scroll)
	turn := func(o fyne.CanvasObject, dx, dy float32) {
		scroll.ScrollToTop()
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(o.Size().Width/3, o.Size().Height/2)
		test.Scroll(window.Canvas(), at, dx, dy)
	}
	for _, f := range fields {
		t.Run(f.name+" moves the page, whatever is in it", func(t *testing.T) {
			for _, text := range []string{"", "short", long} {
				f.fill(text)
				turn(f.field, 0, -40)
				if scroll.Offset.Y != 40 {
					t.Errorf("with %q the page is at %g", text, scroll.Offset.Y)
				}
			}
		})
		t.Run(f.name+" keeps its text in place, sideways too", func(t *testing.T) {
			f.fill(long)
			before := test.WidgetRenderer(f.field.(fyne.Widget)).Objects()
			at := inClip(t, before).Position()
			turn(f.field, -40, 0)
			if scroll.Offset.Y != 0 || inClip(t, before).Position() != at {
				t.Errorf("the page is at %g, and the text at %v", scroll.Offset.Y, inClip(t, before).Position())
			}
		})
	}
	t.Run("a text of many lines still moves itself", func(t *testing.T) {
		notes.SetText("1\n2\n3\n4\n5\n6\n7\n8\n9")
		turn(notes, 0, -40)
		if scroll.Offset.Y != 0 {
			t.Errorf("the page is at %g", scroll.Offset.Y)
		}
	})
	t.Run("a list within a page still moves itself", func(t *testing.T) {
		inner := kit.NewScroll(container.New(kit.AtLeast(500)))
		column.Objects[4] = container.New(kit.AtLeast(100), inner)
		column.Add(container.New(kit.AtLeast(1000)))
		turn(inner, 0, -40)
		if of := inner.Objects[0].(*container.Scroll).Offset.Y; of != 40 || scroll.Offset.Y != 0 {
			t.Errorf("the list is at %g, the page at %g", of, scroll.Offset.Y)
		}
	})
}

func TestALongTextInAField(t *testing.T) {
	f := kit.NewField("", nil)
	window := setup(t, container.New(kit.AtLeast(look.ControlHeight), f), 200, 34)
	window.Canvas().Focus(f)
	objects := test.WidgetRenderer(f).Objects()
	shownAt := func() float32 { return inClip(t, objects).Position().X }
	room := func() float32 { return clipOf(t, objects).Size().Width }
	t.Run("moves with what is typed, and is cut off at the field's edge", func(t *testing.T) {
		test.Type(f, "a text that is longer than the field is wide")
		if cursor := f.CursorPosition().X + shownAt(); shownAt() >= 0 || cursor > room() || cursor < room()/2 {
			t.Errorf("the cursor is at %g of %g", cursor, room())
		}
		if room() > f.Size().Width {
			t.Errorf("%g of a field of %g", room(), f.Size().Width)
		}
	})
	t.Run("moves back with the cursor", func(t *testing.T) {
		typeKeys(f, fyne.KeyHome)
		if shownAt() != 0 {
			t.Errorf("it is at %g", shownAt())
		}
	})
	t.Run("has its cursor where it was clicked", func(t *testing.T) {
		typeKeys(f, fyne.KeyEnd)
		test.TapAt(f, fyne.NewPos(f.Size().Width-10, 17))
		if f.CursorColumn < 20 {
			t.Errorf("it is behind character %d", f.CursorColumn)
		}
	})
	t.Run("follows the field when that becomes wider", func(t *testing.T) {
		window.Resize(fyne.NewSize(400, 34))
		if room() < 350 {
			t.Errorf("%g of a field of %g", room(), f.Size().Width)
		}
	})
}

// clipOf is what a field cuts its text off with.
func clipOf(t *testing.T, objects []fyne.CanvasObject) *container.Clip {
	t.Helper()
	for _, o := range objects {
		if clip, ok := o.(*container.Clip); ok {
			return clip
		}
	}
	t.Fatal("the field does not cut its text off")
	return nil
}

// inClip is a field's text.
func inClip(t *testing.T, objects []fyne.CanvasObject) fyne.CanvasObject {
	t.Helper()
	return clipOf(t, objects).Content
}

func TestSearchField(t *testing.T) {
	t.Run("searches as it is typed into", func(t *testing.T) {
		var reported []string
		f := kit.NewSearchField("Search", func(text string) { reported = append(reported, text) })
		setup(t, f, 200, 34)
		test.Type(f, "ab")
		if !slices.Equal(reported, []string{"a", "ab"}) {
			t.Errorf("reported %q", reported)
		}
	})
	t.Run("Escape empties it, and leaves it where it is empty", func(t *testing.T) {
		left := 0
		f := kit.NewSearchField("Search", nil)
		f.OnDone = func() { left++ }
		setup(t, f, 200, 34)
		f.SetText("ab")
		typeKeys(f, fyne.KeyEscape)
		if f.Text != "" || left != 0 {
			t.Errorf("text %q, left %d times", f.Text, left)
		}
		typeKeys(f, fyne.KeyEscape)
		if left != 1 {
			t.Errorf("left %d times", left)
		}
	})
	t.Run("Enter and down leave it with its text", func(t *testing.T) {
		left := 0
		f := kit.NewSearchField("Search", nil)
		f.OnDone = func() { left++ }
		setup(t, f, 200, 34)
		f.SetText("ab")
		typeKeys(f, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown)
		if f.Text != "ab" || left != 3 {
			t.Errorf("text %q, left %d times", f.Text, left)
		}
	})
	t.Run("without a place to go to, leaving takes the focus away", func(t *testing.T) {
		f := kit.NewSearchField("Search", nil)
		w := setup(t, f, 200, 34)
		w.Canvas().Focus(f)
		typeKeys(f, fyne.KeyEscape)
		if w.Canvas().Focused() != nil {
			t.Errorf("the focus is on %T", w.Canvas().Focused())
		}
	})
	t.Run("has a button to empty it while there is a text", func(t *testing.T) {
		f := kit.NewSearchField("Search", nil)
		setup(t, f, 200, 34)
		if len(guitest.InSight[*kit.Button](f)) != 0 {
			t.Error("there is a button to empty what is empty")
		}
		f.SetText("ab")
		buttons := guitest.InSight[*kit.Button](f)
		if len(buttons) != 1 || buttons[0].AccessibilityLabel() == "" {
			t.Fatalf("%d buttons", len(buttons))
		}
		test.Tap(buttons[0])
		if f.Text != "" || len(guitest.InSight[*kit.Button](f)) != 0 {
			t.Errorf("text %q", f.Text)
		}
	})
	t.Run("is as high as other controls, and may be narrow", func(t *testing.T) {
		f := kit.NewSearchField("Search names and links", nil)
		setup(t, container.NewStack(f), 300, 34)
		if size := f.MinSize(); size.Height != look.ControlHeight || size.Width > 120 {
			t.Errorf("asks for %v", size)
		}
	})
}

func TestSecretField(t *testing.T) {
	pasted := func(f *kit.SecretField, text string) {
		clipboard := test.NewClipboard()
		clipboard.SetContent(text)
		f.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	}
	masked := func(f *kit.SecretField) bool { return !strings.Contains(strings.Join(guitest.Seen(f), ""), f.Text) }
	t.Run("is masked", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		test.Type(f, "s3cret")
		if !masked(f) || f.Secret() != "s3cret" {
			t.Errorf("%q is seen of %q", guitest.Seen(f), f.Secret())
		}
	})
	t.Run("trims what is pasted, and tells of it", func(t *testing.T) {
		reported := ""
		f := kit.NewSecretField("", func(text string) { reported = text })
		setup(t, f, 300, 34)
		pasted(f, " \t s3cret\r\n")
		if f.Text != "s3cret" || reported != "s3cret" {
			t.Errorf("%q, reported %q", f.Text, reported)
		}
	})
	t.Run("gives nothing out, even while it is shown", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		test.Type(f, "s3cret")
		test.Tap(guitest.InSight[*kit.Button](f)[0])
		if masked(f) {
			t.Fatal("it can't be shown")
		}
		clipboard := test.NewClipboard()
		f.TypedShortcut(&fyne.ShortcutSelectAll{})
		f.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clipboard})
		f.TypedShortcut(&fyne.ShortcutCut{Clipboard: clipboard})
		if clipboard.Content() != "" || f.Text != "s3cret" {
			t.Errorf("the clipboard has %q, the field %q", clipboard.Content(), f.Text)
		}
	})
	t.Run("is masked again once it is empty or can't be changed", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		for _, end := range []func(){f.Clear, f.Disable} {
			test.Type(f, "s3cret")
			test.Tap(guitest.InSight[*kit.Button](f)[0])
			end()
			f.Enable()
			if test.Type(f, "again"); !masked(f) {
				t.Error("it is still shown")
			}
		}
	})
	t.Run("has nothing to show while it is empty", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		if n := len(guitest.InSight[*kit.Button](f)); n != 0 {
			t.Errorf("%d buttons", n)
		}
	})
	t.Run("passes Escape on to the window, and keeps what is typed", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		w := setup(t, f, 300, 34)
		var got fyne.KeyName
		w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { got = e.Name })
		test.Type(f, "s3cret")
		typeKeys(f, fyne.KeyEscape)
		if got != fyne.KeyEscape || f.Text != "s3cret" {
			t.Errorf("passed on %q, text %q", got, f.Text)
		}
	})
	t.Run("tells when it is reached, left and done", func(t *testing.T) {
		var reported []string
		f := kit.NewSecretField("", nil)
		f.OnFocus, f.OnFocusLost = func() { reported = append(reported, "reached") }, func() { reported = append(reported, "left") }
		f.OnSubmitted = func(string) { reported = append(reported, "done") }
		w := setup(t, f, 300, 34)
		w.Canvas().Focus(f)
		typeKeys(f, fyne.KeyReturn)
		w.Canvas().Unfocus()
		if len(reported) != 3 || reported[0] != "reached" || reported[1] != "done" || reported[2] != "left" {
			t.Errorf("%q", reported)
		}
	})
}

func TestAFieldRefusesWhatIsTooLong(t *testing.T) {
	clipboard := test.NewClipboard()
	for name, newEntry := range map[string]func() (textEntry, *string){
		"a line":   func() (textEntry, *string) { f := kit.NewField("A note", nil); return f, &f.Text },
		"a search": func() (textEntry, *string) { f := kit.NewSearchField("A note", nil); return f, &f.Text },
		"a secret": func() (textEntry, *string) { f := kit.NewSecretField("A note", nil); return f, &f.Text },
		"an area":  func() (textEntry, *string) { f := kit.NewTextArea("A note", 3, nil); return f, &f.Text },
	} {
		t.Run(name, func(t *testing.T) {
			entry, text := newEntry()
			w := setup(t, entry, 600, 120)
			w.Canvas().Focus(entry)
			paste := func(content string) {
				clipboard.SetContent(content)
				entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
			}
			wants := func(length int, refused bool) {
				t.Helper()
				assert.Equal(t, length, len([]rune(*text)))
				const refusal = "At most 10,000 characters fit here."
				assert.Equal(t, refused, guitest.Reads(w.Content(), refusal))
				assert.Equal(t, refused, strings.HasSuffix(entry.AccessibilityLabel(), refusal))
			}
			paste(strings.Repeat("ß", 10_000))
			wants(10_000, false)
			entry.TypedRune('x')
			wants(10_000, true)
			typeKeys(entry, fyne.KeyBackspace)
			wants(9_999, false) // the next key ends it
			entry.SetText("before")
			paste(strings.Repeat("word ", 1_000_000))
			wants(len("before"), true)
			entry.TypedShortcut(&fyne.ShortcutSelectAll{})
			wants(len("before"), false)
			paste(strings.Repeat("y", 10_000))
			wants(10_000, false)
			if name == "an area" {
				typeKeys(entry, fyne.KeyReturn)
				wants(10_000, true)
			}
		})
	}
}

// textEntry is any entry for text.
type textEntry interface {
	fyne.CanvasObject
	fyne.Focusable
	fyne.Shortcutable
	fyne.Accessible
	SetText(text string)
}
