// Package screens is the table of the window's screens in the order of the rail, for rail, keys, galleries and tour. gui builds the screens. It
// imports the toolkit, gui/kit, gui/look and client/i18n.
package screens

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// ID identifies a screen; it is its index in All and in the rail.
type ID = int

// The screens.
const (
	Inbox ID = iota
	Results
	Cases
	Folders
	Settings
)

// Screen is the name and the keys of a screen.
type Screen struct {
	Title i18n.Key
	Icon  fyne.Resource
	Foot  bool           // at the bottom of the rail
	Keys  []fyne.KeyName // select it, with the system's usual modifier
}

// All are the screens; their index is their ID.
var All = []Screen{
	Inbox:    {Title: "Inbox", Icon: look.IconInbox, Keys: []fyne.KeyName{fyne.Key1}},
	Results:  {Title: "Results", Icon: look.IconResults, Keys: []fyne.KeyName{fyne.Key2}},
	Cases:    {Title: "Cases", Icon: look.IconCases, Keys: []fyne.KeyName{fyne.Key3}},
	Folders:  {Title: "Folders", Icon: look.IconFolders, Keys: []fyne.KeyName{fyne.Key4}},
	Settings: {Title: "Settings", Icon: look.IconSettings, Foot: true, Keys: []fyne.KeyName{fyne.Key5, fyne.KeyComma}},
}

// NewRail makes the rail with all screens, in the person's language.
func NewRail(onSelected func(ID)) *kit.Rail {
	items := make([]kit.RailItem, len(All))
	for i, s := range All {
		items[i] = kit.RailItem{Label: i18n.T(s.Title), Icon: s.Icon, Bottom: s.Foot}
	}
	return kit.NewRail(items, onSelected)
}
