package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// The sizes of type, as theme size names: one place scales them all, and rich text takes them as they are.
const (
	SizeText                       = theme.SizeNameText           // 13: the text
	SizeSmall   fyne.ThemeSizeName = "assay.small"                // 12: secondary
	SizeCaption                    = theme.SizeNameCaptionText    // 11: secondary, in tight places
	SizeHeading                    = theme.SizeNameSubHeadingText // 15: headings, with WeightBold
	SizeVerdict                    = theme.SizeNameHeadingText    // 22: the verdict, with WeightBold
	SizeScore   fyne.ThemeSizeName = "assay.score"                // 28: the ensemble's number
)

// Space and shape, in device-independent pixels. Space goes in steps of 4.
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

// Inter's weights that Assay uses: 400 for text, 500 for names and controls, 600 for headings.
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
