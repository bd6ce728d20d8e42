package gui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/config"
	"assay/client/events"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/keys"
	"assay/client/pull"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/screens"
	"assay/gui/viewer/picture"
)

// fixture is the whole window on the test driver, with a real sandbox behind it over HTTP. The test's goroutine
// is the UI thread: closures run when it pumps.
type fixture struct {
	*app
	t       *testing.T
	closure chan func()
}

func setup(t *testing.T) *fixture {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	server, err := sandbox.Listen(t.Context(), "127.0.0.1:0", box)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(client.Options{BaseURL: server.URL(), Key: box.Key})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var watchedFolders atomic.Pointer[folders.Folders] // the queue is there before them
	hub := new(events.Hub)
	queue, err := intake.Open(t.Context(), intake.Params{Events: hub, Service: c, Store: kept, PollMin: 20 * time.Millisecond,
		Gate: func(s submission.Submission) (gate, lock submission.Gate) {
			if f := watchedFolders.Load(); f != nil {
				s.Gate = submission.Stricter(s.Gate, f.GateOf(s.Folder))
			}
			return s.Gate, submission.GateSend
		}})
	if err != nil {
		t.Fatal(err)
	}
	sender, err := feedback.Open(t.Context(), feedback.Params{Store: kept, Client: c, Events: hub})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sender.Close)
	watched, err := folders.Open(t.Context(), folders.Params{Queue: queue, Store: kept})
	if err != nil {
		t.Fatal(err)
	}
	watchedFolders.Store(watched)
	d := &fixture{t: t, closure: make(chan func(), 1024)}
	application := themed(t)
	d.app = newApp(Params{
		Session: &session.Session{
			Queue:    queue,
			Store:    kept,
			Client:   c,
			Pull:     pull.New(pull.Params{Client: c, Store: kept, Account: c.Address(), Claimed: queue.Claims, OnUnfinished: queue.Adopt, Events: hub}),
			Events:   hub,
			Feedback: sender,
			Folders:  watched,
			Sandbox:  true,
		},
		App:    application,
		Config: settingsOf(t, hub), Keys: keysOf(t, hub),
		Events: hub,
		OnUI:   func(f func()) { d.closure <- f },
		Wait:   func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}, newWindow(application), nil)
	ctx, cancel := context.WithCancel(context.Background())
	var bridge sync.WaitGroup
	d.carry(ctx, &bridge)
	t.Cleanup(func() {
		cancel()
		bridge.Wait()
		d.stop()
		d.close(ctx)
		watched.Close()
		queue.Close()
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
		c.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	d.window.Resize(fyne.NewSize(1280, 800))
	return d
}

// themed is an app on the test driver that looks as Assay does.
func themed(t *testing.T) fyne.App {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(""))
	return a
}

// settingsOf are settings that nobody has changed, and that are kept nowhere.
func settingsOf(t *testing.T, hub *events.Hub) *config.Config {
	t.Helper()
	settings, err := config.Open(config.Params{Events: hub})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// keysOf keeps keys in memory.
func keysOf(t *testing.T, hub *events.Hub) *keys.Ring {
	t.Helper()
	ring := keys.OpenRing(keys.RingParams{Events: hub, Keychain: keys.New(keys.Options{Backend: keychain{}})})
	t.Cleanup(ring.Close)
	return ring
}

// keychain is one without any key.
type keychain struct{}

func (keychain) Set(string, string, string) error   { return errors.New("no keychain") }
func (keychain) Get(string, string) (string, error) { return "", errors.New("no keychain") }
func (keychain) Delete(string, string) error        { return errors.New("no keychain") }

// pump runs closures of the UI thread until a condition holds.
func (d *fixture) pump(what string, until func() bool) {
	d.t.Helper()
	limit := time.After(60 * time.Second)
	for !until() {
		select {
		case f := <-d.closure:
			f()
		case <-limit:
			d.t.Fatalf("it never came to this: %s", what)
		}
	}
}

func (d *fixture) drop(paths ...string) {
	var uris []fyne.URI
	for _, p := range paths {
		uris = append(uris, storage.NewFileURI(p))
	}
	d.dropped(fyne.NewPos(0, 0), uris)
}

// pressSheet waits until a button of the sheet that lies over the window can be pressed, and presses it. Its label begins so.
func (d *fixture) pressSheet(label string) {
	d.t.Helper()
	d.pump("the sheet has "+label, func() bool {
		for _, b := range all[*kit.Button](d.window.Canvas().Overlays().Top()) {
			if strings.HasPrefix(b.Label(), label) && !b.Disabled() {
				b.Tapped(nil)
				return true
			}
		}
		return false
	})
}

func photoFile(name string) string { return filepath.Join("..", "testdata", "pictures", name) }

func absolutePicture(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(photoFile(name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestADroppedPictureBecomesAVerdictWithItsHeatmap(t *testing.T) {
	d := setup(t)
	if d.inbox.Filled() {
		t.Fatal("the inbox is not empty at first")
	}
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.pump("the answer stands in the inbox", func() bool { return d.inbox.Filled() && len(d.results.Rows()) == 1 })
	id := d.results.Rows()[0].ID

	d.act([]string{id}, present.Open)
	shown := d.viewer
	if d.rail.Selected() != screens.Results || shown.Shown() != id {
		t.Fatalf("screen %d, viewer shows %q", d.rail.Selected(), shown.Shown())
	}
	d.pump("the pane of pictures is there", func() bool { _, ok := shown.Medium().(*picture.Pane); return ok })
	pane := shown.Medium().(*picture.Pane)
	d.pump("the photo is on screen", func() bool { lower, _ := pane.Layers(); return lower != nil })
	if _, upper := pane.Layers(); upper != nil {
		t.Error("the heatmap is on before anybody asked for it")
	}
	d.typedRune('o')
	d.pump("the heatmap lies over the photo", func() bool { _, upper := pane.Layers(); return upper != nil })
	lower, upper := pane.Layers()
	if lower.Image.Bounds().Size() != upper.Image.Bounds().Size() || lower.Size() != upper.Size() {
		t.Error("photo and heatmap do not lie on each other")
	}
	for range 20 {
		d.typedRune(']')
	}
	if upper.Translucency != 0 {
		t.Errorf("at 100 %% the heatmap is not as it was sent: translucency %v", upper.Translucency)
	}
	pixels := upper.Image
	for range 20 {
		d.typedRune('[')
	}
	if upper.Translucency != 1 {
		t.Errorf("at 0 %% something of the heatmap is left: translucency %v", upper.Translucency)
	}
	if upper.Image != pixels {
		t.Error("a change of opacity made new pixels")
	}
	d.typedRune('o')
	if _, upper := pane.Layers(); upper != nil {
		t.Error("the heatmap can't be switched off")
	}
}

func TestEveryBadFileSaysWhyAndTheOthersGoOn(t *testing.T) {
	d := setup(t)
	dir := t.TempDir()
	empty, scanned := filepath.Join(dir, "empty.png"), filepath.Join(dir, "scan.tiff")
	for _, name := range []string{empty, scanned} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := absolutePicture(t, "poster.png")
	d.drop(scanned, empty, good)
	d.pump("all three have ended", func() bool {
		ended := 0
		for _, s := range d.Queue.All() {
			if s.State.Ended() {
				ended++
			}
		}
		return ended == 3 && len(d.results.Rows()) == 1
	})
	rows := d.inbox.Rows()
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, says := range []string{"alac", "empty"} {
		if rows[i].State != "Not sent" || !strings.Contains(rows[i].Detail, says) {
			t.Errorf("row %d says %q, %q", i, rows[i].State, rows[i].Detail)
		}
	}
	if rows[2].State != "Not assessable" {
		t.Errorf("the good one says %q", rows[2].State)
	}
}

func TestShortcutsReachTheScreens(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.pump("both are answered", func() bool { return len(d.results.Rows()) == 2 })
	d.rail.Select(screens.Results)
	newest := d.results.Rows()[0].ID
	if shown := d.viewer.Shown(); shown != newest {
		t.Errorf("the viewer shows %q, the newest is %q", shown, newest)
	}
	d.typedRune('j')
	if shown := d.viewer.Shown(); shown != d.results.Rows()[1].ID {
		t.Error("J does not go down")
	}
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if shown := d.viewer.Shown(); shown != newest {
		t.Error("the arrow does not go up")
	}
	d.rail.Select(screens.Inbox)
	d.typedRune('j')
	if shown := d.viewer.Shown(); shown != newest {
		t.Error("J works on a screen that is not shown")
	}
}

func TestTheWindowIsUsableFrom900By600(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	d := setup(t)
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.pump("it is answered", func() bool { return len(d.results.Rows()) == 1 })
	for i, s := range d.screens {
		if size := d.window.Content().MinSize(); size.Width > 900 || size.Height > 600 {
			t.Errorf("screen %d asks for %v", i, s.object.MinSize())
		}
		d.rail.Select(i)
	}
}

func TestTheWindowShrinksWithTheViewerOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	d := setup(t)
	d.drop(absolutePicture(t, "mountains-spliced.jpg"), absolutePicture(t, "poster.png"))
	d.pump("both are answered", func() bool { return len(d.results.Rows()) == 2 })
	for _, row := range d.results.Rows() {
		d.window.Resize(fyne.NewSize(1280, 800))
		d.act([]string{row.ID}, present.Open)
		if size := d.window.Content().MinSize(); size.Width > 900 || size.Height > 600 {
			t.Errorf("%s: the window can't be smaller than %v", row.Name, size)
		}
	}
}

func TestTheFileDialogOpens(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "") // the desktop's own dialog is not to open
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	d := setup(t)
	d.choose()
	d.pump("the dialog is open", func() bool { return d.window.Canvas().Overlays().Top() != nil })
	d.typedRune('?')
	if d.sheet.Open() {
		t.Error("what is typed over the dialog means something to the screen below")
	}
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.window.Canvas().Overlays().Top() != nil {
		t.Error("Esc does not close the dialog")
	}
}

func TestShortcutsWorkWhereverTheFocusIs(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.pump("both are answered", func() bool { return len(d.results.Rows()) == 2 })
	d.rail.Select(screens.Results)
	c := d.window.Canvas()
	seen := map[fyne.Focusable]bool{}
	for {
		c.FocusNext()
		focused := c.Focused()
		if focused == nil || seen[focused] {
			break
		}
		seen[focused] = true
		if _, text := focused.(interface{ SelectedText() string }); text {
			continue // a text field keeps its characters
		}
		d.results.Open(d.results.Rows()[0].ID)
		focused.TypedRune('j')
		if d.viewer.Shown() != d.results.Rows()[1].ID {
			t.Errorf("%T keeps the keys to itself", focused)
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %d controls take the focus", len(seen))
	}
}

func TestEscClosesWhatIsOpenWhereverTheFocusIs(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	d := setup(t)
	esc := func() {
		if o := d.window.Canvas().Focused(); o != nil {
			o.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			return
		}
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	d.typedRune('?')
	if !d.sheet.Open() || d.window.Canvas().Focused() == nil {
		t.Fatal("the keys are not shown, or nothing there has the focus")
	}
	if esc(); d.sheet.Open() {
		t.Error("the keys are still shown")
	}
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.pump("the answer stands in the inbox", func() bool { return d.inbox.Filled() && len(d.results.Rows()) == 1 })
	d.act([]string{d.results.Rows()[0].ID}, present.Open)
	d.pump("the feedback bar asks", func() bool {
		d.typedRune('f')
		return d.window.Canvas().Focused() != nil
	})
	if esc(); d.window.Canvas().Focused() != nil {
		t.Error("the feedback bar keeps the focus")
	}
}

func TestAPastedLinkGoesThroughTheSameDoor(t *testing.T) {
	d := setup(t)
	if d.pasteLink("not a link") || d.pasteLink("ftp://example.org/x") {
		t.Error("what is no web link was taken")
	}
	if !d.pasteLink(" https://example.org/clip ") {
		t.Fatal("a link was not taken")
	}
	d.pump("the row says what became of it", func() bool {
		rows := d.inbox.Rows()
		return len(rows) == 1 && rows[0].State == "Could not be fetched by the service"
	})
	if name := d.inbox.Rows()[0].Name; name != "example.org/clip" {
		t.Errorf("the row is called %q", name)
	}
}
