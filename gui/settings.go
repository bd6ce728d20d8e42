package gui

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"

	"assay/assets"
	"assay/client"
	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/firstrun"
	"assay/gui/present"
	"assay/gui/screens"
	"assay/gui/settings"
)

// newSettings builds the screen of the settings.
func (a *app) newSettings() screen {
	p := settings.Params{
		Workers:  a.lookers,
		Sheet:    a.sheet,
		Settings: a.Config.Settings,
		Origin:   a.Config.Origin,
		Change:   a.changeSettings,
		Service: func() settings.ServiceNow {
			return settings.ServiceNow{Sandbox: a.Sandbox, Address: a.Address, Key: a.key, UnderWay: a.latest.Active}
		},
		ProxyPassword: a.Keys.ProxyStatus,
		SetProxyPassword: func(ctx context.Context, proxy, password string) error {
			if password == "" {
				return a.Keys.ClearProxyPassword(ctx, proxy)
			}
			return a.Keys.SetProxyPassword(ctx, proxy, password)
		},
		RemoveKey:   func(ctx context.Context) error { return a.Keys.Clear(ctx, a.Address) },
		ReloadKey:   func(ctx context.Context) error { return a.Keys.Load(ctx, a.Address) },
		ShowFolders: func() { a.rail.Select(screens.Folders) },
		Desktop:     a.desktopReasons,
		Storage:     a.storage,
		Purge:       a.Store.Purge,
		ShowInFiles: a.openInFiles,
		Fingerprint: a.fingerprint,
		RotateKey:   a.rotateKey,
		Desk:        a.deskSettings(),
		About:       a.About,
		Updates:     a.updateSettings(),
		Copy:        a.App.Clipboard().SetContent,
	}
	p.About.Licences = licences
	if a.shell != nil {
		p.Actions = a.shell.serviceActions(func(err error) { a.shell.app.serviceFailed(err) })
		p.Test = func(ctx context.Context) error {
			return a.shell.check(ctx, firstrun.ServiceDraft{Address: a.Address})
		}
		display := displayOf(a.window)
		p.Diagnostics = func(ctx context.Context) (string, error) { return a.Host.Diagnostics(ctx, display), ctx.Err() }
		p.CrashReport = func(context.Context) (string, error) { return a.Host.Crash().Text, nil }
	}
	a.settings = settings.New(p)
	return screen{object: a.settings.Object(), typedRune: func(r rune) { a.settings.TypedRune(r) }, typedKey: func(e *fyne.KeyEvent) { a.settings.TypedKey(e) },
		groups: withOwn(i18n.T("Settings"), a.settings.Shortcuts), say: a.settings.Say,
		shown: func() {
			a.settings.Show()
			a.settings.DeskChanged()
			a.onceDrawn(a.lookers, a.window.Canvas(), a.settings.Object(), a.settings.Focus)
		}}
}

// serviceFailed shows why the chosen service could not be opened.
func (a *app) serviceFailed(err error) {
	a.settings.ShowSection(settings.SectionService)
	a.settings.Say(present.Problem(err))
	a.rail.Select(screens.Settings)
}

// showSettings brings a section of the settings to the front.
func (a *app) showSettings(section settings.Section) {
	a.settings.ShowSection(section)
	a.rail.Select(screens.Settings)
}

// changeSettings first does what may fail of a change, then writes it. It blocks.
func (a *app) changeSettings(_ context.Context, do func(*config.Settings)) error {
	before := a.Config.Settings()
	wanted := before.Clone()
	do(&wanted)
	if wanted.Network != before.Network {
		if err := tryNetwork(wanted.Network); err != nil {
			return err
		}
	}
	undo, err := a.makeEntries(before.Desktop, wanted.Desktop)
	if err != nil {
		return err
	}
	if err := a.Config.Change(do); err != nil {
		undo()
		return err
	}
	return nil
}

// tryNetwork reports whether a proxy's address is valid and the certificates can be read. It makes no request.
func tryNetwork(n config.Network) error {
	c, err := client.New(client.Options{BaseURL: "https://service.invalid"}.WithNetwork(client.Network{Proxy: n.Proxy, Certificates: n.Certificates}))
	if err != nil {
		return err
	}
	c.Close()
	return nil
}

// makeEntries makes or removes the desktop entries as wanted. undo restores them.
func (a *app) makeEntries(before, wanted config.Desktop) (undo func(), err error) {
	var done []func()
	undo = func() {
		for _, back := range done {
			back()
		}
	}
	if a.Entries == nil {
		return undo, nil
	}
	for _, e := range []struct {
		was, is bool
		set     func(bool) error
	}{
		{before.Autostart, wanted.Autostart, a.Entries.Autostart},
		{before.OpenWith, wanted.OpenWith, a.Entries.OpenWith},
		{before.SendTo, wanted.SendTo, a.Entries.SendTo},
	} {
		if e.was == e.is {
			continue
		}
		if err := e.set(e.is); err != nil {
			undo()
			return func() {}, err
		}
		done = append(done, func() {
			if err := e.set(e.was); err != nil {
				a.Log.Warn("an entry in the desktop stays", "error", err)
			}
		})
	}
	return undo, nil
}

// desktopReasons says what this desktop can't do, and why. It blocks.
func (a *app) desktopReasons(ctx context.Context) settings.DesktopReasons {
	var why settings.DesktopReasons
	if a.shell == nil || !a.shell.tray.icon.Possible(ctx) {
		why.Tray = i18n.T("This desktop has no tray.")
	}
	autostart, openWith, sendTo := false, false, false
	if a.Entries != nil {
		autostart, openWith, sendTo = a.Entries.Possible()
	}
	for reason, possible := range map[*string]bool{&why.Autostart: autostart, &why.OpenWith: openWith, &why.SendTo: sendTo} {
		if !possible {
			*reason = i18n.T("This system does not offer this.")
		}
	}
	if a.Entries != nil && !openWith && a.Entries.OfferedByPackage() {
		why.OpenWith = i18n.T("Assay's package already offers this.")
	}
	return why
}

// licences are those of all that is in Assay.
func licences() (all []settings.Licence) {
	for _, l := range assets.Licences() {
		all = append(all, settings.Licence(l))
	}
	return all
}

// storage is how much Assay's files take. It reads the disk.
func (a *app) storage(ctx context.Context) (s settings.Storage, err error) {
	if s.Vault, err = a.Store.VaultSize(ctx); err != nil {
		return s, err
	}
	s.Free = -1
	if a.Host != nil {
		if free := a.Host.FreeBytes(); free > 0 {
			s.Free = free
		}
	}
	add := func(words, path string) {
		s.Places = append(s.Places, settings.StoragePlace{Words: words, Path: path})
	}
	if a.Folder != "" {
		s.Records = filesIn(a.Folder)
		add(i18n.T("Records, vault and log of this service"), a.Folder)
	}
	if a.Home != "" {
		add(i18n.T("Settings and crash reports"), a.Home)
	}
	return s, nil
}

// filesIn is how many bytes the files directly in a folder have.
func filesIn(folder string) (bytes int64) {
	listed, err := os.ReadDir(folder)
	if err != nil {
		return 0
	}
	for _, entry := range listed {
		var info fs.FileInfo
		if info, err = os.Stat(filepath.Join(folder, entry.Name())); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}
