package gui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
	"assay/gui/present"
)

// choose asks for files: with the desktop's own dialog, where there is one that takes many at once, else with the toolkit's.
func (a *app) choose() {
	if a.choosing {
		return // it is open
	}
	a.choosing = true
	a.lookers.Do(func(ctx context.Context) func() {
		paths, shown := chooseFiles(ctx, i18n.T("Choose files"), media.Supported())
		return func() {
			a.choosing = false
			if !shown {
				a.chooseOne()
				return
			}
			a.accept(paths, submission.Chosen)
		}
	})
}

// chooseOne opens the toolkit's dialog, which takes one file at a time.
func (a *app) chooseOne() {
	open := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			a.inbox.Say(i18n.F("The dialog could not be opened. %s", present.Problem(err)))
			return
		}
		if file == nil {
			return // cancelled
		}
		path := file.URI().Path()
		if err := file.Close(); err != nil {
			a.Log.Warn("file dialog", "error", err)
		}
		a.accept([]string{path}, submission.Chosen)
	}, a.window)
	var extensions []string
	for _, e := range media.Supported() {
		extensions = append(extensions, "."+e)
	}
	open.SetFilter(storage.NewExtensionFileFilter(extensions))
	showFileDialog(open, i18n.T("Choose a file"), a.window)
}

// chooseFolder opens the dialog for a folder, whose files are taken with those of the folders in it.
func (a *app) chooseFolder() {
	open := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		if err != nil {
			a.inbox.Say(i18n.F("The dialog could not be opened. %s", present.Problem(err)))
			return
		}
		if folder != nil {
			a.accept([]string{folder.Path()}, submission.Chosen)
		}
	}, a.window)
	showFileDialog(open, i18n.T("Choose a folder"), a.window)
}
