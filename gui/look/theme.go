// Package look is how Assay looks: the Fyne theme with its colours and sizes, the font Inter, the icons and the marks of verdicts. It may import
// Fyne, the two libraries with which Fyne itself draws SVG (oksvg, rasterx), and assets.
package look

import (
	"image/color"

	"assay/assets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Mode chooses the palette. "" follows the operating system's light or dark mode.
type Mode string

// The other modes that the settings offer.
const (
	ModeLight        Mode = "light"
	ModeDark         Mode = "dark"
	ModeHighContrast Mode = "high-contrast"
)

// Theme is Assay's Fyne theme. Its zero value follows the system.
type Theme struct {
	// Mode is read at each look-up; call Settings().SetTheme after a change.
	Mode Mode
}

var _ fyne.Theme = (*Theme)(nil)

// New returns the theme in the given mode.
func New(mode Mode) *Theme { return &Theme{Mode: mode} }

func (t *Theme) palette(variant fyne.ThemeVariant) palette {
	switch t.Mode {
	case ModeLight:
		return light
	case ModeDark:
		return dark
	case ModeHighContrast:
		return contrast
	}
	if variant == theme.VariantDark {
		return dark
	}
	return light
}

// Color returns Assay's colours and those that Fyne's own widgets ask for.
func (t *Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	p := t.palette(variant)
	if c, ok := p[name]; ok {
		return c
	}
	if token, ok := forFyne[name]; ok {
		return p[token]
	}
	switch name {
	case theme.ColorNameFocus, theme.ColorNameSelection:
		return withAlpha(p[ColorAccent], 0x38)
	case theme.ColorNamePressed:
		return withAlpha(p[ColorText], 0x1c)
	case theme.ColorNameScrollBar:
		return withAlpha(p[ColorMuted], 0x70)
	case theme.ColorNameScrollBarBackground:
		return color.NRGBA{}
	case theme.ColorNameShadow:
		if isDark(p) {
			return color.NRGBA{A: 0x80}
		}
		return color.NRGBA{A: 0x26}
	}
	return theme.DefaultTheme().Color(name, variantOf(p))
}

// forFyne maps the colours of Fyne's own widgets to Assay's.
var forFyne = map[fyne.ThemeColorName]fyne.ThemeColorName{
	theme.ColorNameBackground:          ColorBackground,
	theme.ColorNameButton:              ColorSurface,
	theme.ColorNameDisabledButton:      ColorSunk,
	theme.ColorNameDisabled:            ColorDisabled,
	theme.ColorNameForeground:          ColorText,
	theme.ColorNameForegroundOnPrimary: ColorOnAccent,
	theme.ColorNameHeaderBackground:    ColorSurface,
	theme.ColorNameHover:               ColorHover,
	theme.ColorNameHyperlink:           ColorAccent,
	theme.ColorNameInputBackground:     ColorSurface,
	theme.ColorNameInputBorder:         ColorField,
	theme.ColorNameMenuBackground:      ColorSurface,
	theme.ColorNameOverlayBackground:   ColorSurface,
	theme.ColorNamePlaceHolder:         ColorMuted,
	theme.ColorNamePrimary:             ColorAccent,
	theme.ColorNameSeparator:           ColorBorder,
	// An entry's validation mark and a dialog's icon are no verdicts, so they don't have a verdict's colour.
	theme.ColorNameError:   ColorText,
	theme.ColorNameWarning: ColorText,
	theme.ColorNameSuccess: ColorAccent,
}

// Font returns Inter. Assay uses no italics, so the italic slot has the medium weight (see Weight): unlike a font that is set for a text, a slot
// keeps Fyne's fallback fonts for scripts that Inter lacks. Lines of such scripts get Inter with more room (see tallWidth).
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Monospace, style.Symbol:
		return theme.DefaultTheme().Font(style)
	case style.TabWidth == tallWidth && style.Bold:
		return tallSemiBold()
	case style.TabWidth == tallWidth && style.Italic:
		return tallMedium()
	case style.TabWidth == tallWidth:
		return tallRegular()
	case style.Bold:
		return interSemiBold
	case style.Italic:
		return interMedium
	}
	return interRegular
}

// Icon returns the icons in Fyne's own widgets (menus, dialogs). Assay's icons are of type Icon.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size returns Assay's sizes and Fyne's, in device-independent pixels.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return theme.DefaultTheme().Size(name)
}

var (
	interRegular  = fyne.NewStaticResource("Inter-Regular.otf", assets.InterRegular)
	interMedium   = fyne.NewStaticResource("Inter-Medium.otf", assets.InterMedium)
	interSemiBold = fyne.NewStaticResource("Inter-SemiBold.otf", assets.InterSemiBold)
)

// Color returns a colour in the running app's theme and variant. Read it again on every Refresh.
func Color(name fyne.ThemeColorName) color.Color {
	t, variant := current()
	return t.Color(name, variant)
}

// Size returns a size in the running app's theme.
func Size(name fyne.ThemeSizeName) float32 {
	t, _ := current()
	return t.Size(name)
}

// current falls back to Assay's theme if another is set, as in a test that set none.
func current() (*Theme, fyne.ThemeVariant) {
	app := fyne.CurrentApp()
	if app == nil {
		return &Theme{}, theme.VariantLight
	}
	variant := app.Settings().ThemeVariant()
	if t, ok := app.Settings().Theme().(*Theme); ok {
		return t, variant
	}
	return &Theme{}, variant
}

func variantOf(p palette) fyne.ThemeVariant {
	if isDark(p) {
		return theme.VariantDark
	}
	return theme.VariantLight
}

func isDark(p palette) bool { return p[ColorBackground].G < 0x80 }

func withAlpha(c color.NRGBA, alpha byte) color.NRGBA {
	c.A = alpha
	return c
}

// The font sizes, as theme size names: they are scaled in one place, and rich text accepts them.
const (
	SizeText                       = theme.SizeNameText           // 13: the text
	SizeSmall   fyne.ThemeSizeName = "assay.small"                // 12: secondary
	SizeCaption                    = theme.SizeNameCaptionText    // 11: secondary, in tight places
	SizeHeading                    = theme.SizeNameSubHeadingText // 15: headings, with WeightBold
	SizeVerdict                    = theme.SizeNameHeadingText    // 22: the verdict, with WeightBold
	SizeScore   fyne.ThemeSizeName = "assay.score"                // 28: the ensemble's number
)

// Space and shape, in device-independent pixels. Space is a multiple of 4.
const (
	Space         float32 = 4
	RadiusControl float32 = 8
	RadiusCard    float32 = 12
	Hairline      float32 = 1
	ControlHeight float32 = 34
	RailWidth     float32 = 72
	IconSize      float32 = 20
	IconSmall     float32 = 16
)

var sizes = map[fyne.ThemeSizeName]float32{
	SizeText:                         13,
	SizeSmall:                        12,
	SizeCaption:                      11,
	SizeHeading:                      15,
	SizeVerdict:                      22,
	SizeScore:                        28,
	theme.SizeNamePadding:            Space,
	theme.SizeNameInnerPadding:       2 * Space,
	theme.SizeNameLineSpacing:        3,
	theme.SizeNameInlineIcon:         18,
	theme.SizeNameInputBorder:        Hairline,
	theme.SizeNameSeparatorThickness: Hairline,
	theme.SizeNameSplitThickness:     Hairline,
	theme.SizeNameInputRadius:        RadiusControl,
	theme.SizeNameButtonRadius:       RadiusControl,
	theme.SizeNameSelectionRadius:    6,
	theme.SizeNameMenuRadius:         6,
	theme.SizeNamePopupRadius:        RadiusControl,
	theme.SizeNameCardRadius:         RadiusCard,
	theme.SizeNameDialogRadius:       RadiusCard,
	theme.SizeNameScrollBar:          10,
	theme.SizeNameScrollBarSmall:     4,
	theme.SizeNameScrollBarRadius:    4,
}

// Weight is a weight of Inter.
type Weight int

// The weights in use: 400 for text, 500 for names and controls, 600 for headings.
const (
	WeightRegular Weight = iota
	WeightMedium
	WeightBold
)

// Style returns the text style whose slot in the theme carries the weight.
func (w Weight) Style() fyne.TextStyle {
	switch w {
	case WeightMedium:
		return fyne.TextStyle{Italic: true}
	case WeightBold:
		return fyne.TextStyle{Bold: true}
	}
	return fyne.TextStyle{}
}
