package settings

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/guitest"
	"assay/gui/kit"
)

func TestSettingsService(t *testing.T) {
	t.Run("says which service it is, and where its key is", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		d.WantWords("https://api.example.org", "keychain")
		d.Want(t)
	})
	t.Run("the present service can be tested", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		d.Tap("Test the connection")
		d.UntilWords("Connected")
		d.Want(t, "test")
	})
	t.Run("another key is tested before it takes the place of the one there is, and the session stays", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		d.Tap("Replace the key…")
		secret := guitest.InSight[*kit.SecretField](d.Top())[0]
		if secret.Text != "" {
			t.Error("the kept key is shown")
		}
		if d.Canvas().Focused() != secret {
			t.Errorf("the keyboard is at %T", d.Canvas().Focused())
		}
		d.Tap("Save this key")
		d.WantWords("Fill in the key")
		d.Want(t)
		test.Type(secret, "k-new")
		d.Fail("check", &client.Error{Kind: client.KindKey, Message: i18n.Verbatim("The key was not accepted.")})
		d.Tap("Save this key")
		d.UntilWords("Key refused")
		d.Fail("check", nil)
		d.Tap("Save this key")
		d.Until("it was kept", func() bool { return d.Has("keep https://api.example.org k-new") && d.Button("Save this key") == nil })
		d.Want(t, "check https://api.example.org k-new", "check https://api.example.org k-new", "keep https://api.example.org k-new")
		d.Tap("Replace the key…")
		if secret.Text != "" {
			t.Error("what was typed is still there")
		}
	})
	t.Run("the key is removed once the person has agreed", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		d.Tap("Remove the key…")
		d.Want(t)
		d.Tap("Remove the key")
		d.Until("it was removed", func() bool { return d.Has("remove") })
	})
	t.Run("what the keychain says to that is said", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.Fail("remove", &keys.Problem{Cause: keys.Locked})
		d.newSettings(nil)
		d.Tap("Remove the key…")
		d.Tap("Remove the key")
		d.UntilWords("The keychain is locked")
	})
	t.Run("a locked keychain can be asked again, and the key is there once it is", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.now.Key = keys.Status{Waiting: true, Problem: &keys.Problem{Cause: keys.Locked}}
		s := d.newSettings(nil)
		d.WantWords("locked")
		d.Tap("Ask the keychain again")
		d.Until("it was asked", func() bool { return d.Has("reload") })
		d.Lock()
		d.now.Key = keys.Status{Where: keys.InKeychain}
		d.Unlock()
		s.Refresh()
		d.WantNoWords("locked")
		if d.Button("Test the connection").Disabled() {
			t.Error("the key can't be tested")
		}
	})
	t.Run("a key from the environment can't be replaced here", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.now.Key = keys.Status{Where: keys.FromEnvironment}
		d.newSettings(nil)
		d.WantWords("ASSAY_API_KEY")
		if d.Button("Replace the key…") != nil || d.Button("Remove the key…") != nil {
			t.Error("it is offered")
		}
	})

	other := func(d *fixture) {
		d.Tap("Use another service…")
		test.Type(guitest.InSight[*kit.Field](d.Top())[0], "b.example.org")
		test.Type(guitest.InSight[*kit.SecretField](d.Top())[0], "k-b")
		d.Tap("Use this service")
	}
	t.Run("another service is opened after a test", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		other(d)
		d.Until("it is opened", func() bool { return d.Has("open https://b.example.org") })
		d.Want(t, "check https://b.example.org k-b", "keep https://b.example.org k-b", "open https://b.example.org")
	})
	t.Run("not after one that failed", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		d.Fail("check", &client.Error{Kind: client.KindKey, Message: i18n.Verbatim("The key was not accepted.")})
		other(d)
		d.UntilWords("Key refused")
		d.Want(t, "check https://b.example.org k-b")
	})
	t.Run("where something is under way, it is asked once", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.now.UnderWay = 2
		d.newSettings(nil)
		other(d)
		d.Until("it is asked", d.Sheet.Open)
		d.WantWords("2 files and links are under way here.")
		if d.Has("open https://b.example.org") {
			t.Error("it went over without being told")
		}
		d.Tap("Switch")
		if !d.Has("open https://b.example.org") || d.Sheet.Open() {
			t.Errorf("%q", d.Made)
		}
	})
	t.Run("and who declines stays, with what was filled in", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.now.UnderWay = 1
		d.newSettings(nil)
		other(d)
		d.Until("it is asked", d.Sheet.Open)
		d.Tap("Cancel")
		if d.Has("open https://b.example.org") {
			t.Error("it went over")
		}
		if f := guitest.InSight[*kit.Field](d.Top())[0]; f.Text != "b.example.org" || f.Disabled() {
			t.Errorf("%q, disabled %t", f.Text, f.Disabled())
		}
	})
	t.Run("the sandbox is offered, and the way back", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Service.Address = "https://api.example.org"
		s := d.newSettings(nil)
		d.Tap("Use the sandbox")
		d.Tap("Switch")
		d.Want(t, "open sandbox")
		d.Lock()
		d.now = ServiceNow{Sandbox: true}
		d.Unlock()
		d.opening(nil)
		s.Refresh()
		if d.Button("Use the sandbox") != nil || d.Button("Test the connection") != nil {
			t.Error("it is offered in the sandbox")
		}
		d.Tap("Go back to https://api.example.org")
		d.Tap("Switch")
		d.Want(t, "open sandbox", "open https://api.example.org")
	})
	t.Run("what could not be opened is said", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.newSettings(nil)
		d.Tap("Use the sandbox")
		d.Tap("Switch")
		d.opening(guitest.Sentence("The disk is full."))
		d.WantWords("The disk is full.")
		if d.Button("Use the sandbox").Disabled() {
			t.Error("it can't be tried again")
		}
	})
	t.Run("a service that IT has set can't be left", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.origins[SettingAddress] = config.Locked
		d.newSettings(nil)
		d.WantWords("Set by your organisation's IT.")
		if d.Button("Use another service…") != nil || d.Button("Use the sandbox") != nil {
			t.Error("another one is offered")
		}
	})
}
