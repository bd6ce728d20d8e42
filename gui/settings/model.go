package settings

import (
	"slices"

	"assay/client/config"
	"assay/client/i18n"
)

// The keys of the settings that have a control.
const (
	SettingUse          config.Key = "service.use"
	SettingAddress      config.Key = "service.address"
	SettingGateFiles    config.Key = "gates.files"
	SettingGateLinks    config.Key = "gates.links"
	SettingGateFolders  config.Key = "gates.folders"
	SettingUploads      config.Key = "uploads"
	SettingAnswers      config.Key = "notifications.answers"
	SettingDecisions    config.Key = "notifications.decisions"
	SettingTheme        config.Key = "appearance.theme"
	SettingScale        config.Key = "appearance.scale"
	SettingLanguage     config.Key = "appearance.language"
	SettingPreview      config.Key = "appearance.preview"
	SettingProxy        config.Key = "network.proxy"
	SettingCertificates config.Key = "network.certificates"
	SettingVault        config.Key = "storage.vaultMegabytes"
	SettingTray         config.Key = "desktop.tray"
	SettingCloseHides   config.Key = "desktop.closeHides"
	SettingAutostart    config.Key = "desktop.autostart"
	SettingOpenWith     config.Key = "desktop.openWith"
	SettingSendTo       config.Key = "desktop.sendTo"
)

// Section is one page of the settings.
type Section int

// The sections, in their order.
const (
	SectionService Section = iota
	SectionGates
	SectionSending
	SectionFolders
	SectionAppearance
	SectionNotifications
	SectionDesktop
	SectionNetwork
	SectionStorage
	SectionAbout
)

// SectionNames are the names of the sections.
func SectionNames() []string {
	return []string{
		SectionService:       i18n.T("Service"),
		SectionGates:         i18n.T("What may leave"),
		SectionSending:       i18n.T("Sending"),
		SectionFolders:       i18n.T("Watched folders"),
		SectionAppearance:    i18n.T("Appearance"),
		SectionNotifications: i18n.T("Notifications"),
		SectionDesktop:       i18n.T("Desktop"),
		SectionNetwork:       i18n.T("Network"),
		SectionStorage:       i18n.T("Storage"),
		SectionAbout:         i18n.T("About"),
	}
}

// OriginWords say why a setting can't be changed here, "" where it can be; fixed reports whether it can't.
func OriginWords(o config.Origin) (why string, fixed bool) {
	why = o.Sentence()
	return why, why != ""
}

// Choice is a setting of a few values: what they are called, and what each is.
type Choice[T comparable] struct {
	Words  []string
	Values []T
}

// Place is where a value stands among the choices; one that is not offered is added at the end, so that what holds is always shown.
func (c *Choice[T]) Place(value T, words func(T) string) int {
	if at := slices.Index(c.Values, value); at >= 0 {
		return at
	}
	c.Values = append(c.Values, value)
	c.Words = append(c.Words, words(value))
	return len(c.Values) - 1
}
