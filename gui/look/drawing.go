package look

import (
	"fmt"
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
)

// drawing is one of the SVG files of assets, tinted with a token each time that it is read, so that it follows the theme.
// It is comparable, and its name tells file and colour, because Fyne caches rendered SVGs by name.
type drawing struct {
	file  string // such as icons/inbox.svg
	color fyne.ThemeColorName
}

var _ fyne.Resource = drawing{}

// Name tells the file and the colour.
func (d drawing) Name() string {
	return strings.TrimPrefix(hex(Color(d.color)), "#") + "-" + strings.ReplaceAll(d.file, "/", "-")
}

// Content is the SVG in the token's present colour.
func (d drawing) Content() []byte {
	return []byte(strings.ReplaceAll(outlined(d.file), "currentColor", hex(Color(d.color))))
}

func hex(c color.Color) string {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

// Tinted returns an icon in another token's colour. A mark keeps its own, which is part of what it says, and any other resource
// is returned as it is.
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
