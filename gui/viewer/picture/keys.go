package picture

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
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
		{Keys: i18n.T("1 to 5"), Does: i18n.T("Original, overlay, swipe, blink, side by side")},
		{Keys: "O", Does: i18n.T("Heatmap over the picture, on or off")},
		{Keys: "[ ]", Does: i18n.T("Heatmap weaker or stronger")},
		{Keys: "+ − 0", Does: i18n.T("Zoom in, zoom out, fit")},
		{Keys: "← → ↑ ↓", Does: i18n.T("Move about in a zoomed picture; ← → move the divider that has the focus")},
		{Keys: i18n.T("Space"), Does: i18n.T("Blink by hand")},
		{Keys: "B", Does: i18n.T("Boxes on or off")},
		{Keys: i18n.T("Enter"), Does: i18n.T("The next box and what models say of it")},
		{Keys: "G", Does: i18n.T("In grey, blurred, as it is")},
	}
}
