// Package assets embeds the fonts, icons and marks that gui/look serves, a picture to try the sandbox with, and the licences of all that is in the binary; it imports nothing
// but the standard library.
package assets

import "embed"

// InterRegular, InterMedium and InterSemiBold are the weights 400, 500 and 600 of Inter, as OpenType files.
var (
	//go:embed fonts/Inter-Regular.otf
	InterRegular []byte
	//go:embed fonts/Inter-Medium.otf
	InterMedium []byte
	//go:embed fonts/Inter-SemiBold.otf
	InterSemiBold []byte
)

// Icon is Assay's own, as a PNG.
//
//go:embed icon.png
var Icon []byte

// Sample is a picture of Assay's own to try the sandbox with: testdata/pictures/generated.png, whose README says how it was made.
//
//go:embed sample.png
var Sample []byte

// Drawings holds icons/NAME.svg and marks/NAME.svg. Each is drawn in the SVG keyword currentColor, which stands for the tint.
//
//go:embed icons/*.svg marks/*.svg
var Drawings embed.FS
