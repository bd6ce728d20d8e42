package picture

import (
	"fyne.io/fyne/v2"

	"assay/gui/present"
)

// TypedRune takes a typed character, and reports whether it stands for anything here.
func (p *Pane) TypedRune(r rune) bool {
	if p.stage.photo == nil {
		return false
	}
	switch r {
	case '1', '2', '3', '4', '5':
		p.SetMode(Mode(r - '1'))
	case 'o':
		p.ToggleOverlay()
	case '[':
		p.ChangeOpacity(-1)
	case ']':
		p.ChangeOpacity(1)
	case '+', '=':
		p.stage.zoomStep(true)
	case '-', '−', '_':
		p.stage.zoomStep(false)
	case '0':
		p.SetZoom(0)
	case 'b':
		p.SetBoxes(!p.Boxes())
	case 'g':
		p.choosePreview(map[present.Preview]present.Preview{
			present.PreviewPlain: present.PreviewGrey, present.PreviewGrey: present.PreviewBlurred,
		}[p.Preview()])
	default:
		return false
	}
	return true
}

// TypedKey takes another key, and reports whether it stands for anything here: arrows only where the picture is larger than its place.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool { return p.stage.typedKey(e) }

// Shortcuts are the keys, for the sheet.
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "1 to 5", Does: "Original, overlay, swipe, blink, side by side"},
		{Keys: "O", Does: "Heatmap over the picture, on or off"},
		{Keys: "[ ]", Does: "Heatmap weaker or stronger"},
		{Keys: "+ − 0", Does: "Zoom in, zoom out, fit"},
		{Keys: "← → ↑ ↓", Does: "Move about in a zoomed picture; ← → move the divider that has the focus"},
		{Keys: "Space", Does: "Blink by hand"},
		{Keys: "B", Does: "Boxes on or off"},
		{Keys: "Enter", Does: "The next box and what models say of it"},
		{Keys: "G", Does: "In grey, blurred, as it is"},
	}
}
