package screen

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/config"
	"assay/client/keys"
	"assay/gui/kit"
	"assay/gui/present"
)

func TestSettings(t *testing.T) {
	t.Run("every section is reached from the keyboard", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.newSettings(nil)
		s.Focus()
		for range present.SettingsSections() {
			if len(inSight[*kit.Card](s.stack)) == 0 {
				t.Errorf("%q is empty", present.SettingsSections()[s.Section()])
			}
			d.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		}
		if s.Section() != present.SettingsAbout {
			t.Errorf("it ends at section %d", s.Section())
		}
	})
	t.Run("Tab goes from the list through a section's controls, and on", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.newSettings(nil)
		for section := range present.SettingsSections() {
			s.ShowSection(present.SettingsSection(section))
			s.Focus()
			reached := d.tab(60)
			if len(reached) < 2 {
				t.Errorf("section %d: %d controls are reached", section, len(reached))
			}
			for _, o := range reached {
				if disabled, ok := o.(fyne.Disableable); ok && disabled.Disabled() {
					t.Errorf("section %d: a disabled %T is reached", section, o)
				}
			}
		}
	})
	t.Run("what the keyboard reaches comes into sight", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.section(present.SettingsGates)
		all := inSight[*kit.Options](s.stack)
		d.window.Canvas().Focus(all[len(all)-1])
		if s.pages[present.SettingsGates].scroll.Offset.Y == 0 {
			t.Error("the last of the gates is below what is seen")
		}
	})
	t.Run("a change applies at once", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.section(present.SettingsAppearance)
		inSight[*kit.Select](s.stack)[0].Select(2)
		d.settled(s)
		if d.settings.Appearance.Theme != "dark" {
			t.Errorf("%+v", d.settings.Appearance)
		}
	})
	t.Run("changes are made one after another, and none is lost", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.section(present.SettingsSending)
		d.hold = make(chan struct{})
		control := inSight[*kit.Select](s.stack)[0]
		for _, i := range []int{3, 4, 5, 6} {
			control.Select(i)
		}
		s.Refresh() // as after each change of another's
		if control.Selected() != 6 {
			t.Errorf("it went back to %d while it is being changed", control.Selected())
		}
		close(d.hold)
		d.settled(s)
		d.wantDeeds("change", "change", "change", "change")
		if d.settings.Uploads != 7 || control.Selected() != 6 {
			t.Errorf("%d at a time, shown at %d", d.settings.Uploads, control.Selected())
		}
	})
	t.Run("a refused change goes back, and says why under it", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.failing["change"] = &config.Invalid{Key: present.SettingUploads, Text: "Not that many."}
		s := d.section(present.SettingsSending)
		inSight[*kit.Select](s.stack)[0].Select(7)
		d.settled(s)
		if at := inSight[*kit.Select](s.stack)[0].Selected(); at != 1 {
			t.Errorf("it shows %d", at)
		}
		d.wantWords("Not that many.")
		delete(d.failing, "change")
		inSight[*kit.Select](s.stack)[0].Select(3)
		d.settled(s)
		d.wantNoWords("Not that many.")
	})
	t.Run("a change from elsewhere is shown", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.section(present.SettingsNotifications)
		d.settings.Notifications.Answers = false
		s.Refresh()
		if d.tick("When files from watched folders were answered").Ticked() {
			t.Error("it is not shown")
		}
		d.wantDeeds()
	})
	t.Run("a value that is not offered is shown all the same", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.settings.Storage.VaultMegabytes = 3000
		s := d.section(present.SettingsStorage)
		if control := inSight[*kit.Select](s.stack)[0]; control.Options()[control.Selected()] != present.MegabytesWords(3000) {
			t.Errorf("%q", control.Options())
		}
		d.pump("the sizes are known", func() bool { return d.did("storage") })
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, deed := range d.deeds {
			if deed == "change" {
				t.Error("showing it changed it")
			}
		}
	})
	for origin, words := range map[present.SettingOrigin]string{
		config.Locked: "Set by your organisation's IT.", config.ByFlag: "Given when Assay was started.", config.ByEnvironment: "environment",
	} {
		t.Run("what is fixed can't be changed, and says by whom: "+words, func(t *testing.T) {
			d := newSetupDesk(t, usual)
			d.origins[present.SettingTheme], d.origins[present.SettingGateFiles], d.origins[present.SettingAnswers] = origin, origin, origin
			s := d.section(present.SettingsAppearance)
			if controls := inSight[*kit.Select](s.stack); !controls[0].Disabled() || controls[1].Disabled() {
				t.Error("the wrong ones can be changed")
			}
			d.wantWords(words)
			s.ShowSection(present.SettingsGates)
			if gates := inSight[*kit.Options](s.stack); !gates[0].OptionDisabled(1) || gates[1].OptionDisabled(1) {
				t.Error("the wrong gates can be changed")
			}
			d.wantWords(words)
			s.ShowSection(present.SettingsNotifications)
			if tick := d.tick("When files from watched folders were answered"); !tick.Disabled() {
				t.Error("a fixed box can be ticked")
			}
		})
	}
	t.Run("a fixed gate shows the value that IT has set", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.origins[present.SettingGateFiles], d.settings.Gates.Files = config.Locked, config.GateNever
		s := d.section(present.SettingsGates)
		if at := inSight[*kit.Options](s.stack)[0].Selected(); at != 2 {
			t.Errorf("it shows %d", at)
		}
		d.settings.Gates.Files = config.GateSensitive
		s.Refresh()
		if at := inSight[*kit.Options](s.stack)[0].Selected(); at != 1 {
			t.Errorf("it shows %d", at)
		}
	})
	t.Run("each gate is its own", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.section(present.SettingsGates)
		for i, control := range inSight[*kit.Options](s.stack) {
			control.Select([]int{1, 2, 0}[i])
		}
		d.settled(s)
		if want := (config.Gates{Files: config.GateSensitive, Links: config.GateNever, Folders: config.GatePublic}); d.settings.Gates != want {
			t.Errorf("%+v", d.settings.Gates)
		}
	})
	t.Run("what this desktop can't do is said", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.reasons.Tray = "This desktop has no tray."
		d.section(present.SettingsDesktop)
		d.pump("the reason is known", func() bool { return strings.Contains(d.words(), "This desktop has no tray.") })
		if !d.tick("Show Assay in the tray").Disabled() || !d.tick("Closing the window hides it in the tray").Disabled() || d.tick("Start Assay when you log in").Disabled() {
			t.Error("the wrong boxes can be ticked")
		}
	})
	t.Run("closing hides the window only where there is a tray to find it in", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.section(present.SettingsDesktop)
		if !d.tick("Closing the window hides it in the tray").Disabled() {
			t.Error("it would hide for good")
		}
		test.Tap(d.tick("Show Assay in the tray"))
		d.settled(s)
		if d.tick("Closing the window hides it in the tray").Disabled() || !d.settings.Desktop.Tray {
			t.Error("the tray makes no difference")
		}
	})
	t.Run("the watched folders are one click away", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.section(present.SettingsFolders)
		d.tap("Show the watched folders")
		d.wantDeeds("folders")
	})
	t.Run("a sentence can be said above all, until it is dismissed", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		s := d.newSettings(nil)
		s.Say("It could not be opened.")
		d.wantWords("It could not be opened.")
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		d.wantNoWords("It could not be opened.")
	})
}

func TestSettingsNetwork(t *testing.T) {
	open := func(t *testing.T) (*setupDesk, *Settings, *kit.Field, *kit.SecretField) {
		d := newSetupDesk(t, usual)
		d.settings.Network.Proxy = "http://proxy:3128"
		s := d.section(present.SettingsNetwork)
		return d, s, inSight[*kit.Field](s.stack)[0], inSight[*kit.SecretField](s.stack)[0]
	}
	t.Run("a proxy applies on Enter", func(t *testing.T) {
		d, s, proxy, _ := open(t)
		proxy.SetText("other:8080")
		d.wantDeeds()
		proxy.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		d.settled(s)
		if d.settings.Network.Proxy != "http://other:8080" || proxy.Text != "http://other:8080" {
			t.Errorf("%q, shown as %q", d.settings.Network.Proxy, proxy.Text)
		}
	})
	t.Run("and when the field is left", func(t *testing.T) {
		d, s, proxy, secret := open(t)
		d.window.Canvas().Focus(proxy)
		proxy.SetText("")
		d.window.Canvas().Focus(secret)
		d.settled(s)
		if d.settings.Network.Proxy != "" {
			t.Errorf("%q", d.settings.Network.Proxy)
		}
	})
	t.Run("what can be no proxy is said, stays to be put right, and changes nothing", func(t *testing.T) {
		d, s, proxy, _ := open(t)
		proxy.SetText("ftp://x")
		proxy.OnSubmitted("")
		s.Refresh()
		if proxy.Text != "ftp://x" || d.settings.Network.Proxy != "http://proxy:3128" {
			t.Errorf("%q, %q", proxy.Text, d.settings.Network.Proxy)
		}
		d.wantDeeds()
		d.wantWords("http://proxy.example.org:3128")
	})
	t.Run("a password typed within the address goes to the keychain, and never into the settings", func(t *testing.T) {
		d, s, proxy, _ := open(t)
		proxy.SetText("http://mia:s3cret@other:8080")
		proxy.OnSubmitted("")
		d.settled(s)
		d.pump("the password was kept", func() bool { return d.did("password http://mia@other:8080 s3cret") })
		if strings.Contains(d.settings.Network.Proxy+proxy.Text, "s3cret") {
			t.Errorf("%q, shown as %q", d.settings.Network.Proxy, proxy.Text)
		}
	})
	t.Run("a password is kept, and not shown any more", func(t *testing.T) {
		d, _, _, secret := open(t)
		test.Type(secret, "s3cret")
		d.tap("Keep this password")
		d.pump("it was kept", func() bool { return d.did("password http://proxy:3128 s3cret") && secret.Text == "" })
	})
	t.Run("a kept one can be removed", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.settings.Network.Proxy, d.proxyKey.Where = "http://proxy:3128", keys.InKeychain
		d.section(present.SettingsNetwork)
		d.tap("Remove the password")
		d.pump("it was removed", func() bool { return d.did("password http://proxy:3128 ") })
	})
	t.Run("a certificate file that can't be used is said beside it", func(t *testing.T) {
		d, s, _, _ := open(t)
		d.failing["change"] = sentence("There is no certificate in that file.")
		d.tap("Choose a file…")
		d.dialog("/tmp/x.pem")
		d.settled(s)
		d.wantWords("There is no certificate in that file.")
		if d.settings.Network.Certificates != "" || strings.Contains(d.words(), "/tmp/x.pem") {
			t.Error("it is shown as if it held")
		}
	})
	t.Run("the connection can be tested from there", func(t *testing.T) {
		d, _, _, _ := open(t)
		d.failing["test"] = &client.Error{Kind: client.KindNetwork, Fault: client.FaultProxy, Message: "The proxy can't be reached."}
		d.tap("Test the connection")
		d.pump("it was tested", func() bool { return strings.Contains(d.words(), "The proxy is in the way") })
	})
}

func TestSettingsStorage(t *testing.T) {
	open := func(t *testing.T) *setupDesk {
		d := newSetupDesk(t, usual)
		d.section(present.SettingsStorage)
		d.pump("the sizes are known", func() bool { b := d.button("Empty the vault…"); return b != nil && !b.Disabled() })
		return d
	}
	t.Run("says what there is, and where", func(t *testing.T) {
		d := open(t)
		d.wantWords("812 MB", "37 MB", "120 GB", "/home/desk/.config/Assay")
		d.tap("Show in files")
		if !d.did("show /home/desk/.config/Assay") {
			t.Errorf("%q", d.deeds)
		}
	})
	t.Run("emptying the vault asks first, and can be declined", func(t *testing.T) {
		d := open(t)
		d.tap("Empty the vault…")
		d.wantWords("This can't be undone.")
		d.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) // the keyboard begins at Cancel
		if d.sheet.Open() || d.did("purge") {
			t.Error("Enter emptied it")
		}
	})
	t.Run("agreed, it is emptied, and said", func(t *testing.T) {
		d := open(t)
		d.tap("Empty the vault…")
		d.tap("Empty the vault")
		d.pump("it was emptied", func() bool { return strings.Contains(d.words(), "812 MB were freed") })
	})
	t.Run("what went wrong is said", func(t *testing.T) {
		d := open(t)
		d.failing["purge"] = sentence("The disk does not answer.")
		d.tap("Empty the vault…")
		d.tap("Empty the vault")
		d.pump("it is said", func() bool { return strings.Contains(d.words(), "The disk does not answer.") })
	})
}

func TestSettingsAbout(t *testing.T) {
	d := newSetupDesk(t, usual)
	d.section(present.SettingsAbout)
	d.wantWords("0.7.0 (3f2a1c9)", "Assay ended unexpectedly on 20 Nov 2026")
	d.tap("Copy diagnostics")
	d.pump("they were copied", func() bool { return d.clipboard == "diagnostics" })
	d.tap("Copy the report")
	d.pump("it was copied", func() bool { return d.clipboard == "crash" })
	d.tap("Licences…")
	d.wantWords("Inter (font)")
}
