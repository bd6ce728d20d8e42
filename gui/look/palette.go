package look

import (
	"image/color"

	"fyne.io/fyne/v2"
)

// The colours by meaning. Each is a name of a theme colour, so that Fyne's own widgets accept it (rich text, overrides). Soft is the fill behind the
// colour of the same verdict. Verdict colours are for verdicts only.
const (
	ColorBackground     fyne.ThemeColorName = "assay.background"
	ColorSurface        fyne.ThemeColorName = "assay.surface"
	ColorSunk           fyne.ThemeColorName = "assay.sunk"
	ColorBorder         fyne.ThemeColorName = "assay.border"
	ColorText           fyne.ThemeColorName = "assay.text"
	ColorMuted          fyne.ThemeColorName = "assay.muted"
	ColorAccent         fyne.ThemeColorName = "assay.accent"
	ColorOnAccent       fyne.ThemeColorName = "assay.onAccent"
	ColorFake           fyne.ThemeColorName = "assay.fake"
	ColorFakeSoft       fyne.ThemeColorName = "assay.fakeSoft"
	ColorSuspicious     fyne.ThemeColorName = "assay.suspicious"
	ColorSuspiciousSoft fyne.ThemeColorName = "assay.suspiciousSoft"
	ColorAuthentic      fyne.ThemeColorName = "assay.authentic"
	ColorAuthenticSoft  fyne.ThemeColorName = "assay.authenticSoft"
	ColorNeutral        fyne.ThemeColorName = "assay.neutral"
	ColorNeutralSoft    fyne.ThemeColorName = "assay.neutralSoft"
	// ColorDisabled is for what can't be used now; accessibility rules exempt it from the required contrast.
	ColorDisabled fyne.ThemeColorName = "assay.disabled"
	// ColorHover is translucent, since it is drawn over a surface.
	ColorHover fyne.ThemeColorName = "assay.hover"
	// ColorTrack is the part of a track that is not filled; translucent, so that it is visible on every fill.
	ColorTrack fyne.ThemeColorName = "assay.track"
	// ColorDash is for dashed outlines and hatching, and is stronger than a hairline.
	ColorDash fyne.ThemeColorName = "assay.dash"
	// ColorField is the line around text fields, visible in every palette.
	ColorField fyne.ThemeColorName = "assay.field"
)

type palette map[fyne.ThemeColorName]color.NRGBA

func rgb(hex uint32) color.NRGBA { return rgba(hex<<8 | 0xff) }

func rgba(hex uint32) color.NRGBA {
	return color.NRGBA{R: byte(hex >> 24 & 0xff), G: byte(hex >> 16 & 0xff), B: byte(hex >> 8 & 0xff), A: byte(hex & 0xff)}
}

var light = palette{
	ColorBackground:     rgb(0xF4F5F7),
	ColorSurface:        rgb(0xFFFFFF),
	ColorSunk:           rgb(0xECEEF1),
	ColorBorder:         rgb(0xDFE2E7),
	ColorText:           rgb(0x1A1D23),
	ColorMuted:          rgb(0x5C6470),
	ColorAccent:         rgb(0x3D5AD6),
	ColorOnAccent:       rgb(0xFFFFFF),
	ColorFake:           rgb(0xC2410C),
	ColorFakeSoft:       rgb(0xFCEEE7),
	ColorSuspicious:     rgb(0x9A6700),
	ColorSuspiciousSoft: rgb(0xFBF3DC),
	ColorAuthentic:      rgb(0x1D6FB8),
	ColorAuthenticSoft:  rgb(0xE6F1FA),
	ColorNeutral:        rgb(0x6B7280),
	ColorNeutralSoft:    rgb(0xEEF0F3),
	ColorDisabled:       rgb(0xA3A9B4),
	ColorHover:          rgba(0x1A1D230A),
	ColorTrack:          rgba(0x1A1D2318),
	ColorDash:           rgb(0xCDD2DA),
	ColorField:          rgb(0xCDD2DA),
}

var dark = palette{
	ColorBackground:     rgb(0x121418),
	ColorSurface:        rgb(0x1B1E24),
	ColorSunk:           rgb(0x23272F),
	ColorBorder:         rgb(0x2E333C),
	ColorText:           rgb(0xEDEEF1),
	ColorMuted:          rgb(0x9BA3AF),
	ColorAccent:         rgb(0x8EA2FF),
	ColorOnAccent:       rgb(0x121418),
	ColorFake:           rgb(0xFF9466),
	ColorFakeSoft:       rgb(0x3A2119),
	ColorSuspicious:     rgb(0xF0C75E),
	ColorSuspiciousSoft: rgb(0x352C14),
	ColorAuthentic:      rgb(0x76BDF7),
	ColorAuthenticSoft:  rgb(0x14293B),
	ColorNeutral:        rgb(0xA3ABB7),
	ColorNeutralSoft:    rgb(0x272B33),
	ColorDisabled:       rgb(0x5C6470),
	ColorHover:          rgba(0xEDEEF10D),
	ColorTrack:          rgba(0xEDEEF11F),
	ColorDash:           rgb(0x3D434E),
	ColorField:          rgb(0x5C6470),
}

// contrast is the third palette: text at 7:1 on every surface, clearly visible outlines.
var contrast = palette{
	ColorBackground:     rgb(0xFFFFFF),
	ColorSurface:        rgb(0xFFFFFF),
	ColorSunk:           rgb(0xECEEF1),
	ColorBorder:         rgb(0x4A5058),
	ColorText:           rgb(0x000000),
	ColorMuted:          rgb(0x2F343B),
	ColorAccent:         rgb(0x1B3494),
	ColorOnAccent:       rgb(0xFFFFFF),
	ColorFake:           rgb(0x7A2600),
	ColorFakeSoft:       rgb(0xFCEEE7),
	ColorSuspicious:     rgb(0x5A3C00),
	ColorSuspiciousSoft: rgb(0xFBF3DC),
	ColorAuthentic:      rgb(0x0A4072),
	ColorAuthenticSoft:  rgb(0xE6F1FA),
	ColorNeutral:        rgb(0x3A4048),
	ColorNeutralSoft:    rgb(0xEEF0F3),
	ColorDisabled:       rgb(0x6B7280),
	ColorHover:          rgba(0x00000014),
	ColorTrack:          rgba(0x00000040),
	ColorDash:           rgb(0x4A5058),
	ColorField:          rgb(0x4A5058),
}
