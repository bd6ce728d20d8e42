package gui

import (
	"context"
	"errors"
	"io"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"golang.design/x/clipboard"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/present"
)

// savePicture asks where a picture is to be saved, by a name to begin with, and has write called on a worker.
func (a *app) savePicture(name string, write func(ctx context.Context, to io.Writer) error) {
	d := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
		switch {
		case err != nil:
			a.viewer.Say(i18n.F("The picture could not be saved. %s", present.Problem(err)))
			return
		case file == nil:
			return // they thought better of it
		}
		a.player.Do(func(ctx context.Context) func() { // it takes a while, and what is dropped meanwhile must not wait for it
			err := errors.Join(write(ctx, file), file.Close())
			if err != nil {
				_ = storage.Delete(file.URI()) // a part of a picture is worth nothing
			}
			return func() {
				if err != nil {
					a.viewer.Say(i18n.F("The picture could not be saved. %s", present.Problem(err)))
					return
				}
				a.viewer.Say(i18n.F("Saved as %s.", plain.From(file.URI().Name()).String()))
			}
		})
	}, a.window)
	d.SetFileName(name)
	showFileDialog(d, i18n.T("Save the picture"), a.window)
}

// copyPicture puts a PNG on the clipboard.
func (a *app) copyPicture(png []byte) {
	a.acceptors.Do(func(context.Context) func() {
		err := toClipboard(png)
		return func() {
			if err != nil {
				a.viewer.Say(i18n.T("This computer's clipboard does not take pictures. Save it as a file instead."))
				a.Log.Warn("copy a picture", "error", err)
				return
			}
			a.viewer.Say(i18n.T("Copied."))
		}
	})
}

// clipboardReady tells once whether there is a clipboard for pictures.
var clipboardReady = sync.OnceValue(clipboard.Init)

func toClipboard(png []byte) error {
	if err := clipboardReady(); err != nil {
		return err
	}
	clipboard.Write(clipboard.FmtImage, png)
	return nil
}
