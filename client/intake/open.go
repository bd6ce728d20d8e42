package intake

import (
	"errors"
	"os"

	"assay/client/media"
	"assay/client/submission"
)

var (
	errNotChecked = errors.New("the file has not been looked at yet")
	errNoFile     = errors.New("it was submitted as a link, so no file of it is on this computer")
)

// OpenFile opens a submission's own file, as long as it is still the one that was hashed. It reads the disk.
func (q *Queue) OpenFile(id string) (*os.File, error) {
	q.mu.Lock()
	e := q.entries[id]
	if e != nil && e.Link != "" {
		q.mu.Unlock()
		return nil, errNoFile
	}
	if e == nil || e.SHA256 == "" {
		q.mu.Unlock()
		return nil, errNotChecked
	}
	file := FileOf(e.Submission)
	q.mu.Unlock()
	return media.Open(file)
}

// FileOf is a submission's file as it was when it was hashed, for media.Open.
func FileOf(s submission.Submission) media.File {
	return media.File{Path: s.Path, Name: s.Name, SendName: s.SendName, Type: s.Type, Size: s.Size, ModTime: s.Modified, SHA256: s.SHA256}
}
