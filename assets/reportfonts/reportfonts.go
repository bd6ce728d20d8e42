// Package reportfonts embeds the fonts of reports as PDF, for a build without the window and for tests. They are the files that the window's
// toolkit brings, so that both builds write the same bytes; the window's build takes the toolkit's own, and does not import this package.
package reportfonts

import _ "embed"

// Regular and Bold are Noto Sans, Mono is DejaVu Sans Mono, as TrueType.
var (
	//go:embed NotoSans-Regular.ttf
	Regular []byte
	//go:embed NotoSans-Bold.ttf
	Bold []byte
	//go:embed DejaVuSansMono-Powerline.ttf
	Mono []byte
)
