package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"assay/client/media"
	"assay/client/submission"
)

// choose opens the file dialog; the toolkit's takes one file at a time.
func (a *app) choose() {
	open := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			dialog.ShowError(err, a.window)
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
	open.Show()
	open.Resize(a.window.Canvas().Size().Subtract(fyne.NewSquareSize(80))) // it has no content before it is shown
}

// chooseFolder opens the dialog for a folder, whose files are taken with those of the folders in it.
func (a *app) chooseFolder() {
	open := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		if err != nil {
			dialog.ShowError(err, a.window)
			return
		}
		if folder != nil {
			a.accept([]string{folder.Path()}, submission.Chosen)
		}
	}, a.window)
	open.Show()
	open.Resize(a.window.Canvas().Size().Subtract(fyne.NewSquareSize(80))) // it has no content before it is shown
}
