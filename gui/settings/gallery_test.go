package settings

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/client/i18n/i18ntest"
	"assay/client/keys"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/folders"
	"assay/gui/guitest"
	"assay/gui/inbox"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/results"
	"assay/gui/screens"
)

// scenes are what the settings can come to, the pages as they open first.
func scenes() []guitest.Scene[*fixture] {
	scenes := []guitest.Scene[*fixture]{
		{Name: "service-key", Set: func(d *fixture) { d.section(SectionService); d.Tap("Replace the key…") }},
		{Name: "service-other", Set: func(d *fixture) {
			d.section(SectionService)
			d.Tap("Use another service…")
		}},
		{Name: "service-tested", Set: func(d *fixture) {
			d.section(SectionService)
			d.Tap("Test the connection")
			d.Until("it was tested", func() bool { return strings.Contains(d.Words(), guitest.Translated("Connected")) })
		}},
		{Name: "service-sandbox", Set: func(d *fixture) {
			d.now, d.settings.Service.Address = ServiceNow{Sandbox: true}, "https://api.example.org"
			d.section(SectionService)
		}},
		{Name: "service-locked", Set: func(d *fixture) {
			d.now.Key = keys.Status{Waiting: true, Problem: &keys.Problem{Cause: keys.Locked}}
			d.origins[SettingAddress] = config.Locked
			s := d.section(SectionService)
			s.Say("Assay is open on that service in another window.")
		}},
		{Name: "gates-locked", Set: func(d *fixture) {
			d.origins[SettingGateFiles] = config.Locked
			d.settings.Gates.Files = submission.GateAsk
			d.section(SectionSending)
		}},
		{Name: "desktop-none", Set: func(d *fixture) {
			d.reasons = DesktopReasons{Tray: "This desktop has no tray.", Autostart: "There is no folder for programs that start with the system.",
				OpenWith: "On macOS, programs can't offer that by themselves.", SendTo: "This file manager has no “Send to” for programs."}
			d.section(SectionDesktop)
			d.Until("the reasons are known", func() bool { return strings.Contains(d.Words(), "This desktop has no tray.") })
		}},
		{Name: "network-refused", Set: func(d *fixture) {
			d.settings.Network.Proxy, d.settings.Network.Certificates = "http://mia@proxy.example.org:3128", "/usr/local/share/ca-certificates/the-company-of-newspapers-and-broadcasting/root-2026.pem"
			d.proxyKey.Where = keys.InKeychain
			s := d.section(SectionNetwork)
			page := guitest.InSight[*kit.Field](s.root)[0]
			page.SetText("ftp://proxy")
			page.OnSubmitted("")
		}},
		{Name: "storage", Set: func(d *fixture) {
			d.section(SectionStorage)
			d.Until("the sizes are known", func() bool { return !strings.Contains(d.Words(), guitest.Translated("Counting…")) })
		}},
		{Name: "sheet-purge", Set: func(d *fixture) {
			d.section(SectionStorage)
			d.Until("the sizes are known", func() bool { b := d.Button("Empty the vault…"); return b != nil && !b.Disabled() })
			d.Tap("Empty the vault…")
		}},
		{Name: "sheet-leave", Set: func(d *fixture) {
			d.now.UnderWay = 2
			d.section(SectionService)
			d.Tap("Use the sandbox")
		}},
		{Name: "sheet-remove", Set: func(d *fixture) { d.section(SectionService); d.Tap("Remove the key…") }},
		{Name: "evidence-signers", Set: func(d *fixture) {
			d.settings.Signers = []config.Signer{lisbon}
			d.section(SectionEvidence)
			d.UntilWords(d.fingerprint)
		}},
		{Name: "sheet-licences", Set: func(d *fixture) { d.section(SectionAbout); d.Tap("Licences…") }},
		{Name: "about-updates", Set: func(d *fixture) {
			d.newer = Newer{Version: "0.2.0"}
			d.withUpdates()
			d.Tap("Check now")
			d.Until("it was asked", func() bool { return strings.Contains(d.Words(), "0.2.0") })
		}},
		{Name: "about-updates-locked", Set: func(d *fixture) {
			d.origins[SettingUpdates], d.now.Sandbox = config.Locked, true
			d.withUpdates()
		}},
		{Name: "desk-join", Set: func(d *fixture) {
			openDesk(d)
			d.Tap("Certificates…")
			d.Tap("Join the desk")
		}},
		{Name: "desk-joined", Set: func(d *fixture) { d.desk = joinedDesk(); openDesk(d) }},
		{Name: "desk-unreachable", Set: func(d *fixture) {
			d.desk = joinedDesk()
			d.desk.Address = "postgres://ines.duarte-de-albuquerque@postgres-primary.newsroom-infrastructure.media-group.example:5433/assay_verification_desk"
			d.desk.Connected, d.desk.Problem, d.desk.Next = false, unreachable(), d.desk.Since.Add(time.Minute)
			d.desk.Counts = store.DeskCounts{Pending: 3, Refused: 1, Altered: 2}
			openDesk(d)
		}},
		{Name: "sheet-desk", Set: func(d *fixture) {
			d.desk = joinedDesk()
			openDesk(d)
			d.Tap("Leave the desk…")
		}},
		{Name: "sheet-keys", Set: func(d *fixture) {
			s := d.section(SectionAppearance)
			kit.ShowShortcuts(d.Sheet, []kit.ShortcutGroup{{Title: guitest.Translated("Window"), Rows: s.Shortcuts()}, {Title: guitest.Translated("Inbox"), Rows: (&inbox.Screen{}).Shortcuts()}, {Title: guitest.Translated("Folders"), Rows: (&folders.Screen{}).Shortcuts()}, {Title: guitest.Translated("Results"), Rows: (&results.Screen{}).Shortcuts()}})
		}},
	}
	pages := []string{"service", "gates", "sending", "folders", "appearance", "notifications", "desktop", "network", "storage-at-first", "about"}
	for i, name := range slices.Backward(pages) {
		scenes = slices.Insert(scenes, 0, guitest.Scene[*fixture]{Name: name, Set: func(d *fixture) { d.section(Section(i)).Focus() }})
	}
	return scenes
}

func TestSettingsGallery(t *testing.T) {
	guitest.Gallery(t, "settings", 1, []look.Mode{look.ModeDark, look.ModeLight, look.ModeHighContrast}, []float32{1}, scenes(),
		func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, _ float32) *guitest.Frame {
			i18ntest.FromEnvironment(t)
			d := setup(t, size)
			d.SetMode(mode)
			set(d)
			content, _ := guitest.WithRail(d.Content(), screens.Settings)
			d.SetContent(content)
			return d.Frame
		})
}

// TestSettingsAreTranslated shows them in the pseudo language, in which a word that was forgotten stands out.
func TestSettingsAreTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	data := []string{"https://api.example.org", "https://timestamp.example.org", "SHA256:uNiVztksCsDhcc0u9e8BrjJXVCBt3H2Sr1aTgzhVCJo", "SHA256:HGMUJFAWbQndXFEhdK5at14mktKwgs29vOJ8e6Yq+6E", "the desk in Lisbon", "api.example.org", "http://proxy.example.org:3128", "http://name@proxy.example.org:3128",
		"/home/desk/.config/Assay/services/api.example.org-5f2c8e11/log", "/home/desk/.config/Assay/services/api.example.org-5f2c8e11", "/home/desk/.config/Assay",
		"Settings, and everything below", "Submissions, results and the custody log", "The log", "Português", "English", "Español", "Français", "Deutsch", "0.7.0 (3f2a1c9)", "updates.example.org", "0.1.0", "0.2.0",
		"postgres://desk.example/assay", "/etc/ca.pem", "ACCESS:SECRET", "Inês Duarte (ines)", "Rui (rui)", "otto", "ines"}
	for _, scene := range scenes() {
		switch scene.Name {
		case "desktop-none", "service-locked", "network-refused", "sheet-licences", "desk-unreachable": // most of what they show is the fixture's
			continue
		}
		t.Run(scene.Name, func(t *testing.T) {
			d := setup(t, guitest.Smallest)
			scene.Set(d)
			guitest.CheckTranslated(t, d.Top(), data...)
		})
	}
}
