package firstrun

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

func TestFirstRun(t *testing.T) {
	fill := func(f *Screen) {
		test.Type(f.form.Address, "api.example.org")
		test.Type(f.form.Key, "k-123")
	}
	t.Run("nothing is asked of anybody while it is filled in", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		f.form.Address.OnSubmitted("")
		f.form.Key.OnSubmitted("")
		d.Canvas().Unfocus()
		f.Close()
		d.Want(t)
		d.WantWords("Nothing is sent before")
	})
	t.Run("the key is masked, and pasting trims it", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		clipboard := test.NewClipboard()
		clipboard.SetContent("  k-123\n")
		f.form.Key.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
		if f.form.Key.Text != "k-123" || strings.Contains(strings.Join(guitest.Seen(f.form.Key), ""), "k-123") {
			t.Errorf("%q, of which %q is seen", f.form.Key.Text, guitest.Seen(f.form.Key))
		}
	})
	t.Run("a test is said beside the form, and goes no further", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Hold = make(chan struct{})
		d.Tap("Test the connection")
		d.WantWords("Testing the connection…")
		close(d.Hold)
		d.UntilWords("Connected")
		d.WantWords("The service answered and accepted the key.")
		d.Want(t, "check https://api.example.org k-123")
	})
	t.Run("a test can be stopped by its button or by Escape", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Hold = make(chan struct{})
		d.Tap("Test the connection")
		d.Tap("Stop")
		d.WantNoWords("Testing the connection…")
		d.Tap("Test the connection")
		d.WantWords("Testing the connection…")
		f.form.Address.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		d.WantNoWords("Testing the connection…")
	})
	t.Run("continuing tests, keeps the key and opens the service", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Tap("Start")
		d.UntilWords("One moment…")
		d.Want(t, "check https://api.example.org k-123", "keep https://api.example.org k-123", "open https://api.example.org")
		if !f.form.Address.Disabled() || !f.form.Key.Disabled() || !f.sandbox.Disabled() {
			t.Error("something can be changed meanwhile")
		}
		d.opening(nil)
		d.WantWords("One moment…") // until another screen takes its place
		d.WantNoWords("Assay could not be set up")
	})
	t.Run("the sandbox is one click", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.start(nil)
		d.Tap("Try it in the sandbox")
		d.Want(t, "open sandbox")
	})
	t.Run("what is wrong stands beside its field", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		d.Tap("Start")
		if n := f.form.notices[SetupAddress]; !n.Visible() || n.Title() != "No address" {
			t.Errorf("%q", n.Title())
		}
		fill(f)
		d.Fail("check", &client.Error{Kind: client.KindKey, Message: i18n.Verbatim("The key was not accepted.")})
		d.Tap("Start")
		d.UntilWords("The key was not accepted.")
		for at, n := range f.form.notices {
			if n.Visible() != (at == SetupKey) {
				t.Errorf("field %d: %q, %t", at, n.Text(), n.Visible())
			}
		}
		if d.Button("Set up anyway") != nil {
			t.Error("a refused key can be kept all the same")
		}
		test.Type(f.form.Key, "4")
		if f.form.notices[SetupKey].Visible() {
			t.Error("it is still said after the key was changed")
		}
	})
	t.Run("without network it can be set up anyway", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Fail("check", offline())
		d.Tap("Test the connection")
		d.UntilWords("No network")
		d.Tap("Set up anyway")
		d.UntilWords("One moment…")
		d.Want(t, "check https://api.example.org k-123", "keep https://api.example.org k-123", "open https://api.example.org")
	})
	t.Run("a proxy in the way unfolds its field, and says it there", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		if f.form.network.content.Visible() {
			t.Error("the network's details are asked at once")
		}
		fill(f)
		d.Fail("check", &client.Error{Kind: client.KindNetwork, Fault: client.FaultProxyLogin, Message: i18n.Verbatim("The proxy asks for a name and a password.")})
		d.Tap("Test the connection")
		d.UntilWords("The proxy asks for a name and a password.")
		if n := f.form.notices[SetupProxyLogin]; !f.form.network.content.Visible() || !n.Visible() {
			t.Error("it is not said where it can be put right")
		}
	})
	t.Run("proxy and certificate go with the test", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		f.form.network.fold.OnTapped()
		test.Type(f.form.network.proxy, "http://mia:pw@proxy:3128")
		d.Tap("Choose a file…")
		d.dialog("/etc/company.pem")
		proxy, password, err := f.Draft().Network.Parts()
		if proxy != "http://mia@proxy:3128" || password != "pw" || err != nil || f.Draft().Network.Certificates != "/etc/company.pem" {
			t.Errorf("%+v", f.Draft())
		}
		d.Tap("Remove")
		if f.Draft().Network.Certificates != "" {
			t.Error("the certificate file can't be taken away again")
		}
	})
	t.Run("without a keychain the person is asked before the key is kept for this run", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Fail("keep", &keys.Problem{Cause: keys.Absent})
		d.Tap("Start")
		d.UntilWords("No keychain")
		d.WantWords("Assay can keep the key until you quit")
		if d.Has("open https://api.example.org") || d.Button("Start") != nil {
			t.Error("it went on by itself")
		}
		d.Tap("Keep it until I quit")
		if !d.Has("run https://api.example.org k-123") || !d.Has("open https://api.example.org") {
			t.Errorf("%q", d.Made)
		}
	})
	t.Run("a locked keychain can be tried again", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Fail("keep", &keys.Problem{Cause: keys.Locked})
		d.Tap("Start")
		d.UntilWords("The keychain is locked")
		if d.Canvas().Focused() != fyne.Focusable(f.form.again) {
			t.Errorf("the keyboard is at %T", d.Canvas().Focused())
		}
		d.Fail("keep", nil)
		d.Tap("Try again")
		d.UntilWords("One moment…")
	})
	t.Run("a keychain that waits is waited for, unless the person would rather not", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		d.Tap("Test the connection")
		d.UntilWords("Connected")
		d.waits, d.Hold = true, make(chan struct{})
		d.Tap("Start")
		d.UntilWords("Unlock the keychain")
		if d.Button("Keep it until I quit") == nil || d.Button("Back") == nil {
			t.Error("there is no way out")
		}
		close(d.Hold)
		d.UntilWords("One moment…") // it goes on by itself
	})
	t.Run("what could not be opened is said, and can be tried again", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		d.Tap("Try it in the sandbox")
		d.opening(guitest.Sentence("The disk is full."))
		d.WantWords("Assay could not be set up", "The disk is full.")
		if f.sandbox.Disabled() || f.form.Address.Disabled() {
			t.Error("nothing can be done about it")
		}
	})
	t.Run("an address that IT has set can't be changed, and says so", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(func(p *Params) {
			p.Draft.Address, p.Fixed, p.NoSandbox = "https://desk.example.org", "Set by IT.", "IT allows no sandbox."
		})
		f.Focus()
		if !f.form.Address.Disabled() || d.Canvas().Focused() != fyne.Focusable(f.form.Key) || !f.sandbox.Disabled() {
			t.Error("it can be changed")
		}
		d.WantWords("Set by IT.", "IT allows no sandbox.")
		test.Type(f.form.Key, "k")
		d.Tap("Test the connection")
		d.UntilWords("Connected")
		d.Want(t, "check https://desk.example.org k")
	})
	t.Run("another language is chosen at once, and what is filled in can be taken over", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		fill(f)
		codes, _ := present.Languages()
		guitest.InSight[*kit.Select](d.Top())[0].Select(1)
		d.Want(t, "language "+codes[1])
		again := d.start(func(p *Params) { p.Draft = f.Draft() })
		if again.form.Address.Text != "api.example.org" || again.form.Key.Secret() != "k-123" {
			t.Errorf("%q", again.Draft().Address)
		}
	})
	t.Run("everything is reached with Tab, in the order in which it stands", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		f.Focus()
		reached := d.Tab(30)
		want := []fyne.Focusable{f.form.Key, f.form.test, f.asks, f.form.use, f.sandbox, f.form.network.fold}
		at := 0
		for _, o := range reached {
			if at < len(want) && o == want[at] {
				at++
			}
		}
		if at != len(want) {
			t.Errorf("reached %d of %d in order: %T", at, len(want), reached)
		}
	})
	t.Run("files wait for the person with one click, and the screen says which it is", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		d.WantWords("Files and links are sent at once")
		f.asks.Tapped(nil)
		d.WantWords("Files and links wait for you")
		d.WantNoWords("Files and links are sent at once")
		d.Want(t, "asks true")
	})
	t.Run("nothing moves when a message comes or goes", func(t *testing.T) {
		d := setup(t, fyne.NewSize(1280, 800))
		f := d.start(nil)
		places := func() (all []fyne.Position) {
			for _, o := range []fyne.CanvasObject{f.form.Address, f.form.Key, f.form.test, f.asks, f.form.use, f.sandbox, f.form.network.fold} {
				all = append(all, fyne.CurrentApp().Driver().AbsolutePositionForObject(o))
			}
			return all
		}
		before := places()
		fill(f)
		d.Fail("check", &client.Error{Kind: client.KindKey, Message: i18n.Verbatim("The key was not accepted.")})
		d.Tap("Test the connection")
		d.UntilWords("The key was not accepted.")
		f.Say("3 files were handed over. They are taken once Assay is set up.")
		assert.Equal(t, before, places())
	})
	t.Run("nothing moves when it is asked whether the key is to be kept for this run", func(t *testing.T) {
		for _, size := range []fyne.Size{guitest.Smallest, {Width: 1280, Height: 800}} {
			d := setup(t, size)
			f := d.start(nil)
			places := func() (all []float32) {
				for _, o := range []fyne.CanvasObject{f.form.Key, f.asks, f.sandbox, f.form.network.fold} {
					all = append(all, fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y-fyne.CurrentApp().Driver().AbsolutePositionForObject(f.form.Address).Y)
				}
				return all
			}
			before := places()
			fill(f)
			d.Fail("keep", &keys.Problem{Cause: keys.Absent})
			d.Tap("Start")
			d.UntilWords("No keychain")
			assert.Equal(t, before, places())
		}
	})
	t.Run("Enter goes from field to field, and never sends", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		f := d.start(nil)
		f.Focus()
		f.form.Address.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if d.Canvas().Focused() != fyne.Focusable(f.form.Key) {
			t.Errorf("the keyboard is at %T", d.Canvas().Focused())
		}
		f.form.Key.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if d.Canvas().Focused() != fyne.Focusable(f.form.use) {
			t.Errorf("the keyboard is at %T", d.Canvas().Focused())
		}
		d.Want(t)
	})
}

// TestTheFirstRunSendsNothing has somebody listen at the address that is typed, who hears of it once the person says so.
func TestTheFirstRunSendsNothing(t *testing.T) {
	address, calls := guitest.Listener(t)
	d := setup(t, guitest.Smallest)
	f := d.start(func(p *Params) {
		p.Check = func(ctx context.Context, draft ServiceDraft) error {
			return client.Check(ctx, client.Options{BaseURL: draft.Service(), Key: func() string { return draft.Key }})
		}
	})
	test.Type(f.form.Address, address)
	test.Type(f.form.Key, "k-123")
	f.form.network.fold.OnTapped()
	test.Type(f.form.network.proxy, strings.TrimPrefix(address, "http://"))
	for range 20 {
		d.Canvas().(interface{ FocusNext() }).FocusNext()
	}
	f.form.network.proxy.SetText("")
	d.start(func(p *Params) { p.Actions, p.Draft = f.Actions, f.Draft() }) // as for another language
	f.Close()
	if n := calls(); n > 0 {
		t.Fatalf("%d calls before the person said so", n)
	}
	d.Tap("Test the connection")
	d.Until("the test has ended", func() bool { return !d.Button("Test the connection").Disabled() })
	if calls() == 0 {
		t.Error("nobody called after the person said so")
	}
}
