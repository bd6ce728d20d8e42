package config

import (
	"os"
	"time"
)

// A scanner for viruses, or another start of Assay that reads the file, may hold it for a moment.
const (
	replaceTries = 10
	replacePause = 20 * time.Millisecond
)

// replaceFile puts a file in another's place at once.
func replaceFile(from, to string) error {
	err := os.Rename(from, to)
	for try := 1; err != nil && try < replaceTries; try++ {
		<-time.After(replacePause)
		err = os.Rename(from, to)
	}
	return err
}

// syncFolder does nothing: Windows keeps the names in a folder by itself.
func syncFolder(string) error { return nil }

// trusted believes the file: it lies beside the program (ManagedPath), and who may write there can put another program in its place.
func trusted(string) error { return nil }
