// Package verify is the sheet that verifies an evidence bundle and shows what was found, with its view model (model.go, which does not use the toolkit).
// Its exported methods must be called on the UI thread, and none of them blocks.
package verify

import (
	"context"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report/bundle"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Params are what the sheet needs. Functions with a ctx block and are called on Workers.
type Params struct {
	Sheet   *kit.Sheet
	Workers *work.Workers
	OnUI    func(func()) // runs a closure on the UI thread, later and without waiting for it
	// Verify verifies a bundle; progress may be called on any goroutine.
	Verify func(ctx context.Context, path string, progress func(done, total int64)) (*bundle.Verification, error)
	// Keep keeps a key as that of a known signer. Its error says what is wrong with the name.
	Keep   func(ctx context.Context, name, key string) error
	Copy   func(text string) // to the clipboard
	Closed func()            // called when it was closed in any way; may be nil
}

// Sheet verifies one bundle at a time.
type Sheet struct {
	Params
	path   string // "" while it is closed
	found  *bundle.Verification
	cancel context.CancelFunc

	body     *fyne.Container
	name     *kit.Paragraph
	headline *kit.Paragraph
	icon     *kit.Icon
	top      *fyne.Container
	progress *kit.Progress
	read     *kit.Paragraph
	changes  *kit.Paragraph
	seal     *fyne.Container
	print    *kit.Paragraph
	remarks  *fyne.Container
	facts    *kit.Paragraph
	keeping  *fyne.Container
	named    *kit.Field
	compared *kit.Check
	refusal  *kit.Paragraph
	keep     *kit.Button
	copied   *kit.Button
	stop     *kit.Button
	close    *kit.Button
}

// New makes a closed sheet.
func New(p Params) *Sheet { return &Sheet{Params: p, cancel: func() {}} }

const (
	width    float32 = 600
	iconSide float32 = 28
	gap              = 3 * look.Space
)

// Show opens the sheet, in place of what it shows, and verifies a bundle.
func (s *Sheet) Show(path string) {
	s.Sheet.Close()
	s.path, s.found = path, nil
	s.build()
	s.Sheet.Show(kit.SheetContent{
		Title:   i18n.T("Evidence bundle"),
		Body:    s.body,
		Buttons: []*kit.Button{s.stop, s.close},
		First:   s.stop,
		Width:   width,
		Closed: func() {
			s.cancel()
			s.path = ""
			if s.Closed != nil {
				s.Closed()
			}
		},
	})
	s.verify()
}

func (s *Sheet) build() {
	muted := kit.TextStyle{Color: look.ColorMuted}
	s.name = kit.NewParagraph(nameOf(s.path), muted)
	s.headline = kit.NewParagraph(i18n.T("Verifying…"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	s.icon = kit.NewIcon(look.IconHourglass, look.ColorText, iconSide)
	s.top = container.New(besideIcon{}, s.icon, s.headline)
	s.progress, s.read = kit.NewProgress(), kit.NewHint("")
	s.changes, s.facts = kit.NewParagraph("", kit.TextStyle{}), kit.NewHint("")
	s.remarks = container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1})
	s.print = kit.NewParagraph("", kit.TextStyle{Mono: true, Size: look.SizeSmall})
	s.copied = kit.NewButton(kit.Plain, i18n.T("Copy"), nil, func() { s.Copy(s.print.Text()) })
	s.seal = kit.NewSection(i18n.T("Fingerprint of the key that sealed this bundle"), container.New(kit.BesideButton{}, s.print, s.copied))
	s.named = kit.NewField(i18n.T("Name, for example: Lisbon desk"), func(string) { s.offer() })
	s.compared = kit.NewCheck(i18n.T("I have compared this fingerprint with the one they told me"), func(bool) { s.offer() })
	s.refusal = kit.NewRefusal()
	s.keep = kit.NewButton(kit.Plain, i18n.T("Add to known signers"), nil, s.keepSigner)
	s.keeping = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, kit.NewLine(),
		kit.NewSection(i18n.T("Do you know whose key this is?"), kit.NewGroup(s.named, kit.Outdented(s.compared), container.New(&kit.Flow{}, s.keep), s.refusal)))
	s.stop = kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Sheet.Close)
	s.close = kit.NewButton(kit.Primary, i18n.T("Close"), nil, s.Sheet.Close)
	for _, o := range []fyne.CanvasObject{s.changes, s.remarks, s.facts, s.seal, s.keeping, s.close} {
		kit.SetVisible(o, false)
	}
	s.body = container.New(kit.Column{Gap: gap, Grow: -1}, s.name, s.top, s.progress, s.read, s.changes, s.seal, s.remarks, s.facts, s.keeping)
}

// verify verifies the bundle on a worker.
func (s *Sheet) verify() {
	path := s.path
	var mu sync.Mutex
	var done, total int64
	shown := true // whether what is done was shown
	s.cancel = s.Workers.Do(func(ctx context.Context) func() {
		found, err := s.Verify(ctx, path, func(nowDone, nowTotal int64) {
			mu.Lock()
			defer mu.Unlock()
			if done, total = nowDone, nowTotal; !shown {
				return
			}
			shown = false
			s.OnUI(func() {
				mu.Lock()
				defer mu.Unlock()
				shown = true
				if s.path == path && s.found == nil {
					s.progress.SetValue(part(done, total))
					s.read.SetText(progressText(done, total))
				}
			})
		})
		return func() {
			if err != nil {
				s.show(viewOfError(path, err))
				return
			}
			s.found = found
			s.show(viewOf(path, found))
		}
	})
}

// show shows what was found.
func (s *Sheet) show(v view) {
	s.headline.SetText(v.Headline)
	if v.Intact {
		s.icon.Set(look.IconCheck, look.ColorText)
	} else if v.Keep {
		s.icon.Set(look.IconQuestion, look.ColorText)
	} else {
		s.icon.Set(look.IconWarning, look.ColorText)
	}
	s.changes.SetText(v.Changes)
	s.remarks.RemoveAll()
	for _, remark := range v.Remarks {
		s.remarks.Add(kit.NewParagraph(remark, kit.TextStyle{}))
	}
	s.facts.SetText(v.Facts)
	s.print.SetText(v.Fingerprint)
	for o, visible := range map[fyne.CanvasObject]bool{
		s.progress: false, s.read: false, s.changes: v.Changes != "", s.remarks: len(v.Remarks) > 0, s.facts: v.Facts != "", s.seal: v.Fingerprint != "",
		s.keeping: v.Keep, s.stop: false, s.close: true,
	} {
		kit.SetVisible(o, visible)
	}
	s.offer()
	s.Sheet.Refit()
	s.Sheet.Canvas().Focus(s.close)
}

// offer makes the button available once there is a name, and the person says that the fingerprint was compared.
func (s *Sheet) offer() {
	kit.SetEnabled(s.keep, strings.TrimSpace(s.named.Text) != "" && s.compared.Checked())
}

// keepSigner keeps the key of the bundle, and shows the bundle as one of a known signer.
func (s *Sheet) keepSigner() {
	name, path, found := strings.TrimSpace(s.named.Text), s.path, s.found
	s.keep.Disable()
	s.Workers.Do(func(ctx context.Context) func() {
		err := s.Keep(ctx, name, found.Seal.Key)
		return func() {
			if s.path != path {
				return
			}
			if err != nil {
				kit.Refuse(s.refusal, present.Problem(err))
				s.offer()
				s.Sheet.Refit()
				return
			}
			known, seal := *found, *found.Seal
			seal.Signer = plain.From(name)
			known.State, known.Seal = bundle.Intact, &seal
			s.found = &known
			s.show(viewOf(path, s.found))
		}
	})
}

// besideIcon lays out a text beside an icon, in the middle of its first line.
type besideIcon struct{}

// Layout implements fyne.Layout.
func (besideIcon) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	icon, text := objects[0], objects[1]
	kit.PlaceAt(icon, 0, 0, iconSide, iconSide)
	x := iconSide + gap
	height := text.MinSize().Height
	kit.PlaceAt(text, x, max(0, (iconSide-height)/2), max(0, size.Width-x), max(size.Height, height))
}

// MinSize implements fyne.Layout.
func (besideIcon) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(iconSide, objects[1].MinSize().Height))
}
