package kit

import (
	"fyne.io/fyne/v2"
	tooltip "github.com/dweymouth/fyne-tooltip/widget"
)

// Tip is the base of a widget with a tooltip.
type Tip struct{ tooltip.ToolTipWidget }

// MouseOut implements desktop.Hoverable. In a busy window the toolkit may have put the tooltip into its queue just before the pointer left: it is hidden
// after that, too, or else it would stay over every screen.
func (t *Tip) MouseOut() {
	t.ToolTipWidget.MouseOut()
	fyne.Do(t.ToolTipWidget.MouseOut)
}
