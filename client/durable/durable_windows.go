package durable

import (
	"os"
	"time"
)

// A scanner for viruses, or another start of Assay that reads the file, may hold it for a moment.
const (
	replaceTries = 10
	replacePause = 20 * time.Millisecond
)

// Replace puts a file in another's place at once.
func Replace(from, to string) error {
	err := os.Rename(from, to)
	for try := 1; err != nil && try < replaceTries; try++ {
		<-time.After(replacePause)
		err = os.Rename(from, to)
	}
	return err
}

// SyncFolder does nothing: NTFS keeps its names in a journal of its own, and a folder can't be flushed.
func SyncFolder(string) error { return nil }
