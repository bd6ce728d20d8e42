package settings

import (
	"testing"

	"assay/client/assert"
	"assay/client/config"
	"assay/gui/guitest"
	"assay/gui/kit"
)

var lisbon = config.Signer{Name: "the desk in Lisbon", Key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI49dLQqLwpd5wtUZcjKBRP3hCrOdSZI0jbHXkM9Eu"}

func TestEvidence(t *testing.T) {
	t.Run("shows the fingerprint of the key, and copies it", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.section(SectionEvidence)
		d.UntilWords(d.fingerprint)
		d.Tap("Copy")
		assert.Equal(t, d.fingerprint, d.clipboard)
	})
	t.Run("says that there is no key yet, and makes none", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.noFingerprint = ErrNoSigningKey
		d.section(SectionEvidence)
		d.UntilWords("Assay creates the key with your first bundle.")
		if !d.Button("Copy").Disabled() || !d.Button("Replace the key…").Disabled() || d.Has("rotate") {
			t.Error("there is something to copy or replace")
		}
	})
	t.Run("says why the key can't be read", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.noFingerprint = guitest.Sentence("The keychain is locked.")
		d.section(SectionEvidence)
		d.UntilWords("The keychain is locked.")
	})
	t.Run("replaces the key once the person knows what that means", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.section(SectionEvidence)
		d.UntilWords(d.fingerprint)
		d.Tap("Replace the key…")
		d.WantWords("which nobody knows until you tell them", "known as yours here")
		d.Tap("Replace the key")
		d.UntilWords("SHA256:new")
		d.WantWords("Tell its fingerprint to everyone who knows the old one.")
	})
	t.Run("forgets a signer", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		quito := config.Signer{Name: "Quito", Key: lisbon.Key[:len(lisbon.Key)-1] + "v"}
		d.settings.Signers = []config.Signer{lisbon, quito}
		s := d.section(SectionEvidence)
		d.WantWords("the desk in Lisbon", "SHA256:")
		d.Tap("Remove…")
		d.Tap("Forget the signer")
		d.settled(s)
		assert.Equal(t, []config.Signer{quito}, d.settings.Signers)
		d.WantNoWords("the desk in Lisbon")
	})
	t.Run("lets nobody remove signers that IT has locked", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Signers, d.origins[SettingSigners] = []config.Signer{lisbon}, config.Locked
		d.section(SectionEvidence)
		if !d.Button("Remove…").Disabled() {
			t.Error("it can be removed")
		}
	})
	t.Run("keeps the time stamp authorities", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Stamps = []string{"https://one.example/tsa"}
		s := d.section(SectionEvidence)
		d.WantWords("https://one.example/tsa", "only the bundle's hash goes to these addresses")
		field := guitest.InSight[*kit.Field](s.stack)[1]
		field.SetText(" https://two.example/tsa ")
		field.OnSubmitted("")
		d.settled(s)
		assert.Equal(t, []string{"https://one.example/tsa", "https://two.example/tsa"}, d.settings.Stamps)
	})
}
