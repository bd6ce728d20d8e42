package gui

import (
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage/repository"
)

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
