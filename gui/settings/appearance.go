package settings

import (
	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/kit"
)

func asItIs(code string) string { return code }

// fillAppearancePage asks how the window looks and speaks.
func fillAppearancePage(p *page) {
	p.card(
		choiceRow(p, SettingTheme, i18n.T("Colours"), "", ThemeChoices(), asItIs,
			func(s *config.Settings) *string { return &s.Appearance.Theme }).root,
		choiceRow(p, SettingScale, i18n.T("Size of words and controls"), "", ScaleChoices(), ScaleWords,
			func(s *config.Settings) *float64 { return &s.Appearance.Scale }).root,
		choiceRow(p, SettingLanguage, i18n.T("Language"), i18n.T("What the service says stays in the words that it was sent in."), LanguageChoices(), asItIs,
			func(s *config.Settings) *string { return &s.Appearance.Language }).root)
	p.card(choiceRow(p, SettingPreview, i18n.T("Previews of pictures and clips"),
		i18n.T("For disturbing material. Each one can be shown as it is with a key; sound never plays by itself."), PreviewChoices(), asItIs,
		func(s *config.Settings) *string { return &s.Appearance.Preview }).root)
}

// fillNotificationsPage asks what the desktop is told.
func fillNotificationsPage(p *page) {
	p.card(kit.NewHint(i18n.T("Notifications hold fixed words and numbers: never a name, a link or a verdict.")),
		tickRow(p, SettingAnswers, i18n.T("When files from watched folders were answered"), "",
			func(s *config.Settings) *bool { return &s.Notifications.Answers }).root,
		tickRow(p, SettingDecisions, i18n.T("When files wait for your decision"), "",
			func(s *config.Settings) *bool { return &s.Notifications.Decisions }).root)
}
