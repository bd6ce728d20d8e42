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
)

// theirFile is the line about a file that a colleague has shared and that is not here: it comes only if the person asks for it.
type theirFile struct {
	viewer   *Viewer
	root     *fyne.Container
	sentence *kit.Paragraph
	get      *kit.Button
	of       string // the submission whose file is fetched, "" for none
	percent  int64
	cancel   func()
}

func newTheirFile(v *Viewer) *theirFile {
	t := &theirFile{viewer: v}
	t.sentence = kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall})
	t.get = kit.NewButton(kit.Plain, "", nil, t.tapped)
	card := kit.NewCard(container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, 2*look.Space), container.New(kit.BesideButton{}, t.sentence, t.get)))
	card.SetPadding(look.Space)
	t.root = container.NewStack(card)
	t.root.Hide()
	return t
}

// show shows the line where there is such a file. What is fetched for another result is stopped.
func (t *theirFile) show(v present.Viewer) {
	if t.of != "" && t.of != v.ID {
		t.stop()
	}
	kit.SetVisible(t.root, t.viewer.GetFile != nil && v.Theirs != present.TheirFile{})
	t.say(v.Theirs)
}

func (t *theirFile) say(f present.TheirFile) {
	if t.of != "" {
		t.sentence.SetText(i18n.F("Getting the file: %s of %s", i18n.Percent(float64(t.percent), 0), i18n.Size(f.Size)))
		t.get.SetLabel(i18n.T("Stop"))
		return
	}
	t.sentence.SetText(f.Sentence())
	t.get.SetLabel(i18n.F("Get the file (%s)", i18n.Size(f.Size)))
}

func (t *theirFile) tapped() {
	if t.of != "" {
		t.stop()
		t.say(t.viewer.shown.Theirs)
		return
	}
	v := t.viewer
	of := v.shown
	t.of, t.percent = of.ID, 0
	t.say(of.Theirs)
	t.cancel = v.Askers.Do(func(ctx context.Context) func() {
		told := int64(0)
		err := v.GetFile(ctx, of.ID, func(bytes int64) {
			if percent := 100 * bytes / max(1, of.Theirs.Size); percent > told {
				told = percent
				v.UI(func() { t.moved(of, percent) })
			}
		})
		return func() {
			if t.of != of.ID || ctx.Err() != nil {
				return
			}
			t.of = ""
			if err != nil {
				t.say(of.Theirs)
				v.Say(present.Problem(err))
				return
			}
			v.pages.clear() // what could not be shown is shown now
			v.Again()
		}
	})
}

func (t *theirFile) moved(of present.Viewer, percent int64) {
	if t.of == of.ID {
		t.percent = percent
		t.say(of.Theirs)
	}
}

// stop ends fetching. What has come is not kept.
func (t *theirFile) stop() {
	t.of = ""
	t.cancel()
}
