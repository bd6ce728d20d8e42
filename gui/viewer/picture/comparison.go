package picture

import (
	"context"
	"os"
	"slices"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/media/picture"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// Comparison shows one picture with the heatmaps that a model sent with two answers on it: swiped against each other, in turns or side by side, with
// one opacity for both. Its methods must be called on the UI thread.
type Comparison struct {
	*Pane
	file    *sameFile
	root    *fyne.Container
	none    *kit.Paragraph // why there is nothing to compare
	note    *kit.Paragraph // what a heatmap means
	choice  *fyne.Container
	reduced *kit.Paragraph // which answer has no heatmap of the chosen model
	heading *kit.Text
	foot    *fyne.Container

	modes    *kit.Segmented
	fewModes *kit.Select // replaces the row of modes if there is little room
}

// against is the other answer of a Comparison.
type against struct {
	earlier   present.Viewer
	has       [2][]plain.Text // the models with a heatmap: in the earlier answer, in the later one
	onCaption func(text string)
	onLoaded  func(model plain.Text)
}

// comparedModes are the modes of a Comparison, in the order of its control.
var comparedModes = []Mode{Swipe, Blink, SideBySide}

// NewComparison makes an empty one. Of params, Save and CopyImage are not used.
func NewComparison(params Params) *Comparison {
	params.Save, params.CopyImage, params.WithoutBoxes = nil, nil, true
	file := &sameFile{Source: params.Source}
	params.Source = file
	c := &Comparison{Pane: New(params), file: file}
	muted := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	c.none, c.note, c.reduced = kit.NewParagraph("", muted), kit.NewParagraph("", muted), kit.NewParagraph("", muted)
	c.against = &against{onCaption: c.caption, onLoaded: c.loaded}
	c.stage.divider.name = i18n.T("Divider between the two heatmaps")
	c.stage.onRune = c.TypedRune
	c.stage.divider.onRune = func(r rune) { c.TypedRune(r) }
	c.Pane.caption.Hide() // it stands below the pane
	c.Tools()             // the parts of them that are needed have a place of their own
	names := make([]string, len(comparedModes))
	for i, m := range comparedModes {
		names[i] = m.String()
	}
	c.modes = kit.NewSegmented(names, func(i int) {
		choose(c.fewModes, names, i)
		c.setMode(comparedModes[i])
	})
	c.heading = kit.NewText(i18n.T("Heatmaps"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	c.tools.models.MaxWidth = 180
	c.choice = container.New(layout.NewCustomPaddedHBoxLayout(0), c.tools.models)
	c.fewModes = kit.NewSelect(kit.Plain, names, func(i int) { c.modes.Select(i) })
	c.fewModes.Hide()
	word := centred(kit.NewText(i18n.T("Opacity"), kit.TextStyle{Color: look.ColorMuted}))
	opacity := group(2*look.Space, word, container.NewGridWrap(fyne.NewSize(96, look.ControlHeight), c.tools.opacity), centred(container.New(kit.FixedWidth(40), c.tools.percent)))
	c.foot = container.New(comparisonTools{word}, c.modes, c.fewModes, opacity)
	const stageAt = 1
	c.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: stageAt},
		container.NewBorder(nil, nil, nil, c.choice, centred(c.heading)), c.Pane.Object(), c.none, c.reduced, c.note, c.foot)
	return c
}

// Object is what to lay out.
func (c *Comparison) Object() fyne.CanvasObject { return c.root }

// ShowBoth shows the picture of two answers on the same content. The names say which answer is which, such as its release.
func (c *Comparison) ShowBoth(earlier, later present.Viewer, names [2]string) {
	c.Clear()
	c.against.earlier, c.against.has = earlier, [2][]plain.Text{earlier.Heatmaps, later.Heatmaps}
	c.file.other.Store(&earlier.ID)
	for _, model := range earlier.Heatmaps {
		if !slices.Contains(later.Heatmaps, model) {
			later.Heatmaps = append(slices.Clone(later.Heatmaps), model)
		}
	}
	c.stage.sides = names
	some := len(later.Heatmaps) > 0
	c.none.SetText(i18n.T("Neither answer has a heatmap. The service sends one only for a model that says FAKE."))
	c.reduced.Hide()
	for _, o := range []fyne.CanvasObject{c.choice, c.foot, c.note} {
		kit.SetVisible(o, some)
	}
	kit.SetVisible(c.none, !some)
	c.Show(later)
	if some {
		c.modes.Select(0)
		c.setMode(Swipe)
	} else {
		c.stage.sides = [2]string{}
	}
	kit.RelayoutTwice(c.root)
}

// comparisonTools lays modes and opacity out on one line: where there is little room, a menu replaces the row of modes, and the word before the opacity
// goes.
type comparisonTools struct{ word fyne.CanvasObject }

const comparisonGap = 4 * look.Space

// Layout implements fyne.Layout.
func (l comparisonTools) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	modes, few, opacity := objects[0], objects[1], objects[2]
	l.word.Show()
	wide := modes.MinSize().Width+comparisonGap+opacity.MinSize().Width <= size.Width
	kit.SetVisible(modes, wide)
	kit.SetVisible(few, !wide)
	kit.SetVisible(l.word, wide || few.MinSize().Width+comparisonGap+opacity.MinSize().Width <= size.Width)
	for _, o := range []fyne.CanvasObject{modes, few} {
		kit.PlaceAt(o, 0, 0, o.MinSize().Width, size.Height)
	}
	right := opacity.MinSize().Width
	kit.PlaceAt(opacity, size.Width-right, 0, right, size.Height)
}

// MinSize implements fyne.Layout.
func (l comparisonTools) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[1].MinSize().Width+objects[2].MinSize().Width, look.ControlHeight)
}

// caption shows what a heatmap means.
func (c *Comparison) caption(text string) {
	if text != "" {
		text += " · " + i18n.T("the same opacity on both sides")
	}
	if c.note.Text() != text {
		c.note.SetText(text)
		c.root.Refresh()
	}
}

// loaded shows which modes are left, and which answer has no heatmap of the model.
func (c *Comparison) loaded(model plain.Text) {
	for i, m := range comparedModes {
		c.modes.SetDisabled(i, m.lays() && (c.stage.differs() || c.stage.earlierDiffers()))
	}
	c.modes.Select(slices.Index(comparedModes, c.stage.mode))
	text := ""
	switch {
	case c.stage.earlier == nil && c.stage.heatmap != nil:
		text = i18n.F("The earlier answer has no heatmap of %s.", model)
	case c.stage.heatmap == nil && c.stage.earlier != nil:
		text = i18n.F("The later answer has no heatmap of %s.", model)
	}
	c.reduced.SetText(text)
	kit.SetVisible(c.reduced, text != "")
	c.root.Refresh()
}

// TypedRune handles a character, and reports whether it used it: 1 to 3 are the modes, the others as in a Pane.
func (c *Comparison) TypedRune(r rune) bool {
	switch {
	case r >= '1' && r <= '3':
		if c.foot.Visible() && c.stage.photo != nil {
			c.modes.Select(int(r - '1'))
		}
		return true
	case slices.Contains([]rune{'4', '5', 'o', 'b'}, r):
		return false
	}
	return c.Pane.TypedRune(r)
}

// Shortcuts are the keys.
func (c *Comparison) Shortcuts() []present.Shortcut {
	return append([]present.Shortcut{
		{Keys: i18n.T("1 to 3"), Does: i18n.T("Swipe, blink, side by side")},
		{Keys: "[ ]", Does: i18n.T("Heatmap weaker or stronger")},
		{Keys: i18n.T("Space"), Does: i18n.T("Blink by hand")},
	}, zoomShortcuts()...)
}

func zoomShortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "+ − 0", Does: i18n.T("Zoom in, zoom out, fit")},
		{Keys: "← → ↑ ↓", Does: i18n.T("Move about in a zoomed picture; ← → move the divider that has the focus")},
		{Keys: "G", Does: i18n.T("Cover it, or show it")},
	}
}

// loadBoth fetches and decodes a model's heatmaps of both answers, as far as they have one. name is the model's as it was sent.
func (p *Pane) loadBoth(model plain.Text, name string) {
	a := p.against
	ids := [2]string{a.earlier.ID, p.shown.ID}
	has := [2]bool{slices.Contains(a.has[0], model), slices.Contains(a.has[1], model)}
	p.cancelHeat = p.p.Askers.Do(func(ctx context.Context) func() {
		var heatmaps [2]*picture.Full
		var failed error
		for i, id := range ids {
			if !has[i] {
				continue
			}
			made, err := openHeatmap(ctx, p.p.Source, id, name)
			if heatmaps[i] = made; err != nil {
				heatmaps[i], failed = nil, err
			}
		}
		return func() {
			p.await(heatWait, false)
			p.showBoth(model, heatmaps, failed)
		}
	})
}

func (p *Pane) showBoth(model plain.Text, heatmaps [2]*picture.Full, failed error) {
	p.stage.setEarlier(heatmaps[0])
	p.stage.setHeatmap(heatmaps[1])
	switch {
	case failed != nil:
		p.say(p.heatNotice, i18n.F("The heatmap of %s can't be shown. %s", model, present.Problem(failed)), i18n.T("Try again"), func() {
			p.unsay(p.heatNotice)
			p.heatmapOf = plain.Text{}
			p.root.Refresh()
			p.loadHeatmap()
		})
	case p.stage.differs() || p.stage.earlierDiffers():
		p.setMode(SideBySide) // before the other modes are disabled
		p.saying(p.heatNotice, i18n.T("The heatmap's shape differs from the picture's by more than 1 %, so they are shown side by side."))
	}
	p.tools.allowModes()
	p.tools.showMode(p.stage.mode)
	p.applyBlink()
	p.applyCaption()
	p.against.onLoaded(model)
}

// sameFile opens the file of one answer, or else that of another answer on the same content.
type sameFile struct {
	Source
	other atomic.Pointer[string] // ID of the other submission
}

// OpenOriginal implements Source.
func (s *sameFile) OpenOriginal(ctx context.Context, id string) (*os.File, error) {
	file, err := s.Source.OpenOriginal(ctx, id)
	another := s.other.Load()
	if err == nil || another == nil || ctx.Err() != nil {
		return file, err
	}
	if other, failed := s.Source.OpenOriginal(ctx, *another); failed == nil {
		return other, nil
	}
	return nil, err
}
