package gui

import (
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage/repository"

	"assay/client/i18n"
	"assay/gui/present"
)

// askWhere asks where to save a file, suggesting its name, and calls then with the path. It asks whether a file that is there may be replaced, and
// leaves that as it is.
func (a *app) askWhere(name string, then func(path string)) {
	restore := openLate()
	d := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
		restore()
		switch {
		case err != nil:
			a.sayInFront(i18n.F("The dialog could not be opened. %s", present.Problem(err)))
		case file != nil: // else it was cancelled
			if err := file.Close(); err != nil {
				a.Log.Warn("file dialog", "error", err)
			}
			then(file.URI().Path())
		}
	}, a.window)
	d.SetFileName(name)
	showFileDialog(d, i18n.T("Save the report"), a.window)
}

// fileRepository is what the toolkit uses for files.
type fileRepository interface {
	repository.AppendableRepository
	repository.ListableRepository
	repository.HierarchicalRepository
	repository.CopyableRepository
	repository.MovableRepository
}

// lateFiles are the toolkit's files, of which one that is to be written is made or emptied at the first write. The toolkit itself empties a file when
// it is chosen in the dialog: a report that then fails or is stopped would have destroyed the earlier one.
type lateFiles struct{ fileRepository }

// openLate has the toolkit use lateFiles until restore is called.
func openLate() (restore func()) {
	files, err := repository.ForScheme("file")
	if err != nil {
		return func() {}
	}
	usual, ok := files.(fileRepository)
	if !ok {
		return func() {}
	}
	repository.Register("file", lateFiles{usual})
	return func() { repository.Register("file", usual) }
}

// Writer implements repository.WritableRepository.
func (lateFiles) Writer(u fyne.URI) (fyne.URIWriteCloser, error) { return &lateFile{uri: u}, nil }

// lateFile is a file that is opened at the first write.
type lateFile struct {
	uri  fyne.URI
	file *os.File
}

// URI implements fyne.URIWriteCloser.
func (f *lateFile) URI() fyne.URI { return f.uri }

// Write implements io.Writer.
func (f *lateFile) Write(p []byte) (n int, err error) {
	if f.file == nil {
		if f.file, err = os.Create(f.uri.Path()); err != nil {
			return 0, err
		}
	}
	return f.file.Write(p)
}

// Close implements io.Closer.
func (f *lateFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
