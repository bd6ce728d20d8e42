package screen

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/config"
	"assay/client/keys"
	"assay/gui/kit"
	"assay/gui/present"
)

func TestSettingsService(t *testing.T) {
	t.Run("says which service it is, and where its key is", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		d.wantWords("https://api.example.org", "keychain")
		d.wantDeeds()
	})
	t.Run("the present service can be tested", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		d.tap("Test the connection")
		d.pump("it was tested", func() bool { return strings.Contains(d.words(), "Connected") })
		d.wantDeeds("test")
	})
	t.Run("another key is tested before it takes the place of the one there is, and the session stays", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		d.tap("Replace the key…")
		secret := inSight[*kit.SecretField](d.top())[0]
		if secret.Text != "" {
			t.Error("the kept key is shown")
		}
		if d.window.Canvas().Focused() != secret {
			t.Errorf("the keyboard is at %T", d.window.Canvas().Focused())
		}
		d.tap("Keep this key")
		d.wantWords("Fill in the key")
		d.wantDeeds()
		test.Type(secret, "k-new")
		d.failing["check"] = &client.Error{Kind: client.KindKey, Message: "The key was not accepted."}
		d.tap("Keep this key")
		d.pump("it was refused", func() bool { return strings.Contains(d.words(), "Key refused") })
		delete(d.failing, "check")
		d.tap("Keep this key")
		d.pump("it was kept", func() bool { return d.did("keep https://api.example.org k-new") && d.button("Keep this key") == nil })
		d.wantDeeds("check https://api.example.org k-new", "check https://api.example.org k-new", "keep https://api.example.org k-new")
		d.tap("Replace the key…")
		if secret.Text != "" {
			t.Error("what was typed is still there")
		}
	})
	t.Run("the key is removed once the person has agreed", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		d.tap("Remove the key…")
		d.wantDeeds()
		d.tap("Remove the key")
		d.pump("it was removed", func() bool { return d.did("remove") })
	})
	t.Run("what the keychain says to that is said", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.failing["remove"] = &keys.Problem{Cause: keys.Locked}
		d.newSettings(nil)
		d.tap("Remove the key…")
		d.tap("Remove the key")
		d.pump("it is said", func() bool { return strings.Contains(d.words(), "The keychain is locked") })
	})
	t.Run("a locked keychain can be asked again, and the key is there once it is", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.now.Key = present.KeyState{Waiting: true, Problem: &keys.Problem{Cause: keys.Locked}}
		s := d.newSettings(nil)
		d.wantWords("locked")
		d.tap("Ask it again")
		d.pump("it was asked", func() bool { return d.did("reload") })
		d.mu.Lock()
		d.now.Key = present.KeyState{Where: keys.InKeychain}
		d.mu.Unlock()
		s.Refresh()
		d.wantNoWords("locked")
		if d.button("Test the connection").Disabled() {
			t.Error("the key can't be tested")
		}
	})
	t.Run("a key from the environment can't be replaced here", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.now.Key = present.KeyState{Where: keys.FromEnvironment}
		d.newSettings(nil)
		d.wantWords("ASSAY_API_KEY")
		if d.button("Replace the key…") != nil || d.button("Remove the key…") != nil {
			t.Error("it is offered")
		}
	})

	other := func(d *setupDesk) {
		d.tap("Use another service…")
		test.Type(inSight[*kit.Field](d.top())[0], "b.example.org")
		test.Type(inSight[*kit.SecretField](d.top())[0], "k-b")
		d.tap("Use this service")
	}
	t.Run("another service is opened after a test", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		other(d)
		d.pump("it is opened", func() bool { return d.did("open https://b.example.org") })
		d.wantDeeds("check https://b.example.org k-b", "keep https://b.example.org k-b", "open https://b.example.org")
	})
	t.Run("not after one that failed", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		d.failing["check"] = &client.Error{Kind: client.KindKey, Message: "The key was not accepted."}
		other(d)
		d.pump("it was refused", func() bool { return strings.Contains(d.words(), "Key refused") })
		d.wantDeeds("check https://b.example.org k-b")
	})
	t.Run("where something is under way, it is asked once", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.now.UnderWay = 2
		d.newSettings(nil)
		other(d)
		d.pump("it is asked", d.sheet.Open)
		d.wantWords("2 submissions are under way here.")
		if d.did("open https://b.example.org") {
			t.Error("it went over without being told")
		}
		d.tap("Go over")
		if !d.did("open https://b.example.org") || d.sheet.Open() {
			t.Errorf("%q", d.deeds)
		}
	})
	t.Run("and who declines stays, with what was filled in", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.now.UnderWay = 1
		d.newSettings(nil)
		other(d)
		d.pump("it is asked", d.sheet.Open)
		d.tap("Cancel")
		if d.did("open https://b.example.org") {
			t.Error("it went over")
		}
		if f := inSight[*kit.Field](d.top())[0]; f.Text != "b.example.org" || f.Disabled() {
			t.Errorf("%q, disabled %t", f.Text, f.Disabled())
		}
	})
	t.Run("the sandbox is offered, and the way back", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.settings.Service.Address = "https://api.example.org"
		s := d.newSettings(nil)
		d.tap("Use the sandbox")
		d.tap("Go over")
		d.wantDeeds("open sandbox")
		d.mu.Lock()
		d.now = present.ServiceNow{Sandbox: true}
		d.mu.Unlock()
		d.opening(nil)
		s.Refresh()
		if d.button("Use the sandbox") != nil || d.button("Test the connection") != nil {
			t.Error("it is offered in the sandbox")
		}
		d.tap("Go back to https://api.example.org")
		d.tap("Go over")
		d.wantDeeds("open sandbox", "open https://api.example.org")
	})
	t.Run("what could not be opened is said", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.newSettings(nil)
		d.tap("Use the sandbox")
		d.tap("Go over")
		d.opening(sentence("The disk is full."))
		d.wantWords("The disk is full.")
		if d.button("Use the sandbox").Disabled() {
			t.Error("it can't be tried again")
		}
	})
	t.Run("a service that IT has set can't be left", func(t *testing.T) {
		d := newSetupDesk(t, usual)
		d.origins[present.SettingAddress] = config.Locked
		d.newSettings(nil)
		d.wantWords("Set by your organisation's IT.")
		if d.button("Use another service…") != nil || d.button("Use the sandbox") != nil {
			t.Error("another one is offered")
		}
	})
}
