package present

import (
	"slices"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/plain"
)

// The screens take config's own types from here.
type (
	// Settings are what holds now.
	Settings = config.Settings
	// SettingKey names one setting.
	SettingKey = config.Key
	// SettingOrigin is where a setting's value comes from.
	SettingOrigin = config.Origin
	// SettingGate is how what comes from somewhere may leave this computer.
	SettingGate = config.Gate
)

// The keys of the settings that have a control.
const (
	SettingUse          SettingKey = "service.use"
	SettingAddress      SettingKey = "service.address"
	SettingGateFiles    SettingKey = "gates.files"
	SettingGateLinks    SettingKey = "gates.links"
	SettingGateFolders  SettingKey = "gates.folders"
	SettingUploads      SettingKey = "uploads"
	SettingAnswers      SettingKey = "notifications.answers"
	SettingDecisions    SettingKey = "notifications.decisions"
	SettingTheme        SettingKey = "appearance.theme"
	SettingScale        SettingKey = "appearance.scale"
	SettingLanguage     SettingKey = "appearance.language"
	SettingPreview      SettingKey = "appearance.preview"
	SettingProxy        SettingKey = "network.proxy"
	SettingCertificates SettingKey = "network.certificates"
	SettingVault        SettingKey = "storage.vaultMegabytes"
	SettingTray         SettingKey = "desktop.tray"
	SettingCloseHides   SettingKey = "desktop.closeHides"
	SettingAutostart    SettingKey = "desktop.autostart"
	SettingOpenWith     SettingKey = "desktop.openWith"
	SettingSendTo       SettingKey = "desktop.sendTo"
)

// SettingsSection is one page of the settings.
type SettingsSection int

// The sections, in their order.
const (
	SettingsService SettingsSection = iota
	SettingsGates
	SettingsSending
	SettingsFolders
	SettingsAppearance
	SettingsNotifications
	SettingsDesktop
	SettingsNetwork
	SettingsStorage
	SettingsAbout
)

// SettingsSections are the names of the sections.
func SettingsSections() []string {
	return []string{
		SettingsService:       i18n.T("Service"),
		SettingsGates:         i18n.T("What may leave"),
		SettingsSending:       i18n.T("Sending"),
		SettingsFolders:       i18n.T("Watched folders"),
		SettingsAppearance:    i18n.T("Appearance"),
		SettingsNotifications: i18n.T("Notifications"),
		SettingsDesktop:       i18n.T("Desktop"),
		SettingsNetwork:       i18n.T("Network"),
		SettingsStorage:       i18n.T("Storage"),
		SettingsAbout:         i18n.T("About"),
	}
}

// OriginWords say why a setting can't be changed here, "" where it can be; fixed reports whether it can't.
func OriginWords(o SettingOrigin) (why string, fixed bool) {
	why = o.Sentence()
	return why, why != ""
}

// SettingsChoice is a setting of a few values: what they are called, and what each is.
type SettingsChoice[T comparable] struct {
	Words  []string
	Values []T
}

// Place is where a value stands among the choices; one that is not offered is added at the end, so that what holds is always shown.
func (c *SettingsChoice[T]) Place(value T, words func(T) string) int {
	if at := slices.Index(c.Values, value); at >= 0 {
		return at
	}
	c.Values = append(c.Values, value)
	c.Words = append(c.Words, words(value))
	return len(c.Values) - 1
}

// PlainPath is a path as it may be shown: without letters that could mislead.
func PlainPath(path string) string {
	if path == "" {
		return ""
	}
	return plain.From(path).String()
}
