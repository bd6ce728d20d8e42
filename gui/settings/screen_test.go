package settings

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

func TestSettings(t *testing.T) {
	t.Run("every section is reached from the keyboard", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.newSettings(nil)
		s.Focus()
		for range SectionNames() {
			if len(guitest.InSight[*kit.Card](s.stack)) == 0 {
				t.Errorf("%q is empty", SectionNames()[s.Section()])
			}
			d.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		}
		if s.Section() != SectionAbout {
			t.Errorf("it ends at section %d", s.Section())
		}
	})
	t.Run("Tab goes from the list through a section's controls, and on", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.newSettings(nil)
		for section := range SectionNames() {
			s.ShowSection(Section(section))
			d.Until("the section was read", func() bool { return len(guitest.InSight[fyne.Focusable](s.stack)) > 0 })
			s.Focus()
			reached := d.Tab(60)
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
		d := setup(t, guitest.Smallest)
		s := d.section(SectionSending)
		all := guitest.InSight[*kit.Options](s.stack)
		d.Canvas().Focus(all[len(all)-1])
		if s.pages[SectionSending].scroll.Offset.Y == 0 {
			t.Error("the last of the gates is below what is seen")
		}
	})
	t.Run("a change applies at once", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.section(SectionAppearance)
		guitest.InSight[*kit.Select](s.stack)[0].Select(2)
		d.settled(s)
		if d.settings.Appearance.Theme != "dark" {
			t.Errorf("%+v", d.settings.Appearance)
		}
	})
	t.Run("changes are made one after another, and none is lost", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.section(SectionSending)
		d.Hold = make(chan struct{})
		control := guitest.InSight[*kit.Select](s.stack)[0]
		for _, i := range []int{3, 4, 5, 6} {
			control.Select(i)
		}
		s.Refresh() // as after each change of another's
		if control.Selected() != 6 {
			t.Errorf("it went back to %d while it is being changed", control.Selected())
		}
		close(d.Hold)
		d.settled(s)
		d.Want(t, "change", "change", "change", "change")
		if d.settings.Uploads != 7 || control.Selected() != 6 {
			t.Errorf("%d at a time, shown at %d", d.settings.Uploads, control.Selected())
		}
	})
	t.Run("a refused change goes back, and says why under it", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.Fail("change", &config.Invalid{Key: SettingUploads, Text: "Not that many."})
		s := d.section(SectionSending)
		guitest.InSight[*kit.Select](s.stack)[0].Select(7)
		d.settled(s)
		if at := guitest.InSight[*kit.Select](s.stack)[0].Selected(); at != 1 {
			t.Errorf("it shows %d", at)
		}
		d.WantWords("Not that many.")
		d.Fail("change", nil)
		guitest.InSight[*kit.Select](s.stack)[0].Select(3)
		d.settled(s)
		d.WantNoWords("Not that many.")
	})
	t.Run("a change from elsewhere is shown", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.section(SectionDesktop)
		d.settings.Notifications.Answers = false
		s.Refresh()
		if d.CheckOf("When files from watched folders were answered").Checked() {
			t.Error("it is not shown")
		}
		d.Want(t)
	})
	t.Run("a value that is not offered is shown all the same", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Storage.VaultMegabytes = 3000
		s := d.section(SectionStorage)
		if control := guitest.InSight[*kit.Select](s.stack)[0]; control.Options()[control.Selected()] != MegabytesWords(3000) {
			t.Errorf("%q", control.Options())
		}
		d.Until("the sizes are known", func() bool { return d.Has("storage") })
		d.Lock()
		defer d.Unlock()
		for _, action := range d.Made {
			if action == "change" {
				t.Error("showing it changed it")
			}
		}
	})
	for origin, words := range map[config.Origin]string{
		config.Locked: "Set by your organisation's IT.", config.ByFlag: "Set when Assay was started.", config.ByEnvironment: "environment",
	} {
		t.Run("what is fixed can't be changed, and says by whom: "+words, func(t *testing.T) {
			d := setup(t, guitest.Smallest)
			d.origins[SettingTheme], d.origins[SettingGateFiles], d.origins[SettingAnswers] = origin, origin, origin
			s := d.section(SectionAppearance)
			if controls := guitest.InSight[*kit.Select](s.stack); !controls[0].Disabled() || controls[1].Disabled() {
				t.Error("the wrong ones can be changed")
			}
			d.WantWords(words)
			s.ShowSection(SectionSending)
			if gates := guitest.InSight[*kit.Options](s.stack); !guitest.Dimmed(gates[0], gates[0].Options()[1]) || guitest.Dimmed(gates[1], gates[1].Options()[1]) {
				t.Error("the wrong gates can be changed")
			}
			d.WantWords(words)
			s.ShowSection(SectionDesktop)
			if tick := d.CheckOf("When files from watched folders were answered"); !tick.Disabled() {
				t.Error("a fixed box can be ticked")
			}
		})
	}
	t.Run("a fixed gate shows the value that IT has set", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.origins[SettingGateFiles], d.settings.Gates.Files = config.Locked, submission.GateNever
		s := d.section(SectionSending)
		if at := guitest.InSight[*kit.Options](s.stack)[0].Selected(); at != 2 {
			t.Errorf("it shows %d", at)
		}
		d.settings.Gates.Files = submission.GateAsk
		s.Refresh()
		if at := guitest.InSight[*kit.Options](s.stack)[0].Selected(); at != 1 {
			t.Errorf("it shows %d", at)
		}
	})
	t.Run("each gate is its own", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.section(SectionSending)
		for i, control := range guitest.InSight[*kit.Options](s.stack)[:3] {
			control.Select([]int{1, 2, 0}[i])
		}
		d.settled(s)
		if want := (config.Gates{Files: submission.GateAsk, Links: submission.GateNever, Folders: submission.GateSend}); d.settings.Gates != want {
			t.Errorf("%+v", d.settings.Gates)
		}
	})
	t.Run("copies are asked about until the person says always", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Copies = ""
		s := d.section(SectionSending)
		control := guitest.InSight[*kit.Options](s.stack)[3]
		if at := control.Selected(); at != 0 {
			t.Errorf("it shows %d", at)
		}
		control.Select(1)
		d.settled(s)
		if d.settings.Copies != "always" {
			t.Errorf("%q", d.settings.Copies)
		}
	})
	t.Run("what this desktop can't do is said", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.reasons.Tray = "This desktop has no tray."
		d.section(SectionDesktop)
		d.UntilWords("This desktop has no tray.")
		if !d.CheckOf("Show Assay in the tray").Disabled() || !d.CheckOf("Closing the window hides it in the tray").Disabled() || d.CheckOf("Start Assay when you log in").Disabled() {
			t.Error("the wrong boxes can be ticked")
		}
	})
	t.Run("closing hides the window only where there is a tray to find it in", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.section(SectionDesktop)
		if !d.CheckOf("Closing the window hides it in the tray").Disabled() {
			t.Error("it would hide for good")
		}
		test.Tap(d.CheckOf("Show Assay in the tray"))
		d.settled(s)
		if d.CheckOf("Closing the window hides it in the tray").Disabled() || !d.settings.Desktop.Tray {
			t.Error("the tray makes no difference")
		}
	})
	t.Run("the watched folders are one click away", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.section(SectionSending)
		d.Tap("Show the watched folders")
		d.Want(t, "folders")
	})
	t.Run("a sentence can be said above all, until it is dismissed", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.newSettings(nil)
		s.Say("It could not be opened.")
		d.WantWords("It could not be opened.")
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		d.WantNoWords("It could not be opened.")
	})
}

func TestSettingsNetwork(t *testing.T) {
	open := func(t *testing.T) (*fixture, *Screen, *kit.Field, *kit.SecretField) {
		d := setup(t, guitest.Smallest)
		d.settings.Network.Proxy = "http://proxy:3128"
		s := d.section(SectionNetwork)
		return d, s, guitest.InSight[*kit.Field](s.stack)[0], guitest.InSight[*kit.SecretField](s.stack)[0]
	}
	t.Run("a proxy applies on Enter", func(t *testing.T) {
		d, s, proxy, _ := open(t)
		proxy.SetText("other:8080")
		d.Want(t)
		proxy.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		d.settled(s)
		if d.settings.Network.Proxy != "http://other:8080" || proxy.Text != "http://other:8080" {
			t.Errorf("%q, shown as %q", d.settings.Network.Proxy, proxy.Text)
		}
	})
	t.Run("and when the field is left", func(t *testing.T) {
		d, s, proxy, secret := open(t)
		d.Canvas().Focus(proxy)
		proxy.SetText("")
		d.Canvas().Focus(secret)
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
		d.Want(t)
		d.WantWords("http://proxy.example.org:3128")
	})
	t.Run("a password typed within the address goes to the keychain, and never into the settings", func(t *testing.T) {
		d, s, proxy, _ := open(t)
		proxy.SetText("http://mia:s3cret@other:8080")
		proxy.OnSubmitted("")
		d.settled(s)
		d.Until("the password was kept", func() bool { return d.Has("password http://mia@other:8080 s3cret") })
		if strings.Contains(d.settings.Network.Proxy+proxy.Text, "s3cret") {
			t.Errorf("%q, shown as %q", d.settings.Network.Proxy, proxy.Text)
		}
	})
	t.Run("a password is kept, and not shown any more", func(t *testing.T) {
		d, _, _, secret := open(t)
		test.Type(secret, "s3cret")
		d.Tap("Save this password")
		d.Until("it was kept", func() bool { return d.Has("password http://proxy:3128 s3cret") && secret.Text == "" })
	})
	t.Run("a kept one can be removed", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Network.Proxy, d.proxyKey.Where = "http://proxy:3128", keys.InKeychain
		d.section(SectionNetwork)
		d.Tap("Remove the password")
		d.Until("it was removed", func() bool { return d.Has("password http://proxy:3128 ") })
	})
	t.Run("a certificate file that can't be used is said beside it", func(t *testing.T) {
		d, s, _, _ := open(t)
		d.Fail("change", guitest.Sentence("There is no certificate in that file."))
		d.Tap("Choose a file…")
		d.dialog("/certificates/x.pem")
		d.settled(s)
		d.WantWords("There is no certificate in that file.")
		if d.settings.Network.Certificates != "" || strings.Contains(d.Words(), "/certificates/x.pem") {
			t.Error("it is shown as if it held")
		}
	})
	t.Run("the connection can be tested from there", func(t *testing.T) {
		d, _, _, _ := open(t)
		d.Fail("test", &client.Error{Kind: client.KindNetwork, Fault: client.FaultProxy, Message: i18n.Verbatim("The proxy can't be reached.")})
		d.Tap("Test the connection")
		d.UntilWords("The proxy blocks the way")
	})
}

func TestSettingsStorage(t *testing.T) {
	open := func(t *testing.T) *fixture {
		d := setup(t, guitest.Smallest)
		d.section(SectionStorage)
		d.Until("the sizes are known", func() bool { b := d.Button("Empty the vault…"); return b != nil && !b.Disabled() })
		return d
	}
	t.Run("says what there is, and where", func(t *testing.T) {
		d := open(t)
		d.WantWords("812 MB", "37 MB", "120 GB", "/home/desk/.config/Assay")
		d.Tap("Show in files")
		if !d.Has("show /home/desk/.config/Assay") {
			t.Errorf("%q", d.Made)
		}
	})
	t.Run("emptying the vault asks first, and can be declined", func(t *testing.T) {
		d := open(t)
		d.Tap("Empty the vault…")
		d.WantWords("You can't undo it.")
		d.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) // the keyboard begins at Cancel
		if d.Sheet.Open() || d.Has("purge") {
			t.Error("Enter emptied it")
		}
	})
	t.Run("agreed, it is emptied, and said", func(t *testing.T) {
		d := open(t)
		d.Tap("Empty the vault…")
		d.Tap("Empty the vault")
		d.UntilWords("That freed 812 MB")
	})
	t.Run("what went wrong is said", func(t *testing.T) {
		d := open(t)
		d.Fail("purge", guitest.Sentence("The disk does not answer."))
		d.Tap("Empty the vault…")
		d.Tap("Empty the vault")
		d.UntilWords("The disk does not answer.")
	})
}

func TestSettingsAbout(t *testing.T) {
	d := setup(t, guitest.Smallest)
	d.section(SectionAbout)
	d.WantWords("0.7.0 (3f2a1c9)", "Assay quit unexpectedly on 20 Nov 2026")
	d.Tap("Copy diagnostics")
	d.Until("they were copied", func() bool { return d.clipboard == "diagnostics" })
	d.Tap("Copy the report")
	d.Until("it was copied", func() bool { return d.clipboard == "crash" })
	d.Tap("Licences…")
	d.WantWords("Inter (font)")
}

// TestSettingsHaveRoomWhereTheTextIsLarge has the widths that are left beside the rail in a window of 900 at 150 and 200 %.
func TestSettingsHaveRoomWhereTheTextIsLarge(t *testing.T) {
	t.Run("150 %", func(t *testing.T) { settingsFit(t, 548) })
	t.Run("200 %", func(t *testing.T) { settingsFit(t, 402) })
}

func TestSettingsHaveAMenuInANarrowWindow(t *testing.T) {
	d := setup(t, fyne.NewSize(402, 300))
	s := d.newSettings(nil)
	menu := guitest.InSight[*kit.Select](s.Object())[0]
	assert.Equal(t, SectionNames(), menu.Options())
	menu.Select(int(SectionAbout))
	d.WantWords("Copy diagnostics")
	s.ShowSection(SectionNetwork)
	assert.Equal(t, int(SectionNetwork), menu.Selected())
	if len(guitest.InSight[*kit.SideList](s.Object())) > 0 {
		t.Error("the list is there as well")
	}
}

func settingsFit(t *testing.T, width float32) {
	t.Helper()
	for _, language := range i18n.All() {
		assert.NoError(t, i18n.Use(language.Code, ""))
		t.Cleanup(func() { assert.NoError(t, i18n.Use("", "")) })
		d := setup(t, fyne.NewSize(width, 400))
		s := d.newSettings(nil)
		for i := range SectionNames() {
			s.list.Select(i)
			if least := s.Object().MinSize().Width; least > width {
				t.Errorf("%s: %s is %g wide at least, not %g", language.Code, SectionNames()[i], least, width)
			}
			for _, b := range guitest.InSight[*kit.Button](s.Object()) {
				if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b); at.X+b.Size().Width > width {
					t.Errorf("%s: %s ends at %g", language.Code, b.AccessibilityLabel(), at.X+b.Size().Width)
				}
			}
		}
	}
}
