package gui

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/storage"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/copies"
	"assay/client/events"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/keys"
	"assay/client/nearly"
	"assay/client/pull"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/inbox"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/results"
	"assay/gui/screens"
)

// The desktop that the tests run in is left alone: its own dialogs are not to open. Tests of those bring a desktop (portaltest).
func init() {
	storetest.Quick()
	for _, bus := range []string{"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"} {
		_ = os.Unsetenv(bus)
	}
}

// newSandbox is a service in a folder of its own, and a server that answers with it or with what stands before it. Both end with the test.
func newSandbox(t *testing.T, options sandbox.Options, before func(*sandbox.Sandbox) http.Handler) (*sandbox.Sandbox, *httptest.Server) {
	t.Helper()
	options.Dir = t.TempDir()
	box, err := sandbox.New(options)
	assert.NoError(t, err)
	var handler http.Handler = box
	if before != nil {
		handler = before(box)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return box, server
}

// newClient asks a service. It ends with the test.
func newClient(t *testing.T, options client.Options) *client.Client {
	t.Helper()
	c, err := client.New(options)
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// sessionOptions are what the sessions of tests differ in.
type sessionOptions struct {
	pollMin time.Duration
	now     func() time.Time                                 // nil: the clock
	wait    func(ctx context.Context, d time.Duration) error // before feedback is sent; nil: a timer
	nearly  bool                                             // look for what is nearly the same
	copies  bool                                             // make copies of what the service does not take
}

// openSession opens what stands on a service, with records in a folder. close ends it.
func openSession(ctx context.Context, t *testing.T, c *client.Client, folder string, hub *events.Hub, o sessionOptions) (s *session.Session, end func()) {
	must := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	records, err := store.Open(ctx, folder, store.Options{Events: hub})
	must(err)
	var watched atomic.Pointer[folders.Folders] // the queue is there before them
	var copier intake.Copier
	if o.copies {
		copier = copies.In(filepath.Join(folder, "copies"))
	}
	queue, err := intake.Open(ctx, intake.Params{Events: hub, Copier: copier, Service: c, Store: records, PollMin: o.pollMin, Now: o.now,
		Gate: func(s submission.Submission) (gate, lock submission.Gate) {
			if f := watched.Load(); f != nil {
				s.Gate = submission.Stricter(s.Gate, f.GateOf(s.Folder))
			}
			return s.Gate, submission.GateSend
		}})
	must(err)
	sender, err := feedback.Open(ctx, feedback.Params{Store: records, Client: c, Events: hub, Now: o.now, Wait: o.wait})
	must(err)
	watching, err := folders.Open(ctx, folders.Params{Queue: queue, Store: records, Now: o.now})
	must(err)
	watched.Store(watching)
	var finder *nearly.Finder
	if o.nearly {
		finder = nearly.New(nearly.Params{Store: records, Queue: queue, Events: hub})
	}
	return &session.Session{Queue: queue, Nearly: finder, Store: records, Client: c, Events: hub, Feedback: sender, Folders: watching, Address: c.Address(), Folder: folder,
			Pull: pull.New(pull.Params{Client: c, Store: records, Account: c.Address(), Claimed: queue.Claims, OnUnfinished: queue.Adopt, Events: hub})}, func() {
			watching.Close()
			if finder != nil {
				finder.Close()
			}
			sender.Close()
			queue.Close()
			must(records.Close())
		}
}

// windowParams are those of a window on the test driver, that shows no session yet. Settings and keys are kept nowhere but in a folder, if
// there is one.
func windowParams(t *testing.T, hub *events.Hub, ui *guitest.UI, folder string) Params {
	t.Helper()
	settings, err := config.Open(config.Params{Dir: folder, Events: hub})
	assert.NoError(t, err)
	ring := keys.OpenRing(keys.RingParams{Events: hub, Keychain: keys.New(keys.Options{Backend: keychain{}})})
	t.Cleanup(ring.Close)
	return Params{App: guitest.App(t, look.ModeLight), Config: settings, Keys: ring, Events: hub, OnUI: ui.Do,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
}

// keychain is one without any key.
type keychain struct{}

func (keychain) Set(string, string, string) error   { return errors.New("no keychain") }
func (keychain) Get(string, string) (string, error) { return "", errors.New("no keychain") }
func (keychain) Delete(string, string) error        { return errors.New("no keychain") }

// fixture is the whole window on the test driver, with a real sandbox behind it over HTTP. The test's goroutine
// is the UI thread.
type fixture struct {
	*app
	*guitest.UI
}

func setup(t *testing.T) *fixture {
	t.Helper()
	box, server := newSandbox(t, sandbox.Options{}, nil)
	return setupOn(t, newClient(t, client.Options{BaseURL: server.URL, Key: box.Key}), sessionOptions{pollMin: 20 * time.Millisecond})
}

// setupOn is setup on a service.
func setupOn(t *testing.T, c *client.Client, o sessionOptions) *fixture {
	t.Helper()
	hub := new(events.Hub)
	d := &fixture{UI: guitest.NewUI(t)}
	p := windowParams(t, hub, d.UI, "")
	var end func()
	p.Session, end = openSession(t.Context(), t, c, t.TempDir(), hub, o)
	p.Sandbox, p.Now = true, o.now
	d.app = newApp(p, newWindow(p.App), nil)
	d.OnScreen = func() []string { return guitest.Read(d.window.Content()) }
	ctx, cancel := context.WithCancel(context.Background())
	var bridge sync.WaitGroup
	d.carry(ctx, &bridge)
	t.Cleanup(func() {
		cancel()
		bridge.Wait()
		d.stop()
		d.close(ctx)
		end()
	})
	d.window.Resize(fyne.NewSize(1280, 800))
	d.results.SetShape(results.Wide) // most tests read names in the list
	return d
}

func (d *fixture) drop(paths ...string) {
	var uris []fyne.URI
	for _, p := range paths {
		uris = append(uris, storage.NewFileURI(p))
	}
	d.dropped(fyne.NewPos(0, 0), uris)
}

// listed are the results, the newest first, as the list shows them once it is in sight; without those that the inbox does not show yet.
func (d *fixture) listed() []results.Row {
	d.T.Helper()
	return listed(d.T, d.app)
}

func listed(t testing.TB, a *app) []results.Row {
	t.Helper()
	rows, err := newAnswers(a.Store, time.Now).Rows(t.Context(), results.Query{}, 0, 100)
	assert.NoError(t, err)
	shown := map[string]bool{}
	for _, row := range a.inbox.Rows() {
		shown[row.ID] = row.Group == inbox.FilterAnswered
	}
	return slices.DeleteFunc(rows, func(row results.Row) bool {
		handedOver, inQueue := a.Queue.Get(row.ID)
		return inQueue && !handedOver.Filed && !shown[row.ID]
	})
}

// showResults brings the list of results to the front, and waits until it is read.
func (d *fixture) showResults() {
	d.T.Helper()
	d.rail.Select(screens.Results)
	d.Until("the list is read", func() bool { return len(d.results.Rows()) == len(d.listed()) })
}

// press waits until something that begins with this label can be pressed, in the sheet that lies over the window or else on the screen
// in front, and presses it.
func (d *fixture) press(label string) {
	d.T.Helper()
	d.Until(label+" can be pressed", func() bool { return pressIn(d.top(), label) })
}

// top is what is in front: what lies over the window, or else the window's content.
func (d *fixture) top() fyne.CanvasObject {
	if o := d.window.Canvas().Overlays().Top(); o != nil {
		return o
	}
	return d.window.Content()
}

// pressIn presses the first button or chip in sight that begins with a label, and reports whether there is one that is not disabled.
func pressIn(o fyne.CanvasObject, label string) bool {
	for _, b := range guitest.InSight[interface {
		fyne.Tappable
		Label() string
	}](o) {
		if _, ticks := b.(*kit.Check); ticks {
			continue // its words may begin like a button's
		}
		if d, ok := b.(fyne.Disableable); strings.HasPrefix(b.Label(), label) && (!ok || !d.Disabled()) {
			b.Tapped(nil)
			return true
		}
	}
	return false
}

// photo waits until a picture is in the viewer, and heatmap until another one lies on it or beside it.
func (d *fixture) photo() (photo *canvas.Image) {
	d.T.Helper()
	d.Until("the picture is on screen", func() bool { photo, _ = d.layers(); return photo != nil })
	return photo
}

func (d *fixture) heatmap() (heatmap *canvas.Image) {
	d.T.Helper()
	d.photo()
	d.typedRune('o')
	d.Until("the heatmap is on screen", func() bool { _, heatmap = d.layers(); return heatmap != nil })
	return heatmap
}

// layers are the photo and the heatmap in the viewer, in the order in which they are drawn; nil where there is none. Other pictures of the
// viewer, such as icons, keep their shape, whatever the room that they have.
func (d *fixture) layers() (photo, heatmap *canvas.Image) {
	for _, each := range guitest.InSight[*canvas.Image](d.viewer.Object()) {
		switch {
		case each.FillMode != canvas.ImageFillStretch || each.Image == nil:
		case photo == nil:
			photo = each
		case each.Image != photo.Image: // side by side, the photo lies under the heatmap too
			heatmap = each
		}
	}
	return photo, heatmap
}

func photoFile(name string) string { return filepath.Join("..", "testdata", "pictures", name) }

func absolutePicture(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(photoFile(name))
	assert.NoError(t, err)
	return path
}
