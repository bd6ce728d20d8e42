package screen

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// setupDesk is a window with a sheet, and the process behind the first run and the settings: it writes down what it was asked for.
// The test's goroutine is the UI thread: closures run when it pumps.
type setupDesk struct {
	t       testing.TB
	window  fyne.Window
	sheet   *kit.Sheet
	ui      chan func()
	workers *work.Workers
	typed   func(*fyne.KeyEvent) bool // of the screen shown
	dialog  func(path string)         // what the file dialog hands over to
	opening func(error)               // what Open was given

	mu        sync.Mutex
	deeds     []string
	settings  present.Settings
	origins   map[present.SettingKey]present.SettingOrigin
	now       present.ServiceNow
	proxyKey  present.KeyState
	reasons   present.DesktopReasons
	storage   present.Storage
	failing   map[string]error // by the first word of a deed
	hold      chan struct{}    // where it is set, what blocks waits for it or for its ctx
	waits     bool             // the keychain waits for the person
	clipboard string
}

func newSetupDesk(t testing.TB, size fyne.Size) *setupDesk {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.New(look.ModeLight))
	d := &setupDesk{t: t, ui: make(chan func(), 1000), settings: config.Defaults(), origins: map[present.SettingKey]present.SettingOrigin{},
		failing: map[string]error{}, opening: func(error) {}}
	d.now = present.ServiceNow{Address: "https://api.example.org", Key: present.KeyState{Where: keys.InKeychain}}
	d.storage = present.Storage{Vault: 812 << 20, Records: 37 << 20, Free: 120 << 30, Places: []present.StoragePlace{
		{Words: "Settings, and everything below", Path: "/home/desk/.config/Assay"},
		{Words: "Submissions, results and the custody log", Path: "/home/desk/.config/Assay/services/api.example.org-5f2c8e11"},
		{Words: "The log", Path: "/home/desk/.config/Assay/services/api.example.org-5f2c8e11/log"},
	}}
	d.workers = work.New(4, func(f func()) { d.ui <- f })
	t.Cleanup(d.workers.Close)
	d.window = test.NewTempWindow(t, nil)
	d.window.SetPadded(false)
	d.window.Resize(size)
	d.sheet = kit.NewSheet(d.window.Canvas())
	d.window.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if d.sheet.Open() {
			d.sheet.TypedKey(e)
			return
		}
		d.typed(e)
	})
	return d
}

// shows puts a screen into the window, as the app does.
func (d *setupDesk) shows(o fyne.CanvasObject, typed func(*fyne.KeyEvent) bool) {
	d.typed = typed
	size := d.window.Canvas().Size()
	d.window.SetContent(tooltip.AddWindowToolTipLayer(container.NewStack(kit.NewGround(look.ColorBackground), o), d.window.Canvas()))
	d.window.Resize(size)
}

// note writes a deed down, waits where the test says so, and fails where it says so.
func (d *setupDesk) note(ctx context.Context, deed string) error {
	d.mu.Lock()
	d.deeds = append(d.deeds, deed)
	word, _, _ := strings.Cut(deed, " ")
	hold, err := d.hold, d.failing[word]
	d.mu.Unlock()
	if hold != nil && ctx != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func (d *setupDesk) wantDeeds(want ...string) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(d.deeds, want) {
		d.t.Errorf("asked for %q, want %q", d.deeds, want)
	}
}

func (d *setupDesk) did(deed string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.deeds, deed)
}

// serviceDeeds are those of the process.
func (d *setupDesk) serviceDeeds() ServiceDeeds {
	return ServiceDeeds{
		Check: func(ctx context.Context, draft present.ServiceDraft) error {
			return d.note(ctx, "check "+draft.Service()+" "+draft.Key)
		},
		Keep: func(ctx context.Context, draft present.ServiceDraft, waiting func()) error {
			d.mu.Lock()
			waits := d.waits
			d.mu.Unlock()
			if waits {
				waiting()
			}
			return d.note(ctx, "keep "+draft.Service()+" "+draft.Key)
		},
		KeepForThisRun: func(draft present.ServiceDraft) {
			_ = d.note(nil, "run "+draft.Service()+" "+draft.Key) //nolint:staticcheck // there is none on the UI thread
		},
		Open: func(draft present.ServiceDraft, sandbox bool, done func(error)) {
			what := "open " + draft.Service()
			if sandbox {
				what = "open sandbox"
			}
			_ = d.note(nil, what) //nolint:staticcheck // there is none on the UI thread
			d.opening = done
		},
		ChooseFile: func(chosen func(path string)) { d.dialog = chosen },
	}
}

// newFirstRun shows the first run.
func (d *setupDesk) newFirstRun(set func(*FirstRunParams)) *FirstRun {
	p := FirstRunParams{ServiceDeeds: d.serviceDeeds(), Workers: d.workers,
		SetLanguage: func(code string) { _ = d.note(nil, "language "+code) }} //nolint:staticcheck // there is none on the UI thread
	if set != nil {
		set(&p)
	}
	f := NewFirstRun(p)
	d.shows(f.Object(), f.TypedKey)
	return f
}

// newSettings shows the settings.
func (d *setupDesk) newSettings(set func(*SettingsParams)) *Settings {
	locked := func(do func()) {
		d.mu.Lock()
		defer d.mu.Unlock()
		do()
	}
	p := SettingsParams{
		Workers: d.workers, Sheet: d.sheet, ServiceDeeds: d.serviceDeeds(),
		Settings: func() (now present.Settings) { locked(func() { now = d.settings }); return now },
		Origin: func(key present.SettingKey) (o present.SettingOrigin) {
			locked(func() { o = d.origins[key] })
			return o
		},
		Change: func(ctx context.Context, do func(*present.Settings)) error {
			if err := d.note(ctx, "change"); err != nil {
				return err
			}
			locked(func() { do(&d.settings) })
			return nil
		},
		Service:       func() (now present.ServiceNow) { locked(func() { now = d.now }); return now },
		Test:          func(ctx context.Context) error { return d.note(ctx, "test") },
		RemoveKey:     func(ctx context.Context) error { return d.note(ctx, "remove") },
		ReloadKey:     func(ctx context.Context) error { return d.note(ctx, "reload") },
		ProxyPassword: func(string) (state present.KeyState) { locked(func() { state = d.proxyKey }); return state },
		SetProxyPassword: func(ctx context.Context, proxy, password string) error {
			return d.note(ctx, "password "+proxy+" "+password)
		},
		ShowFolders: func() { _ = d.note(nil, "folders") }, //nolint:staticcheck // there is none on the UI thread
		Desktop:     func(context.Context) (r present.DesktopReasons) { locked(func() { r = d.reasons }); return r },
		Storage: func(ctx context.Context) (present.Storage, error) {
			return d.storage, d.note(ctx, "storage")
		},
		Purge:       func(ctx context.Context) (int64, error) { return 812 << 20, d.note(ctx, "purge") },
		ShowInFiles: func(path string) { _ = d.note(nil, "show "+path) }, //nolint:staticcheck // there is none on the UI thread
		About: present.About{Version: "0.7.0 (3f2a1c9)", Crashed: time.Date(2026, 11, 20, 18, 4, 0, 0, time.UTC),
			Licences: someLicences},
		Diagnostics: func(ctx context.Context) (string, error) { return "diagnostics", d.note(ctx, "diagnostics") },
		CrashReport: func(ctx context.Context) (string, error) { return "crash", d.note(ctx, "crash") },
		Copy:        func(text string) { d.clipboard = text },
	}
	if set != nil {
		set(&p)
	}
	s := NewSettings(p)
	s.Show()
	d.shows(s.Object(), s.TypedKey)
	return s
}

// section shows the settings at a section.
func (d *setupDesk) section(section present.SettingsSection) *Settings {
	s := d.newSettings(nil)
	s.ShowSection(section)
	return s
}

// pump runs closures of the UI thread until a condition holds.
func (d *setupDesk) pump(what string, until func() bool) {
	d.t.Helper()
	limit := time.After(20 * time.Second)
	for !until() {
		select {
		case f := <-d.ui:
			f()
		case <-limit:
			d.t.Fatalf("it never came to this: %s", what)
		}
	}
}

// settled pumps until all changes were made.
func (d *setupDesk) settled(s *Settings) {
	d.t.Helper()
	d.pump("the change was made", func() bool { return !s.changing && len(s.pending) == 0 })
}

// inSight returns the visible objects of a kind within another one, in the order in which they are drawn.
func inSight[T fyne.CanvasObject](root fyne.CanvasObject) (found []T) {
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if !o.Visible() {
			return
		}
		if match, ok := o.(T); ok {
			found = append(found, match)
		}
		switch o := o.(type) {
		case *fyne.Container:
			for _, inner := range o.Objects {
				walk(inner)
			}
		case fyne.Widget:
			for _, inner := range test.WidgetRenderer(o).Objects() {
				walk(inner)
			}
		}
	}
	walk(root)
	return found
}

// top is what is in front: the sheet, or else the window's content.
func (d *setupDesk) top() fyne.CanvasObject {
	if o := d.window.Canvas().Overlays().Top(); o != nil {
		return o
	}
	return d.window.Content()
}

// words are all texts in sight.
func (d *setupDesk) words() string {
	var all []string
	for _, p := range inSight[*kit.Paragraph](d.top()) {
		all = append(all, p.Text())
	}
	for _, p := range inSight[*kit.Text](d.top()) {
		all = append(all, p.Text())
	}
	for _, p := range inSight[*kit.LongText](d.top()) {
		all = append(all, p.Text())
	}
	return strings.Join(all, "\n")
}

func (d *setupDesk) wantWords(want ...string) {
	d.t.Helper()
	words := d.words()
	for _, w := range want {
		if !strings.Contains(words, w) {
			d.t.Errorf("%q is not said in:\n%s", w, words)
		}
	}
}

func (d *setupDesk) wantNoWords(unwanted ...string) {
	d.t.Helper()
	words := d.words()
	for _, w := range unwanted {
		if strings.Contains(words, w) {
			d.t.Errorf("%q is said", w)
		}
	}
}

// said is an English text in the language of the test.
func said(text string) string { return i18n.T(i18n.Key(text)) }

// button is the one with these words that is in sight, nil where there is none.
func (d *setupDesk) button(label string) *kit.Button {
	for _, b := range inSight[*kit.Button](d.top()) {
		if b.Label() == label || b.Label() == said(label) {
			return b
		}
	}
	return nil
}

// tap clicks a button that must be there and must not be disabled.
func (d *setupDesk) tap(label string) {
	d.t.Helper()
	b := d.button(label)
	if b == nil {
		d.t.Fatalf("there is no button %q", label)
	}
	if b.Disabled() {
		d.t.Fatalf("%q is disabled", label)
	}
	test.Tap(b)
}

// tick is the box with these words.
func (d *setupDesk) tick(words string) *kit.Tick {
	d.t.Helper()
	for _, tick := range inSight[*kit.Tick](d.top()) {
		if tick.Words() == words || tick.Words() == said(words) {
			return tick
		}
	}
	d.t.Fatalf("there is no box %q", words)
	return nil
}

// tab goes from control to control, and returns what had the keyboard, until it is where it was before, or after so many steps.
func (d *setupDesk) tab(most int) (reached []fyne.Focusable) {
	c := d.window.Canvas()
	for range most {
		c.(interface{ FocusNext() }).FocusNext()
		at := c.Focused()
		if slices.Contains(reached, at) {
			return reached
		}
		reached = append(reached, at)
	}
	return reached
}
