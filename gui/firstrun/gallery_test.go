package firstrun

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/keys"
	"assay/gui/guitest"
	"assay/gui/look"
)

// scenes are what the first run can come to.
func scenes() []guitest.Scene[*fixture] {
	filled := func(p *Params) { p.Draft = ServiceDraft{Address: "api.example.org", Key: "k"} }
	return []guitest.Scene[*fixture]{
		{Name: "empty", Set: func(d *fixture) { d.start(nil).Focus() }},
		{Name: "refused", Set: func(d *fixture) {
			d.tested(&client.Error{Kind: client.KindKey, Message: i18n.Verbatim("The key was not accepted.")})
		}},
		{Name: "offline", Set: func(d *fixture) { d.tested(offline()) }},
		{Name: "connected", Set: func(d *fixture) { d.tested(nil) }},
		{Name: "proxy", Set: func(d *fixture) {
			d.tested(&client.Error{Kind: client.KindNetwork, Fault: client.FaultProxyLogin, Message: i18n.Verbatim("The proxy asks for a name and a password.")})
		}},
		{Name: "checking", Set: func(d *fixture) {
			f := d.start(filled)
			d.Hold = make(chan struct{})
			f.form.Do(f.form.Setup.Test())
		}},
		{Name: "no-keychain", Set: func(d *fixture) {
			f := d.start(filled)
			d.Fail("keep", &keys.Problem{Cause: keys.Absent})
			f.form.Do(f.form.Setup.Continue())
			d.Until("it is asked", func() bool { return f.form.Setup.Asks() })
		}},
		{Name: "fixed", Set: func(d *fixture) {
			f := d.start(func(p *Params) {
				p.Draft.Address, p.Fixed, p.NoSandbox = "https://desk.example.org", "Set by your organisation's IT. It can't be changed here.", "Your organisation's IT has switched the sandbox off."
			})
			f.Say("3 files were handed over. They are taken once Assay is set up.")
		}},
	}
}

// tested is the first run after a test that came to this.
func (d *fixture) tested(err error) {
	f := d.start(nil)
	test.Type(f.form.Address, "api.example.org")
	test.Type(f.form.Key, "a-key-of-some-length")
	d.Fail("check", err)
	d.Tap("Test the connection")
	d.Until("it was tested", func() bool { s := f.form.Setup.Stage; return s == SetupRefused || s == SetupChecked })
}

func TestFirstRunGallery(t *testing.T) {
	guitest.Gallery(t, "first-run", 1, []look.Mode{look.ModeDark, look.ModeLight, look.ModeHighContrast}, []float32{1}, scenes(),
		func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, _ float32) *guitest.Frame {
			i18ntest.FromEnvironment(t)
			d := setup(t, size)
			d.SetMode(mode)
			set(d)
			return d.Frame
		})
}

// TestFirstRunIsTranslated shows it in the pseudo language, in which a word that was forgotten stands out.
func TestFirstRunIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	for _, scene := range scenes() {
		if scene.Name == "fixed" { // most of what it shows is the fixture's
			continue
		}
		t.Run(scene.Name, func(t *testing.T) {
			d := setup(t, guitest.Smallest)
			scene.Set(d)
			guitest.CheckTranslated(t, d.Top(), "https://api.example.org", "api.example.org", "http://proxy.example.org:3128", "http://name@proxy.example.org:3128",
				"Português", "English", "Español", "Français", "Deutsch", "The key was not accepted.", "This computer has no network.", "The proxy asks for a name and a password.", "a-key-of-some-length")
		})
	}
}
