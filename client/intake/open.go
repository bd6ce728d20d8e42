package intake

import (
	"errors"
	"os"

	"assay/client/media"
)

var errNotChecked = errors.New("the file has not been looked at yet")

// OpenFile opens a submission's own file, as long as it is still the one that was hashed. It reads the disk.
func (q *Queue) OpenFile(id string) (*os.File, error) {
	q.mu.Lock()
	it := q.items[id]
	if it == nil || it.SHA256 == "" {
		q.mu.Unlock()
		return nil, errNotChecked
	}
	file := it.file
	q.mu.Unlock()
	return media.Open(file)
}
