package review

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
)

// sampleView is the box that shows what would be sent. Its size does not depend on what is in it.
type sampleView struct {
	object  *fyne.Container
	picture *canvas.Image
	icon    *kit.Icon
	text    *kit.Paragraph
	scroll  fyne.CanvasObject
	note    *kit.Paragraph // why nothing is to be seen
	cover   *fyne.Container
	covered *kit.Text
	show    *kit.Button
	player  *fyne.Container // of recordings
}

// sampleHeight leaves room for what identifies somebody below it in the smallest window; the others are for a higher and a lower sheet.
const (
	sampleHeight     float32 = 236
	sampleHeightHigh float32 = 300
	sampleHeightLow  float32 = 150
)

// setHeight sets how high the box is.
func (v *sampleView) setHeight(height float32) { v.object.Layout = kit.AtLeast(height) }

// newSampleView makes the box; reveal is called when the person wants to see what is covered.
func newSampleView(player Player, reveal func()) *sampleView {
	v := &sampleView{picture: canvas.NewImageFromImage(nil), icon: kit.NewIcon(nil, look.ColorMuted, 32)}
	v.picture.FillMode = canvas.ImageFillContain
	v.picture.ScaleMode = canvas.ImageScaleSmooth
	v.text = kit.NewParagraph("", kit.TextStyle{})
	v.note = kit.NewParagraph("", kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter})
	v.scroll = container.NewStack(kit.NewFill(look.ColorSurface), kit.NewScroll(container.New(inset(3*look.Space), v.text))) // as on paper
	v.covered = kit.NewText(i18n.T("Covered, in case it is disturbing."), kit.TextStyle{Size: look.SizeSmall, Color: look.ColorOnAccent})
	v.show = kit.NewButton(kit.Plain, "", look.IconPicture, reveal)
	back := canvas.NewRectangle(color.NRGBA{A: 0xb0})
	back.CornerRadius = 4
	v.cover = container.NewCenter(container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, container.NewCenter(v.show),
		container.NewStack(back, container.NewPadded(v.covered))))
	v.player = container.NewPadded()
	if player != nil {
		v.player.Add(player.Object())
	}
	v.player.Hide()
	v.object = container.New(kit.AtLeast(sampleHeight), kit.NewFill(look.ColorTrack), v.picture,
		container.NewCenter(container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, container.NewCenter(v.icon))), container.NewPadded(container.NewPadded(v.note)), v.scroll, v.player, v.cover)
	return v
}

// set shows a sample.
func (v *sampleView) set(s Sample, medium present.Medium) {
	if v.picture.Image == nil != (s.Picture == nil) || s.Picture != nil && v.picture.Image != s.Picture {
		if v.picture.Image = nil; s.Picture != nil {
			v.picture.Image = s.Picture
		}
		v.picture.Refresh()
	}
	kit.SetVisible(v.picture, s.Picture != nil)
	v.text.SetText(s.Text)
	kit.SetVisible(v.scroll, s.Text != "")
	v.icon.Set(thumbs.Icon(medium), look.ColorMuted)
	kit.SetVisible(v.icon, s.Picture == nil && s.Text == "" && !v.player.Visible() && s.Problem == "")
	v.note.SetText(s.Problem)
	kit.SetVisible(v.note, s.Problem != "")
	covered := s.Picture != nil && s.Preview != present.PreviewPlain
	kit.SetVisible(v.cover, covered)
	v.show.SetLabel(i18n.T("Show"))
	if s.Preview == present.PreviewGrey {
		v.show.SetLabel(i18n.T("Show in colour"))
	}
	kit.SetVisible(v.covered, s.Preview == present.PreviewBlurred)
	kit.SetVisible(v.cover.Objects[0].(*fyne.Container).Objects[1], s.Preview == present.PreviewBlurred)
	v.object.Refresh()
}
