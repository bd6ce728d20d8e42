// Package screens is the table of the window's screens, in the rail's order: what the rail, the keys, the galleries and the tour read.
// gui builds what stands behind each. It imports the toolkit, gui/kit, gui/look and client/i18n.
package screens

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// ID says which screen; it is its place in the rail.
type ID = int

// The screens.
const (
	Inbox ID = iota
	Results
	Folders
	Settings
)

// Screen is what a screen is called and reached by.
type Screen struct {
	Title i18n.Key
	Icon  fyne.Resource
	Foot  bool           // stands at the rail's foot
	Keys  []fyne.KeyName // bring it to the front, with the system's modifier
}

// All are the screens by their ID.
var All = []Screen{
	Inbox:    {Title: "Inbox", Icon: look.IconInbox, Keys: []fyne.KeyName{fyne.Key1}},
	Results:  {Title: "Results", Icon: look.IconResults, Keys: []fyne.KeyName{fyne.Key2}},
	Folders:  {Title: "Folders", Icon: look.IconFolders, Keys: []fyne.KeyName{fyne.Key3}},
	Settings: {Title: "Settings", Icon: look.IconSettings, Foot: true, Keys: []fyne.KeyName{fyne.Key4, fyne.KeyComma}},
}

// NewRail is the rail that leads to them, in the person's language.
func NewRail(onSelected func(ID)) *kit.Rail {
	items := make([]kit.RailItem, len(All))
	for i, s := range All {
		items[i] = kit.RailItem{Label: i18n.T(s.Title), Icon: s.Icon, Bottom: s.Foot}
	}
	return kit.NewRail(items, onSelected)
}
