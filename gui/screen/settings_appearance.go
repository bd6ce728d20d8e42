package screen

import (
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

func asItIs(code string) string { return code }

// fillAppearancePage asks how the window looks and speaks.
func fillAppearancePage(p *settingsPage) {
	p.card(
		choiceRow(p, present.SettingTheme, i18n.T("Colours"), "", present.ThemeChoices(), asItIs,
			func(s *present.Settings) *string { return &s.Appearance.Theme }).root,
		choiceRow(p, present.SettingScale, i18n.T("Size of words and controls"), "", present.ScaleChoices(), present.ScaleWords,
			func(s *present.Settings) *float64 { return &s.Appearance.Scale }).root,
		choiceRow(p, present.SettingLanguage, i18n.T("Language"), i18n.T("What the service says stays in the words that it was sent in."), present.LanguageChoices(), asItIs,
			func(s *present.Settings) *string { return &s.Appearance.Language }).root)
	p.card(choiceRow(p, present.SettingPreview, i18n.T("Previews of pictures and clips"),
		i18n.T("For disturbing material. Each one can be shown as it is with a key; sound never plays by itself."), present.PreviewChoices(), asItIs,
		func(s *present.Settings) *string { return &s.Appearance.Preview }).root)
}

// fillNotificationsPage asks what the desktop is told.
func fillNotificationsPage(p *settingsPage) {
	p.card(kit.NewHint(i18n.T("Notifications hold fixed words and numbers: never a name, a link or a verdict.")),
		tickRow(p, present.SettingAnswers, i18n.T("When files from watched folders were answered"), "",
			func(s *present.Settings) *bool { return &s.Notifications.Answers }).root,
		tickRow(p, present.SettingDecisions, i18n.T("When files wait for your decision"), "",
			func(s *present.Settings) *bool { return &s.Notifications.Decisions }).root)
}
