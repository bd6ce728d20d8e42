package screen

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/config"
	"assay/client/i18n/i18ntest"
	"assay/client/keys"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// settingsScenes are the first run and the settings in what they can come to.
func settingsScenes() map[string]func(d *setupDesk) {
	scenes := map[string]func(d *setupDesk){
		"first": func(d *setupDesk) { d.newFirstRun(nil).Focus() },
		"first-refused": func(d *setupDesk) {
			d.tested(&client.Error{Kind: client.KindKey, Message: "The key was not accepted."})
		},
		"first-offline":   func(d *setupDesk) { d.tested(offline()) },
		"first-connected": func(d *setupDesk) { d.tested(nil) },
		"first-proxy": func(d *setupDesk) {
			d.tested(&client.Error{Kind: client.KindNetwork, Fault: client.FaultProxyLogin, Message: "The proxy wants a name and a password."})
		},
		"first-checking": func(d *setupDesk) {
			f := d.newFirstRun(func(p *FirstRunParams) { p.Draft = present.ServiceDraft{Address: "api.example.org", Key: "k"} })
			d.hold = make(chan struct{})
			f.form.do(f.form.setup.Test())
		},
		"first-no-keychain": func(d *setupDesk) {
			f := d.newFirstRun(func(p *FirstRunParams) { p.Draft = present.ServiceDraft{Address: "api.example.org", Key: "k"} })
			d.failing["keep"] = &keys.Problem{Cause: keys.Absent}
			f.form.do(f.form.setup.Continue())
			d.pump("it is asked", func() bool { return f.Setup().Asks() })
		},
		"first-fixed": func(d *setupDesk) {
			f := d.newFirstRun(func(p *FirstRunParams) {
				p.Draft.Address, p.Fixed, p.NoSandbox = "https://desk.example.org", "Set by your organisation's IT. It can't be changed here.", "Your organisation's IT has switched the sandbox off."
			})
			f.Say("3 files were handed over. They are taken once Assay is set up.")
		},
		"service-key": func(d *setupDesk) { d.section(present.SettingsService); d.tap("Replace the key…") },
		"service-other": func(d *setupDesk) {
			d.section(present.SettingsService)
			d.tap("Use another service…")
		},
		"service-tested": func(d *setupDesk) {
			d.section(present.SettingsService)
			d.tap("Test the connection")
			d.pump("it was tested", func() bool { return strings.Contains(d.words(), said("Connected")) })
		},
		"service-sandbox": func(d *setupDesk) {
			d.now, d.settings.Service.Address = present.ServiceNow{Sandbox: true}, "https://api.example.org"
			d.section(present.SettingsService)
		},
		"service-locked": func(d *setupDesk) {
			d.now.Key = present.KeyState{Waiting: true, Problem: &keys.Problem{Cause: keys.Locked}}
			d.origins[present.SettingAddress] = config.Locked
			s := d.section(present.SettingsService)
			s.Say("Assay is open on that service in another window.")
		},
		"gates-locked": func(d *setupDesk) {
			d.origins[present.SettingGateFiles] = config.Locked
			d.settings.Gates.Files = config.GateSensitive
			d.section(present.SettingsGates)
		},
		"desktop-none": func(d *setupDesk) {
			d.reasons = present.DesktopReasons{Tray: "This desktop has no tray.", Autostart: "There is no folder for programs that start with the system.",
				OpenWith: "On macOS, programs can't offer that by themselves.", SendTo: "This file manager has no “Send to” for programs."}
			d.section(present.SettingsDesktop)
			d.pump("the reasons are known", func() bool { return strings.Contains(d.words(), "This desktop has no tray.") })
		},
		"network-refused": func(d *setupDesk) {
			d.settings.Network.Proxy, d.settings.Network.Certificates = "http://mia@proxy.example.org:3128", "/usr/local/share/ca-certificates/the-company-of-newspapers-and-broadcasting/root-2026.pem"
			d.proxyKey.Where = keys.InKeychain
			s := d.section(present.SettingsNetwork)
			page := inSight[*kit.Field](s.root)[0]
			page.SetText("ftp://proxy")
			page.OnSubmitted("")
		},
		"storage": func(d *setupDesk) {
			d.section(present.SettingsStorage)
			d.pump("the sizes are known", func() bool { return !strings.Contains(d.words(), said("Looking…")) })
		},
		"sheet-purge": func(d *setupDesk) {
			d.section(present.SettingsStorage)
			d.pump("the sizes are known", func() bool { b := d.button("Empty the vault…"); return b != nil && !b.Disabled() })
			d.tap("Empty the vault…")
		},
		"sheet-leave": func(d *setupDesk) {
			d.now.UnderWay = 2
			d.section(present.SettingsService)
			d.tap("Use the sandbox")
		},
		"sheet-remove":   func(d *setupDesk) { d.section(present.SettingsService); d.tap("Remove the key…") },
		"sheet-licences": func(d *setupDesk) { d.section(present.SettingsAbout); d.tap("Licences…") },
		"sheet-keys": func(d *setupDesk) {
			s := d.section(present.SettingsAppearance)
			kit.ShowShortcuts(d.sheet, []kit.ShortcutGroup{{Title: said("Window"), Rows: s.Shortcuts()}, {Title: said("Inbox"), Rows: (&Inbox{}).Shortcuts()}, {Title: said("Folders"), Rows: (&Folders{}).Shortcuts()}, {Title: said("Results"), Rows: (&Results{}).Shortcuts()}})
		},
	}
	for i, name := range []string{"service", "gates", "sending", "folders", "appearance", "notifications", "desktop", "network", "storage-at-first", "about"} {
		scenes[name] = func(d *setupDesk) { d.section(present.SettingsSection(i)).Focus() }
	}
	return scenes
}

// tested is the first run after a test that came to this.
func (d *setupDesk) tested(err error) {
	f := d.newFirstRun(nil)
	test.Type(f.form.address, "api.example.org")
	test.Type(f.form.key, "a-key-of-some-length")
	if err != nil {
		d.failing["check"] = err
	}
	d.tap("Test the connection")
	d.pump("it was tested", func() bool { s := f.Setup().Stage; return s == present.SetupRefused || s == present.SetupChecked })
}

// TestSettingsGallery draws the first run and the settings as a person sees them. With ASSAY_GALLERY naming a folder, the pictures
// are kept there, to be looked at.
func TestSettingsGallery(t *testing.T) {
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	keep := os.Getenv("ASSAY_GALLERY")
	for name, scene := range settingsScenes() {
		for _, language := range []string{"en", "xx"} {
			for _, mode := range []look.Mode{look.ModeLight, look.ModeDark, look.ModeHighContrast} {
				for _, size := range []fyne.Size{fyne.NewSize(900, 600), fyne.NewSize(1280, 800)} {
					if keep == "" && (name != "first" && name != "service" || mode != look.ModeDark || size.Width > 900 || language != "en") {
						continue // the others have tests of their own, by fields
					}
					if language == "xx" && (mode != look.ModeLight || size.Width > 900) {
						continue
					}
					name := fmt.Sprintf("settings-%s-%s-%s-%gx%g", name, language, mode, size.Width, size.Height)
					t.Run(name, func(t *testing.T) {
						if language == "xx" {
							i18ntest.Pseudo(t)
						}
						d := newSetupDesk(t, size)
						fyne.CurrentApp().Settings().SetTheme(look.New(mode))
						scene(d)
						rail := kit.NewRail([]kit.RailItem{{Label: "Inbox", Icon: look.IconInbox}, {Label: "Results", Icon: look.IconResults},
							{Label: "Folders", Icon: look.IconFolders}, {Label: "Settings", Icon: look.IconSettings, Bottom: true}}, func(int) {})
						rail.Select(3)
						if !strings.Contains(name, "first") {
							d.window.SetContent(container.NewStack(kit.NewGround(look.ColorBackground), container.NewBorder(nil, nil, rail, nil, d.window.Content())))
						}
						d.window.Resize(size.AddWidthHeight(1, 1))
						d.window.Resize(size)
						picture := d.window.Canvas().Capture()
						if picture.Bounds().Dx() != int(size.Width) {
							t.Errorf("the window is %v", picture.Bounds())
						}
						if keep == "" {
							return
						}
						file, err := os.Create(filepath.Join(keep, name+".png"))
						if err != nil {
							t.Fatal(err)
						}
						if err := png.Encode(file, picture); err != nil {
							t.Fatal(err)
						}
						if err := file.Close(); err != nil {
							t.Fatal(err)
						}
					})
				}
			}
		}
	}
}
