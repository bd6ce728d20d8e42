package gui

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"assay/client/i18n"
	"assay/client/portal"
	"assay/gui/present"
	"assay/gui/work"
)

// fileDialogs ask the person for files, folders, and where to save: with the desktop's own dialog where it has one, else with the toolkit's, over the
// window. One is open at a time. They belong to the UI thread, and so do the functions that they call.
type fileDialogs struct {
	window  fyne.Window
	workers *work.Workers // one waits while the desktop's own is open
	log     *slog.Logger
	say     func(sentence string) // that a dialog could not be opened
	open    bool                  // the desktop's own
}

// ask asks with the desktop's own dialog, and with the toolkit's where there is none. then is called if the person chose something.
func (d *fileDialogs) ask(desktops func(ctx context.Context) (paths []string, shown bool), toolkits func(), then func(paths []string)) {
	if d.open {
		return
	}
	d.open = true
	d.workers.Do(func(ctx context.Context) func() {
		paths, shown := desktops(ctx)
		return func() {
			d.open = false
			switch {
			case !shown:
				toolkits()
			case len(paths) > 0:
				then(paths)
			}
		}
	})
}

// askOne is ask for dialogs in which one thing is chosen.
func (d *fileDialogs) askOne(desktops func(ctx context.Context) (path string, shown bool), toolkits func(), then func(path string)) {
	d.ask(func(ctx context.Context) ([]string, bool) {
		path, shown := desktops(ctx)
		if path == "" {
			return nil, shown
		}
		return []string{path}, shown
	}, toolkits, func(paths []string) { then(paths[0]) })
}

// files asks for files with these extensions: many at once in the desktop's own dialog, one in the toolkit's.
func (d *fileDialogs) files(extensions []string, then func(paths []string)) {
	d.ask(func(ctx context.Context) ([]string, bool) {
		return portal.OpenFiles(ctx, i18n.T("Choose files"), portal.Filter{Name: i18n.T("Supported files"), Extensions: extensions}, portal.Filter{Name: i18n.T("All files")})
	}, func() {
		d.toolkitsFile(i18n.T("Choose a file"), extensions, func(path string) { then([]string{path}) })
	}, then)
}

// file asks for a file of any type.
func (d *fileDialogs) file(title string, then func(path string)) {
	d.askOne(func(ctx context.Context) (string, bool) { return portal.OpenFile(ctx, title) }, func() { d.toolkitsFile(title, nil, then) }, then)
}

func (d *fileDialogs) toolkitsFile(title string, extensions []string, then func(path string)) {
	open := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			d.couldNot(err)
		case file != nil: // else it was cancelled
			path := file.URI().Path()
			d.close(file)
			then(path)
		}
	}, d.window)
	if len(extensions) > 0 {
		var dotted []string
		for _, e := range extensions {
			dotted = append(dotted, "."+e)
		}
		open.SetFilter(storage.NewExtensionFileFilter(dotted))
	}
	showFileDialog(open, title, d.window)
}

// folder asks for a folder.
func (d *fileDialogs) folder(title string, then func(path string)) {
	d.askOne(func(ctx context.Context) (string, bool) { return portal.OpenFolder(ctx, title) }, func() {
		showFileDialog(dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
			switch {
			case err != nil:
				d.couldNot(err)
			case folder != nil:
				then(folder.Path())
			}
		}, d.window), title, d.window)
	}, then)
}

// save asks where to save a file, suggesting its name. It asks whether a file that is there may be replaced, and leaves that as it is.
func (d *fileDialogs) save(title, name string, take func(path string)) {
	then := func(path string) {
		if ending := filepath.Ext(name); portal.Sandboxed(nil) && !strings.EqualFold(filepath.Ext(path), ending) {
			d.save(i18n.F("The name must end in %s", ending), name, take) // the sandbox can write to that very name alone, so that no ending can be added
			return
		}
		take(path)
	}
	d.askOne(func(ctx context.Context) (string, bool) { return portal.SaveFile(ctx, title, name) }, func() {
		restore := openLate()
		save := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
			restore()
			switch {
			case err != nil:
				d.couldNot(err)
			case file != nil:
				d.close(file)
				then(file.URI().Path())
			}
		}, d.window)
		save.SetFileName(name)
		showFileDialog(save, title, d.window)
	}, then)
}

func (d *fileDialogs) couldNot(err error) {
	d.say(i18n.F("The dialog could not be opened. %s", present.Problem(err)))
}

// close closes what the toolkit has opened: only its path counts.
func (d *fileDialogs) close(file interface{ Close() error }) {
	if err := file.Close(); err != nil {
		d.log.Warn("file dialog", "error", err)
	}
}
