package look

import (
	"fmt"
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
)

// Icon is one of Assay's icons. It is a fyne.Resource in the text's colour; Tinted returns it in another colour.
type Icon string

var _ fyne.Resource = Icon("")

// The icons: one set, stroke 1.7 on 24, shown at 16 to 20 px.
const (
	IconArrowUp      Icon = "arrow-up"
	IconCases        Icon = "cases"
	IconCheck        Icon = "check"
	IconChevronDown  Icon = "chevron-down"
	IconChevronLeft  Icon = "chevron-left"
	IconChevronRight Icon = "chevron-right"
	IconClose        Icon = "close"
	IconDot          Icon = "dot"
	IconEdit         Icon = "edit"
	IconCopy         Icon = "copy"
	IconCovered      Icon = "covered"
	IconExternal     Icon = "external"
	IconFilm         Icon = "film"
	IconFlag         Icon = "flag"
	IconFolders      Icon = "folders"
	IconFull         Icon = "full"
	IconGlobe        Icon = "globe"
	IconHourglass    Icon = "hourglass"
	IconInbox        Icon = "inbox"
	IconInfo         Icon = "info"
	IconLink         Icon = "link"
	IconLock         Icon = "lock"
	IconMore         Icon = "more"
	IconMute         Icon = "mute"
	IconNearly       Icon = "nearly"
	IconPanel        Icon = "panel"
	IconPause        Icon = "pause"
	IconPeople       Icon = "people"
	IconPicture      Icon = "picture"
	IconPlay         Icon = "play"
	IconPlus         Icon = "plus"
	IconQuestion     Icon = "question"
	IconReport       Icon = "report"
	IconResults      Icon = "results"
	IconRetry        Icon = "retry"
	IconSearch       Icon = "search"
	IconSettings     Icon = "settings"
	IconShare        Icon = "share"
	IconSound        Icon = "sound"
	IconStepBack     Icon = "step-back"
	IconStepOn       Icon = "step-on"
	IconTag          Icon = "tag"
	IconText         Icon = "text"
	IconUndo         Icon = "undo"
	IconWarning      Icon = "warning"
	IconWaveform     Icon = "waveform"
)

// Tinted returns the icon in a colour of the theme, which it follows.
func (i Icon) Tinted(name fyne.ThemeColorName) fyne.Resource {
	return drawing{file: "icons/" + string(i) + ".svg", color: name}
}

// Name implements fyne.Resource.
func (i Icon) Name() string { return i.Tinted(ColorText).Name() }

// Content implements fyne.Resource.
func (i Icon) Content() []byte { return i.Tinted(ColorText).Content() }

// Mark is the shape that is shown beside a verdict's word. gui/present uses the same values.
type Mark string

// The marks. Their shapes differ, so that none depends on its colour.
const (
	MarkNone          Mark = ""
	MarkFake          Mark = "fake"           // octagon with an exclamation mark
	MarkSuspicious    Mark = "suspicious"     // triangle with an exclamation mark
	MarkAuthentic     Mark = "authentic"      // dashed circle
	MarkNotAssessable Mark = "not-assessable" // slashed square
	MarkFailed        Mark = "failed"         // broken circle
	MarkAnalysing     Mark = "analysing"      // hourglass
)

type markLook struct{ color, soft fyne.ThemeColorName }

var markLooks = map[Mark]markLook{
	MarkFake:          {ColorFake, ColorFakeSoft},
	MarkSuspicious:    {ColorSuspicious, ColorSuspiciousSoft},
	MarkAuthentic:     {ColorAuthentic, ColorAuthenticSoft},
	MarkNotAssessable: {ColorNeutral, ColorNeutralSoft},
	MarkFailed:        {ColorNeutral, ColorNeutralSoft},
	// Not finished is not a verdict, so it has the accent, the colour of progress.
	MarkAnalysing: {ColorAccent, ColorNeutralSoft},
}

// MarkResource returns the mark's drawing in its colour, following the theme; nil for MarkNone and an unknown mark.
func MarkResource(m Mark) fyne.Resource {
	l, ok := markLooks[m]
	if !ok {
		return nil
	}
	return drawing{file: "marks/" + string(m) + ".svg", color: l.color}
}

// MarkColor returns the mark's colour; neutral for MarkNone and an unknown mark.
func MarkColor(m Mark) fyne.ThemeColorName {
	if l, ok := markLooks[m]; ok {
		return l.color
	}
	return ColorNeutral
}

// MarkSoftColor returns the colour of the fill behind the mark, as on the verdict card.
func MarkSoftColor(m Mark) fyne.ThemeColorName {
	if l, ok := markLooks[m]; ok {
		return l.soft
	}
	return ColorNeutralSoft
}

// drawing is an SVG file of assets, which is tinted each time that it is read, so that it follows the theme. It is comparable, and its name contains
// file and colour, since Fyne caches rendered SVGs by name.
type drawing struct {
	file  string // such as icons/inbox.svg
	color fyne.ThemeColorName
}

var _ fyne.Resource = drawing{}

// Name is unique for the file and the colour.
func (d drawing) Name() string {
	return strings.TrimPrefix(hex(Color(d.color)), "#") + "-" + strings.ReplaceAll(d.file, "/", "-")
}

// Content returns the SVG in the colour that the theme has now.
func (d drawing) Content() []byte {
	return []byte(strings.ReplaceAll(outlined(d.file), "currentColor", hex(Color(d.color))))
}

func hex(c color.Color) string {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

// Tinted returns one of Assay's icons in another colour. Other resources are returned unchanged; so is a mark, whose colour has a meaning.
func Tinted(res fyne.Resource, name fyne.ThemeColorName) fyne.Resource {
	switch r := res.(type) {
	case Icon:
		return r.Tinted(name)
	case drawing:
		if strings.HasPrefix(r.file, "icons/") {
			r.color = name
		}
		return r
	}
	return res
}
