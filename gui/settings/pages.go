package settings

import (
	"cmp"
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/firstrun"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// newAboutPage shows what Assay is, and offers the diagnostics to copy.
func newAboutPage(p *page) {
	about := p.settings.About
	what, _ := firstrun.SetupWords()
	licences := kit.NewButton(kit.Plain, i18n.T("Licences…"), nil, func() { showLicences(p.settings.Sheet, about.Licences()) })
	kit.SetVisible(licences, about.Licences != nil)
	words := container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph("Assay", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		kit.NewHint(i18n.F("Version %s", about.Version)), kit.NewParagraph(what, kit.TextStyle{}))
	if p.settings.Service().Sandbox {
		words.Add(kit.NewHint(i18n.T(present.SandboxNote)))
	}
	p.card(words, container.New(&kit.Flow{}, licences))
	addUpdates(p)
	p.card(newCopyRow(p, i18n.T("Diagnostics"),
		i18n.T("Assay's state, for the person who helps you: versions, counts and causes. It contains no key, no name and no link. Read it before you pass it on."),
		i18n.T("Copy diagnostics"), p.settings.Diagnostics))
	if !about.Crashed.IsZero() {
		p.card(newCopyRow(p, i18n.T("Crash report"), CrashWords(about.Crashed), i18n.T("Copy the report"), p.settings.CrashReport))
	}
}

// newCopyRow offers to copy a text to the clipboard.
func newCopyRow(p *page, title, means, label string, text func(ctx context.Context) (string, error)) fyne.CanvasObject {
	said := kit.NewNotice(look.IconCheck, "", "", nil)
	said.Hide()
	say := func(icon fyne.Resource, sentence string) {
		said.SetIcon(icon)
		said.SetText(sentence)
		kit.SetVisible(said, true)
	}
	button := kit.NewButton(kit.Plain, label, nil, nil)
	button.OnTapped = func() {
		button.Disable()
		p.run(func(ctx context.Context) func() {
			found, err := text(ctx)
			return func() {
				button.Enable()
				if err != nil {
					say(look.IconWarning, present.Problem(err))
					return
				}
				p.settings.Copy(found)
				say(look.IconCheck, i18n.T("Copied to the clipboard."))
			}
		})
	}
	words := container.New(kit.Column{Gap: look.Space, Grow: -1}, kit.NewParagraph(title, kit.TextStyle{Weight: look.WeightBold}), kit.NewHint(means))
	return kit.NewGroup(container.New(kit.BesideButton{}, words, button), said)
}

func asItIs(code string) string { return code }

// fillAppearancePage has the settings of the window's look and language.
func fillAppearancePage(p *page) {
	p.card(
		choiceRow(p, SettingTheme, i18n.T("Colours"), "", ThemeChoices(), asItIs,
			func(s *config.Settings) *string { return &s.Appearance.Theme }).root,
		choiceRow(p, SettingScale, i18n.T("Text size"), "", ScaleChoices(), ScaleWords,
			func(s *config.Settings) *float64 { return &s.Appearance.Scale }).root,
		choiceRow(p, SettingLanguage, i18n.T("Language"), i18n.T("The service's own words are not translated."), LanguageChoices(), asItIs,
			func(s *config.Settings) *string { return &s.Appearance.Language }).root,
		tickRow(p, SettingReduceMotion, i18n.T("Reduce motion"), i18n.T("Nothing moves or blinks by itself."),
			func(s *config.Settings) *bool { return &s.Appearance.ReduceMotion }).root)
	carefulOptions, carefulValues := CarefulChoices()
	p.card(optionRow(p, SettingCareful, i18n.T("Careful viewing"),
		i18n.T("For pictures and clips that are hard to look at. Sound never plays by itself. What you mark as graphic is always covered first."), carefulOptions, carefulValues,
		func(s *config.Settings) *string { return &s.Appearance.Careful }).root,
		choiceRow(p, SettingBreaks, i18n.T("Remind me to take a break"), i18n.T("A few words below the list of screens. Nothing is counted, saved or sent."), BreakChoices(), breakWords,
			func(s *config.Settings) *int { return &s.Appearance.BreakMinutes }).root)
}

// newDesktopPage has the settings of Assay's entries in the desktop, and of what it tells there. What this desktop can't do is said once that is known.
func newDesktopPage(p *page) {
	tray := tickRow(p, SettingTray, i18n.T("Show Assay in the tray"), i18n.T("It shows how many files are under way and how many wait for you. If you turn it off, it stays until you quit."),
		func(s *config.Settings) *bool { return &s.Desktop.Tray })
	hides := tickRow(p, SettingCloseHides, i18n.T("Closing the window hides it in the tray"), i18n.T("Assay keeps working until you quit it from the tray."),
		func(s *config.Settings) *bool { return &s.Desktop.CloseHides })
	starts := tickRow(p, SettingAutostart, i18n.T("Start Assay when you log in"), "",
		func(s *config.Settings) *bool { return &s.Desktop.Autostart })
	opens := tickRow(p, SettingOpenWith, i18n.T("Offer Assay under “Open with”"), i18n.T("For the types of files that the service takes."),
		func(s *config.Settings) *bool { return &s.Desktop.OpenWith })
	sends := tickRow(p, SettingSendTo, i18n.T("Offer Assay under “Send to”"), "",
		func(s *config.Settings) *bool { return &s.Desktop.SendTo })
	p.card(tray.root, hides.root, starts.root)
	p.card(opens.root, sends.root)
	p.card(kit.NewSection(i18n.T("Notifications"), kit.NewHint(i18n.T("Notifications show fixed words and numbers, never a name, a link or a verdict."))),
		tickRow(p, SettingAnswers, i18n.T("When files from watched folders were answered"), "",
			func(s *config.Settings) *bool { return &s.Notifications.Answers }).root,
		tickRow(p, SettingDecisions, i18n.T("When files wait for your decision"), "",
			func(s *config.Settings) *bool { return &s.Notifications.Decisions }).root)
	reasons := DesktopReasons{}
	fill := func() {
		tray.reason, hides.reason = reasons.Tray, reasons.Tray
		if reasons.Tray == "" && !p.settings.Settings().Desktop.Tray {
			hides.reason = i18n.T("This needs the tray.")
		}
		starts.reason, opens.reason, sends.reason = reasons.Autostart, reasons.OpenWith, reasons.SendTo
	}
	p.fills = append([]func(){fill}, p.fills...)
	p.opened = func() {
		p.run(func(ctx context.Context) func() {
			found := p.settings.Desktop(ctx)
			return func() {
				reasons = found
				p.fill()
			}
		})
	}
}

// fillSendingPage says what is sent and when, by source, with the number of uploads at a time.
func fillSendingPage(p *page) {
	p.card(kit.NewHint(i18n.T("This applies to what you add from now on. What is in the inbox already stays as it is.")),
		gateRow(p, SettingGateFiles, i18n.T("Files that you drop, choose or paste"), "",
			func(s *config.Settings) *submission.Gate { return &s.Gates.Files }).root)
	p.card(gateRow(p, SettingGateLinks, i18n.T("Links"), i18n.T("The service fetches what a link points to. The people who run that site may notice."),
		func(s *config.Settings) *submission.Gate { return &s.Gates.Links }).root)
	p.card(gateRow(p, SettingGateFolders, i18n.T("Folders that you watch from now on"),
		i18n.T("The choice for new watched folders. You can change it for each one under Folders."),
		func(s *config.Settings) *submission.Gate { return &s.Gates.Folders }).root,
		container.New(&kit.Flow{}, kit.NewButton(kit.Plain, i18n.T("Show the watched folders"), look.IconFolders, p.settings.ShowFolders)))
	copies, rules := CopyChoices()
	p.card(optionRow(p, SettingCopies, i18n.T("Files that the service does not take"),
		i18n.T("On this computer, Assay makes a copy that the service takes: a JPEG from a HEIC, an MP4 from an MKV."), copies, rules,
		func(s *config.Settings) *string {
			s.Copies = cmp.Or(s.Copies, string(submission.CopiesAsk))
			return &s.Copies
		}).root)
	p.card(choiceRow(p, SettingUploads, i18n.T("Files uploaded at a time"),
		i18n.T("More is faster for many small files on a good connection. On a slow or unstable one, 1 is best."),
		UploadChoices(), i18n.Count, func(s *config.Settings) *int { return &s.Uploads }).root)
}
