package picture

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/media/picture"
	"assay/gui/heat"
	"assay/gui/look"
	"assay/gui/present"
)

// canSave reports whether there is more to save than the original picture.
func (p *Pane) canSave() bool {
	return p.shown.ID != "" && p.stage.photo != nil && (p.stage.boxes.visible() || p.savesHeatmap())
}

// savesHeatmap reports whether the heatmap is saved: not one of another shape, whose places would be wrong.
func (p *Pane) savesHeatmap() bool {
	return p.stage.mode != Original && p.stage.heatmap != nil && !p.stage.differs()
}

// Save asks where to save the picture with its heatmap, its boxes and their legend, as PNG.
func (p *Pane) Save() {
	if p.p.Save == nil || !p.canSave() {
		return
	}
	p.p.Save(p.fileName(), p.composer())
}

// Copy copies the same picture to the clipboard.
func (p *Pane) Copy() {
	if p.p.CopyImage == nil || !p.canSave() {
		return
	}
	write := p.composer()
	p.cancelCopy()
	p.cancelCopy = p.p.Askers.Do(func(ctx context.Context) func() {
		var png bytes.Buffer
		if err := write(ctx, &png); err != nil {
			return func() {
				p.say(p.heatNotice, i18n.F("The picture could not be copied. %s", present.Problem(err)), "", nil)
			}
		}
		return func() { p.p.CopyImage(png.Bytes()) }
	})
}

// fileName is the suggested name.
func (p *Pane) fileName() string {
	name := p.shown.Name
	if extension := filepath.Ext(name); len(extension) <= 5 {
		name = strings.TrimSuffix(name, extension)
	}
	switch {
	case p.savesHeatmap():
		name += " heatmap " + p.heatmapOf.String()
	case p.stage.boxes.visible():
		name += " boxes"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name) + ".png"
}

// composer returns a function, to be called on a worker, that makes the PNG of what is shown now. The photo is saved as it is, even while it is shown
// in grey or blurred, since the file is evidence.
func (p *Pane) composer() func(ctx context.Context, to io.Writer) error {
	id, source, name := p.shown.ID, p.p.Source, p.shown.Name
	full, heatmap := p.stage.full, p.stage.heatmap
	options := heat.ComposeOptions{Opacity: p.stage.opacity, Orientation: p.stage.turn}
	if !p.savesHeatmap() {
		heatmap = nil
	}
	options.SideBySide = p.stage.mode == SideBySide
	if p.stage.boxes.visible() {
		options.Boxes = p.composedBoxes()
	}
	options.Legend = heat.Legend{Lines: p.legend(), Fonts: fonts()}
	texts := map[string]string{"Title": name, "Description": strings.Join(options.Legend.Lines, "\n"), "Software": "Assay"}
	return func(ctx context.Context, to io.Writer) error {
		if full == nil {
			var err error
			if full, err = openWhole(ctx, source, id); err != nil {
				return err
			}
		}
		composite, err := heat.Compose(ctx, full, heatmap, options)
		if err != nil {
			return err
		}
		return picture.EncodePNG(ctx, to, composite, texts)
	}
}

func (p *Pane) composedBoxes() []heat.Box {
	size := p.stage.photo.Source
	boxes := make([]heat.Box, 0, len(p.stage.boxes.marks))
	for _, m := range p.stage.boxes.marks {
		box := heat.Box{Label: strconv.Itoa(m.number)}
		for _, c := range m.corners {
			box.Corners = append(box.Corners, heat.Point{X: c.X * float64(size.X), Y: c.Y * float64(size.Y)})
		}
		boxes = append(boxes, box)
	}
	return boxes
}

// legend says what the saved picture shows.
func (p *Pane) legend() []string {
	lines := []string{p.shown.Name, p.shown.Verdict.Line(), p.shown.Facts}
	if p.shown.SHA256 != "" {
		lines = append(lines, i18n.F("SHA-256 of the file %s", p.shown.SHA256))
	}
	if p.shown.Request != "" {
		lines = append(lines, i18n.F("Request %s", p.shown.Request))
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	if p.savesHeatmap() {
		lines = append(lines, present.HeatmapNote(p.heatmapOf)+" · "+i18n.F("opacity %s", i18n.Percent(float64(p.opacity()), 0)))
	}
	if p.stage.boxes.visible() {
		for _, m := range p.stage.boxes.marks {
			if len(m.words) > 0 {
				lines = append(lines, i18n.F("Box %d", m.number)+" · "+strings.Join(m.words, ", "))
			}
		}
	}
	if p.p.Sandbox {
		lines = append(lines, i18n.T(present.SandboxNote))
	}
	return lines
}

// fonts are the window's fonts, Assay's own first.
func fonts() [][]byte {
	theme := fyne.CurrentApp().Settings().Theme()
	return [][]byte{theme.Font(look.WeightRegular.Style()).Content()}
}
