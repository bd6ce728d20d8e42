package look

import "fyne.io/fyne/v2"

// Icon is one of Assay's icons. It is a fyne.Resource in the text's colour; Tinted gives it another.
type Icon string

var _ fyne.Resource = Icon("")

// The icons: one set, stroke 1.7 on 24, shown at 16 to 20 px.
const (
	IconArrowUp      Icon = "arrow-up"
	IconCheck        Icon = "check"
	IconChevronDown  Icon = "chevron-down"
	IconChevronRight Icon = "chevron-right"
	IconClose        Icon = "close"
	IconExternal     Icon = "external"
	IconFilm         Icon = "film"
	IconFolders      Icon = "folders"
	IconHourglass    Icon = "hourglass"
	IconInbox        Icon = "inbox"
	IconInfo         Icon = "info"
	IconLink         Icon = "link"
	IconLock         Icon = "lock"
	IconPause        Icon = "pause"
	IconPicture      Icon = "picture"
	IconPlay         Icon = "play"
	IconPlus         Icon = "plus"
	IconQuestion     Icon = "question"
	IconReport       Icon = "report"
	IconResults      Icon = "results"
	IconRetry        Icon = "retry"
	IconSearch       Icon = "search"
	IconSettings     Icon = "settings"
	IconText         Icon = "text"
	IconUndo         Icon = "undo"
	IconWarning      Icon = "warning"
	IconWaveform     Icon = "waveform"
)

// Icons lists them all.
func Icons() []Icon {
	return []Icon{
		IconArrowUp, IconCheck, IconChevronDown, IconChevronRight, IconClose, IconExternal, IconFilm, IconFolders,
		IconHourglass, IconInbox, IconInfo, IconLink, IconLock, IconPause, IconPicture, IconPlay, IconPlus, IconQuestion, IconReport,
		IconResults, IconRetry, IconSearch, IconSettings, IconText, IconUndo, IconWarning, IconWaveform,
	}
}

// Tinted returns the icon in a token's colour, following the theme.
func (i Icon) Tinted(name fyne.ThemeColorName) fyne.Resource {
	return drawing{file: "icons/" + string(i) + ".svg", color: name}
}

// Name implements fyne.Resource.
func (i Icon) Name() string { return i.Tinted(ColorText).Name() }

// Content implements fyne.Resource.
func (i Icon) Content() []byte { return i.Tinted(ColorText).Content() }
