package settings

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/client/desk/postgres"
	"assay/client/keys"
	"assay/gui/firstrun"
	"assay/gui/guitest"
)

// fixture is the settings in a window, and the process behind them.
type fixture struct {
	*guitest.Frame
	guitest.Calls
	dialog    func(path string) // what the file dialog hands over to
	opening   func(error)       // what Open was given
	settings  config.Settings
	origins   map[config.Key]config.Origin
	now       ServiceNow
	proxyKey  keys.Status
	reasons   DesktopReasons
	storage   Storage
	clipboard string

	fingerprint   string
	noFingerprint error // why there is none

	newer Newer // version that is answered

	desk   DeskNow
	kept   bool           // the keychain takes the desk's password
	handed postgres.Parts // what the file of IT's says
}

func setup(t testing.TB, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), settings: config.Defaults(), origins: map[config.Key]config.Origin{}, opening: func(error) {}}
	d.fingerprint = "SHA256:uNiVztksCsDhcc0u9e8BrjJXVCBt3H2Sr1aTgzhVCJo"
	d.now = ServiceNow{Address: "https://api.example.org", Key: keys.Status{Where: keys.InKeychain}}
	d.storage = Storage{Vault: 812 << 20, Records: 37 << 20, Free: 120 << 30, Places: []StoragePlace{
		{Words: "Settings, and everything below", Path: "/home/desk/.config/Assay"},
		{Words: "Submissions, results and the custody log", Path: "/home/desk/.config/Assay/services/api.example.org-5f2c8e11"},
		{Words: "The log", Path: "/home/desk/.config/Assay/services/api.example.org-5f2c8e11/log"},
	}}
	return d
}

// serviceActions are those of the process.
func (d *fixture) serviceActions() firstrun.Actions {
	return firstrun.Actions{
		Check: func(ctx context.Context, draft firstrun.ServiceDraft) error {
			return d.Note(ctx, "check "+draft.Service()+" "+draft.Key)
		},
		Keep: func(ctx context.Context, draft firstrun.ServiceDraft, _ func()) error {
			return d.Note(ctx, "keep "+draft.Service()+" "+draft.Key)
		},
		KeepForThisRun: func(draft firstrun.ServiceDraft) {
			d.Did("run " + draft.Service() + " " + draft.Key)
		},
		Open: func(draft firstrun.ServiceDraft, sandbox bool, done func(error)) {
			d.Did(map[bool]string{true: "open sandbox", false: "open " + draft.Service()}[sandbox])
			d.opening = done
		},
		ChooseFile: func(chosen func(path string)) { d.dialog = chosen },
	}
}

// newSettings shows the settings.
func (d *fixture) newSettings(set func(*Params)) *Screen {
	locked := func(do func()) {
		d.Lock()
		defer d.Unlock()
		do()
	}
	p := Params{
		Workers: d.Workers, Sheet: d.Sheet, Actions: d.serviceActions(),
		Settings: func() (now config.Settings) { locked(func() { now = d.settings }); return now },
		Origin: func(key config.Key) (o config.Origin) {
			locked(func() { o = d.origins[key] })
			return o
		},
		Change: func(ctx context.Context, do func(*config.Settings)) error {
			if err := d.Note(ctx, "change"); err != nil {
				return err
			}
			locked(func() { do(&d.settings) })
			return nil
		},
		Service:       func() (now ServiceNow) { locked(func() { now = d.now }); return now },
		Test:          func(ctx context.Context) error { return d.Note(ctx, "test") },
		RemoveKey:     func(ctx context.Context) error { return d.Note(ctx, "remove") },
		ReloadKey:     func(ctx context.Context) error { return d.Note(ctx, "reload") },
		ProxyPassword: func(string) (state keys.Status) { locked(func() { state = d.proxyKey }); return state },
		SetProxyPassword: func(ctx context.Context, proxy, password string) error {
			return d.Note(ctx, "password "+proxy+" "+password)
		},
		ShowFolders: func() { d.Did("folders") },
		Desktop:     func(context.Context) (r DesktopReasons) { locked(func() { r = d.reasons }); return r },
		Storage: func(ctx context.Context) (Storage, error) {
			return d.storage, d.Note(ctx, "storage")
		},
		Purge:       func(ctx context.Context) (int64, error) { return 812 << 20, d.Note(ctx, "purge") },
		ShowInFiles: func(path string) { d.Did("show " + path) },
		Fingerprint: func(ctx context.Context) (string, error) {
			return d.fingerprint, cmp.Or(d.Note(ctx, "fingerprint"), d.noFingerprint)
		},
		RotateKey: func(ctx context.Context) (string, error) { return "SHA256:new", d.Note(ctx, "rotate") },
		Desk: Desk{
			State: func(context.Context) (now DeskNow, _ error) { locked(func() { now = d.desk }); return now, nil },
			Join: func(ctx context.Context, at postgres.Address, password, filesKey string) (bool, error) {
				if err := d.Note(ctx, strings.TrimSpace("join "+at.String()+" "+password+" "+filesKey)); err != nil {
					return false, err
				}
				locked(func() { d.desk = joinedDesk(); d.desk.Address, d.desk.Member = at.String(), at.Login() })
				return d.kept, nil
			},
			Leave: func(ctx context.Context) error {
				if err := d.Note(ctx, "leave"); err != nil {
					return err
				}
				locked(func() { d.desk = DeskNow{} })
				return nil
			},
			Try:        func(ctx context.Context) { _ = d.Note(ctx, "try") },
			ChooseFile: func(chosen func(path string)) { d.dialog = chosen },
			ReadFile: func(ctx context.Context, path string) (postgres.Parts, error) {
				return d.handed, d.Note(ctx, "read "+path)
			},
		},
		About: About{Version: "0.7.0 (3f2a1c9)", Crashed: time.Date(2026, 11, 20, 18, 4, 0, 0, time.UTC),
			Licences: someLicences},
		Diagnostics: func(ctx context.Context) (string, error) { return "diagnostics", d.Note(ctx, "diagnostics") },
		CrashReport: func(ctx context.Context) (string, error) { return "crash", d.Note(ctx, "crash") },
		Copy:        func(text string) { d.clipboard = text },
	}
	if set != nil {
		set(&p)
	}
	s := New(p)
	s.Show()
	d.Display(s.Object(), func(e *fyne.KeyEvent) { s.TypedKey(e) })
	return s
}

// section shows the settings at a section.
func (d *fixture) section(section Section) *Screen {
	s := d.newSettings(nil)
	s.ShowSection(section)
	return s
}

// settled pumps until all changes were made.
func (d *fixture) settled(s *Screen) {
	d.T.Helper()
	d.Until("the change was made", func() bool { return !s.changing && len(s.pending) == 0 })
}
