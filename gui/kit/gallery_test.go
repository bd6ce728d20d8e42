package kit_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// TestGalleryDrawsEveryScene renders the parts as screens, in all palettes and at two scales, and looks for blank pictures.
// With ASSAY_GALLERY naming a folder, the pictures are kept there, to be looked at.
func TestGalleryDrawsEveryScene(t *testing.T) {
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	keep := os.Getenv("ASSAY_GALLERY")
	scenes := map[string]func() fyne.CanvasObject{
		"inbox": inboxScene, "inbox-empty": emptyInboxScene, "viewer": viewerScene, "kit": kitScene,
	}
	app := test.NewTempApp(t)
	for name, scene := range scenes {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark, look.ModeHighContrast} {
			for _, scale := range []float32{1, 2} {
				t.Run(fmt.Sprintf("%s-%s-%gx", name, mode, scale), func(t *testing.T) {
					app.Settings().SetTheme(look.New(mode))
					got := render(t, scene(), fyne.NewSize(1280, 800), scale)
					if want := image.Pt(int(1280*scale), int(800*scale)); got.Bounds().Size() != want {
						t.Fatalf("size %v, want %v", got.Bounds().Size(), want)
					}
					if n := colours(got); n < 100 {
						t.Errorf("%d colours: too few for a drawn screen", n)
					}
					if keep != "" {
						save(t, filepath.Join(keep, fmt.Sprintf("%s-%s-%gx.png", name, mode, scale)), got)
					}
				})
			}
		}
	}
}

func render(t *testing.T, content fyne.CanvasObject, size fyne.Size, scale float32) image.Image {
	t.Helper()
	window := test.NewTempWindow(t, nil)
	window.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
	window.SetPadded(false)
	window.SetContent(content)
	window.Resize(size.AddWidthHeight(1, 1))
	// Again: heights of wrapping texts follow from the widths of the first pass, as the window's own passes do it.
	window.Resize(size)
	return window.Canvas().Capture()
}

func colours(img image.Image) int {
	seen := map[color.Color]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

func save(t *testing.T, path string, img image.Image) {
	t.Helper()
	var encoded bytes.Buffer
	assert.NoError(t, png.Encode(&encoded, img))
	assert.NoError(t, os.WriteFile(path, encoded.Bytes(), 0o600))
}

// The scenes compose the parts as Assay's screens do, with made-up data, for the gallery to draw.

func inboxScene() fyne.CanvasObject {
	rail := sampleRail(0, 9)
	entry := widget.NewEntry()
	entry.SetPlaceHolder("Paste a link")
	entry.Icon = look.IconLink.Tinted(look.ColorMuted)
	strip := kit.NewDropStrip(container.NewBorder(nil, nil,
		spaced(16, disc(44, 20), container.New(layout.NewCustomPaddedVBoxLayout(2), layout.NewSpacer(),
			kit.NewText("Drop pictures, clips, recordings or texts anywhere in this window", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
			kit.NewText("jpg png gif webp · mp4 mov · mp3 wav m4a aac ogg flac alac · txt", kit.TextStyle{Color: look.ColorMuted}), layout.NewSpacer())),
		spaced(16, container.NewCenter(container.NewGridWrap(fyne.NewSize(250, 34), entry)),
			container.NewCenter(kit.NewButton(kit.Primary, "Choose files…", nil, nil))),
	))
	progress := kit.NewProgress()
	progress.SetValue(0.23)
	whole := container.NewBorder(nil, nil, spaced(12,
		kit.NewText("3 of 12 done", kit.TextStyle{Weight: look.WeightBold}),
		kit.NewText("48 of 210 MB · about 2 min left", kit.TextStyle{Color: look.ColorMuted}),
		container.NewCenter(container.NewGridWrap(fyne.NewSize(260, 4), progress))),
		spaced(12, kit.NewButton(kit.Plain, "Pause all", look.IconPause, nil), kit.NewButton(kit.Plain, "Try failed again (1)", look.IconRetry, nil)))
	uploading := kit.NewProgress()
	uploading.SetValue(0.62)
	rows := []fyne.CanvasObject{
		inboxRow("press-call-0412.mp4", "38.1 MB", look.IconFilm, true, look.IconArrowUp.Tinted(look.ColorMuted), "Uploading", "4.1 MB/s · 4 s left", uploading),
		inboxRow("harbour-statement.jpg", "5.2 MB", look.IconPicture, true, look.MarkResource(look.MarkAnalysing), "Analysing", "3 of 7 models done", nil),
		inboxRow("voice note 18-22.ogg", "0.9 MB", look.IconWaveform, false, look.IconArrowUp.Tinted(look.ColorMuted), "Waiting for a slot", "", nil),
		inboxRow("scan_0001.tiff", "12 MB", look.IconPicture, false, look.IconWarning.Tinted(look.ColorMuted), "Not sent", "Files of this type can't be checked. The service takes: jpg, png, gif, webp, mp3, wav, m4a, aac, ogg, flac, alac, mp4, mov, txt", nil),
		inboxRow("youtube.com/watch?v=9aXoiuqweoiuqweoiuqweoiu", "", look.IconLink, false, look.MarkResource(look.MarkAnalysing), "The service is fetching it", "", nil),
		inboxRow("crowd-wide.png", "8.8 MB", look.IconPicture, true, look.MarkResource(look.MarkFake), "Likely manipulated", "Open", nil),
		inboxRow("leak-p3.jpg", "2.0 MB", look.IconPicture, true, look.IconLock.Tinted(look.ColorMuted), "Needs your OK", "Sensitive: shows GPS place and camera serial number", nil),
		inboxRow("briefing.m4a", "14.2 MB", look.IconWaveform, false, look.MarkResource(look.MarkSuspicious), "Scanned before: Suspicious, 12 Nov", "Open · Scan again", nil),
	}
	list := container.New(layout.NewCustomPaddedVBoxLayout(0), rows...)
	card := kit.NewCard(list)
	card.SetPadding(0)
	body := container.New(layout.NewCustomPaddedLayout(16, 16, 16, 16),
		container.New(layout.NewBorderLayout(strip, nil, nil, nil), strip,
			container.New(layout.NewCustomPaddedLayout(12, 0, 0, 0), container.NewBorder(whole, nil, nil, nil,
				container.New(layout.NewCustomPaddedLayout(6, 0, 0, 0), card)))))
	return onBackground(container.NewBorder(nil, nil, rail, nil, body))
}

func inboxRow(name, size string, icon look.Icon, picture bool, state fyne.Resource, word, detail string, progress fyne.CanvasObject) fyne.CanvasObject {
	thumb := kit.NewThumb(40, icon)
	if picture {
		thumb.SetImage(samplePicture(80, 80))
	}
	left := container.NewBorder(nil, nil, container.NewHBox(thumb, gap(2)), nil, lines(
		kit.NewText(name, kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		textUnlessEmpty(size)))
	parts := []fyne.CanvasObject{kit.NewText(word, kit.TextStyle{})}
	if progress != nil {
		parts = append(parts, container.NewGridWrap(fyne.NewSize(190, 6), progress))
	}
	parts = append(parts, textUnlessEmpty(detail))
	right := container.NewBorder(nil, nil, container.NewHBox(kit.NewIcon(state, look.ColorMuted, 16), gap(8)),
		container.NewHBox(container.NewCenter(kit.NewButton(kit.Bare, "", look.IconPause, nil)), container.NewCenter(kit.NewButton(kit.Bare, "", look.IconClose, nil))), lines(parts...))
	row := container.New(layout.NewCustomPaddedLayout(10, 10, 16, 16), container.New(&columnsLayout{split: 340}, left, right))
	line := canvas.NewRectangle(look.Color(look.ColorBorder))
	line.SetMinSize(fyne.NewSize(1, 1))
	return container.NewBorder(nil, line, nil, nil, row)
}

func emptyInboxScene() fyne.CanvasObject {
	target := kit.NewDropTarget(container.New(layout.NewCustomPaddedVBoxLayout(0),
		gap(16), container.NewCenter(disc(72, 32)), gap(16),
		kit.NewText("Drop something to check", kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold, Align: fyne.TextAlignCenter}), gap(6),
		kit.NewParagraph("A picture, a clip, a recording or a text. Assay sends it to the service and shows what its models say.", kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter}), gap(20),
		container.NewCenter(spaced(12, kit.NewButton(kit.Primary, "Choose files…", nil, nil), kit.NewButton(kit.Plain, "Paste a link", look.IconLink, nil), kit.NewButton(kit.Plain, "Watch a folder", look.IconFolders, nil))), gap(20),
		kit.NewText("Pictures to 50 MB · clips to 250 MB · recordings to 20 MB · texts to 5 MB", kit.TextStyle{Color: look.ColorMuted, Size: look.SizeSmall, Align: fyne.TextAlignCenter}), gap(16),
	))
	target.SetPadding(40)
	return onBackground(container.NewBorder(nil, nil, sampleRail(0, 0), nil,
		container.NewCenter(container.NewGridWrap(fyne.NewSize(720, 372), target))))
}

func viewerScene() fyne.CanvasObject {
	score := 88.0
	mark := kit.NewMarkIcon(look.MarkFake, 40)
	card := kit.NewFilledCard(look.MarkSoftColor(look.MarkFake), container.NewBorder(nil, nil,
		container.NewHBox(mark, gap(8)),
		container.New(layout.NewCustomPaddedLayout(12, 0, 20, 0), kit.NewScoreScale(&score, "88")),
		container.New(layout.NewCustomPaddedVBoxLayout(4),
			kit.NewText("Likely manipulated or AI-generated", kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}),
			kit.NewParagraph("The ensemble of models found strong indications. Compression, filters and graphics can cause this too: seek a second, independent check.", kit.TextStyle{}),
			kit.NewText("4 of 6 applicable models flagged it · 1 failed · 3 not applicable", kit.TextStyle{Color: look.ColorMuted, Size: look.SizeSmall}))))
	views := kit.NewSegmented([]string{"Original", "Overlay", "Swipe", "Blink", "Side by side"}, nil)
	views.Select(1)
	views.SetDisabled(3, true)
	slider := kit.NewSlider(64, nil)
	bar := spaced(12, views, kit.NewText("Heatmap", kit.TextStyle{Color: look.ColorMuted}),
		kit.NewSelect(kit.Plain, []string{"svc-oak-img", "svc-cedar-img"}, nil),
		kit.NewText("Opacity", kit.TextStyle{Color: look.ColorMuted}), container.NewGridWrap(fyne.NewSize(120, 34), slider),
		kit.NewText("64 %", kit.TextStyle{Tabular: true}), layout.NewSpacer(), kit.NewSelect(kit.Bare, []string{"Fit", "100 %"}, nil))
	picture := canvas.NewImageFromImage(samplePicture(514, 471))
	picture.CornerRadius = 12
	models := kit.NewCard(sampleBars())
	middle := container.NewBorder(nil, nil, nil, container.NewHBox(gap(8), container.NewGridWrap(fyne.NewSize(318, 471), models)), picture)
	feedback := container.NewBorder(nil, nil, spaced(12, kit.NewText("What does the desk think?", kit.TextStyle{Color: look.ColorMuted}),
		kit.NewButton(kit.Plain, "Agree", look.IconCheck, nil), kit.NewButton(kit.Plain, "Disagree", look.IconClose, nil), kit.NewButton(kit.Bare, "Other…", nil, nil)),
		spaced(12, kit.NewButton(kit.Bare, "Scan again", look.IconRetry, nil), kit.NewButton(kit.Plain, "Evidence report", look.IconText, nil)))
	body := container.New(layout.NewCustomPaddedVBoxLayout(8),
		kit.NewText("harbour-statement.jpg", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightMedium}),
		kit.NewText("4032 × 3024 · 5.2 MB · sent 14:07, answered 14:08 · release 2.14.0", kit.TextStyle{Color: look.ColorMuted, Size: look.SizeSmall}),
		card, bar, middle, feedback)
	return onBackground(container.NewBorder(nil, nil, sampleRail(1, 3), nil, container.New(layout.NewCustomPaddedLayout(16, 16, 16, 16), body)))
}

func kitScene() fyne.CanvasObject {
	var icons, marks []fyne.CanvasObject
	for _, icon := range guitest.Drawings[look.Icon]("icons") {
		icons = append(icons, kit.NewIcon(icon, look.ColorText, 20))
	}
	for _, m := range guitest.Drawings[look.Mark]("marks") {
		for _, side := range []float32{13, 16, 20, 28, 40} {
			marks = append(marks, container.NewCenter(kit.NewMarkIcon(m, side)))
		}
	}
	disabled := kit.NewButton(kit.Primary, "Disabled", nil, nil)
	disabled.Disable()
	plainOff := kit.NewButton(kit.Plain, "Disabled", look.IconPause, nil)
	plainOff.Disable()
	focus := func(kind kit.Kind, label string, icon fyne.Resource) *kit.Button {
		b := kit.NewButton(kind, label, icon, nil)
		b.FocusGained()
		return b
	}
	hover := kit.NewButton(kit.Plain, "Hovered", look.IconText, nil)
	hover.MouseIn(nil)
	sliderFocused := kit.NewSlider(30, nil)
	sliderFocused.FocusGained()
	sliderOff := kit.NewSlider(50, nil)
	sliderOff.Disable()
	segmented := kit.NewSegmented([]string{"Original", "Overlay", "Off"}, nil)
	segmented.FocusGained()
	selectFocused := kit.NewSelect(kit.Plain, []string{"svc-oak-img"}, nil)
	selectFocused.FocusGained()
	unknown := kit.NewProgress()
	unknown.SetUnknown()
	strip := kit.NewDropStrip(kit.NewText("Drop files here", kit.TextStyle{}))
	tapped := kit.NewScoreScale(nil, "")
	zero := 0.0
	narrow := sampleBars()
	narrow.OnTapped = func(int) {}
	narrow.FocusGained()
	narrow.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	rail := sampleRail(1, 120)
	rail.FocusGained()
	left := container.New(layout.NewCustomPaddedVBoxLayout(14),
		container.NewHBox(icons...), container.NewHBox(marks...),
		spaced(12, kit.NewButton(kit.Primary, "Primary", look.IconPlus, nil), focus(kit.Primary, "Focused", nil), disabled,
			kit.NewButton(kit.Plain, "Plain", nil, nil), focus(kit.Plain, "Focused", look.IconCheck), hover, plainOff),
		spaced(12, kit.NewButton(kit.Bare, "Bare", look.IconRetry, nil), focus(kit.Bare, "Focused", nil), kit.NewButton(kit.Bare, "", look.IconClose, nil), focus(kit.Bare, "", look.IconPause),
			segmented, selectFocused),
		container.NewGridWithColumns(3, sliderFocused, sliderOff, kit.NewSlider(100, nil)),
		container.NewGridWithColumns(2, container.NewCenter(container.NewGridWrap(fyne.NewSize(200, 8), unknown)), strip),
		kit.NewNotice(look.IconWarning, "The picture could not be read: it ends in the middle. Ask for the original file.", "Try again", func() {}),
		kit.NewNotice(look.IconInfo, "Sandbox: classic forensic signals, computed on this computer. Not a deepfake detector. This sentence goes on until it has to wrap to a second line, to be seen.", "", nil),
		container.NewGridWithColumns(2, tapped, kit.NewScoreScale(&zero, "0")),
		kit.NewText("An ellipsis in the middle of a long name such as IMG_20240412_harbour_statement_final_v2_cropped_and_more.jpeg", kit.TextStyle{Ellipsis: look.EllipsisMiddle}),
		kit.NewText("An ellipsis at the end of a long sentence that goes on and on and does not want to stop before the edge", kit.TextStyle{Ellipsis: look.EllipsisEnd, Color: look.ColorMuted, Size: look.SizeSmall}),
		kit.NewText("sha256 9f86d081884c7d659a2feaa0c55ad015", kit.TextStyle{Mono: true, Size: look.SizeSmall}),
		kit.NewText("Größe, Şeker, Жук, αβγ, 中文, عربي, 🎬", kit.TextStyle{}),
	)
	right := container.New(layout.NewCustomPaddedVBoxLayout(14), kit.NewCard(sampleBars()), kit.NewCard(container.NewGridWrap(fyne.NewSize(260, 300), narrow)))
	return onBackground(container.NewBorder(nil, nil, rail, container.NewPadded(container.NewGridWrap(fyne.NewSize(340, 700), right)), container.New(layout.NewCustomPaddedLayout(16, 16, 16, 16), left)))
}

func sampleBars() *chart.Bars {
	value := func(v float64) *float64 { return &v }
	return chart.NewBars([]chart.Bar{
		{Name: "svc-img-ensemble", Mark: look.MarkFake, Value: value(88), ValueText: "88", Ensemble: true},
		{Name: "svc-oak-img", Mark: look.MarkFake, Value: value(93), ValueText: "93"},
		{Name: "svc-cedar-img", Mark: look.MarkSuspicious, Value: value(61.5), ValueText: "61.5"},
		{Name: "svc-a-very-long-model-name-indeed-img", Mark: look.MarkFake, Value: value(140), ValueText: "140"},
		{Name: "svc-pine-img", Mark: look.MarkAuthentic, Value: value(0), ValueText: "0"},
		{Name: "svc-ash-img", Mark: look.MarkNotAssessable, Word: "no score reported"},
		{Name: "svc-birch-img", Mark: look.MarkAnalysing, Word: "still running"},
		{Name: "svc-context-img", Mark: look.MarkFailed, Word: "failed"},
	}, []string{"svc-slim-aud", "svc-llm-txt", "svc-erie-vid"})
}

func sampleRail(selected, badge int) *kit.Rail {
	rail := kit.NewRail([]kit.RailItem{
		{Label: "Inbox", Icon: look.IconInbox}, {Label: "Results", Icon: look.IconResults}, {Label: "Folders", Icon: look.IconFolders},
		{Label: "Settings", Icon: look.IconSettings, Bottom: true},
	}, nil)
	rail.Select(selected)
	rail.SetBadge(0, badge)
	return rail
}

// samplePicture is a sky over a ground.
func samplePicture(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	sky, ground := color.RGBA{R: 120, G: 160, B: 205, A: 255}, color.RGBA{R: 140, G: 120, B: 95, A: 255}
	draw.Draw(img, image.Rect(0, 0, w, h*2/5), image.NewUniform(sky), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, h*2/5, w, h), image.NewUniform(ground), image.Point{}, draw.Src)
	return img
}

func disc(side, icon float32) fyne.CanvasObject {
	ground := canvas.NewCircle(look.Color(look.ColorSunk))
	return container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(side), container.NewStack(ground, kit.NewIcon(look.IconArrowUp, look.ColorAccent, icon))))
}

func spaced(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gap), objects...)
}

func lines(objects ...fyne.CanvasObject) fyne.CanvasObject {
	shown := []fyne.CanvasObject{layout.NewSpacer()}
	for _, o := range objects {
		if o != nil {
			shown = append(shown, o)
		}
	}
	return container.New(layout.NewCustomPaddedVBoxLayout(1), append(shown, layout.NewSpacer())...)
}

func textUnlessEmpty(text string) fyne.CanvasObject {
	if text == "" {
		return nil
	}
	return kit.NewText(text, kit.TextStyle{Color: look.ColorMuted, Size: look.SizeSmall, Ellipsis: look.EllipsisEnd})
}

func gap(size float32) fyne.CanvasObject {
	space := canvas.NewRectangle(color.Transparent)
	space.SetMinSize(fyne.NewSquareSize(size))
	return space
}

func onBackground(content fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(canvas.NewRectangle(look.Color(look.ColorBackground)), content)
}

type columnsLayout struct{ split float32 }

func (l *columnsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(600, 40) }

func (l *columnsLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(l.split-16, size.Height))
	o[1].Move(fyne.NewPos(l.split, 0))
	o[1].Resize(fyne.NewSize(size.Width-l.split, size.Height))
}
