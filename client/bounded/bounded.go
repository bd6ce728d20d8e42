// Package bounded reads whole files and answers up to a size: nothing on this computer or in the network can fill the memory, and a pipe that has
// taken a file's place is not waited for. It imports the standard library and i18n.
package bounded

import (
	"fmt"
	"io"
	"os"

	"assay/client/i18n"
)

// Refusal is the error for something that is not read.
type Refusal struct {
	Most int64 // the most bytes that it may have; 0: it is no regular file
}

func (r *Refusal) Error() string {
	if r.Most == 0 {
		return "not a regular file"
	}
	return fmt.Sprintf("larger than %d bytes", r.Most)
}

// UserMessage is the message for the person.
func (r *Refusal) UserMessage() i18n.Message {
	switch {
	case r.Most == 0:
		return i18n.M("It is not an ordinary file.")
	case r.Most >= 1<<20:
		return i18n.M("It is larger than %s MB.", i18n.CountMessage(int(r.Most>>20)))
	}
	return i18n.M("It is larger than %s bytes.", i18n.CountMessage(int(r.Most)))
}

// Sentence is the message in the language of the moment.
func (r *Refusal) Sentence() string { return r.UserMessage().String() }

// ReadFile reads a regular file of at most most bytes. An error is a *Refusal, or the system's.
func ReadFile(path string, most int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return ReadAll(file, most)
}

// Open opens a regular file for reading. An error is a *Refusal, or the system's.
func Open(path string) (*os.File, error) {
	facts, err := os.Stat(path) // before opening: opening a device may do something
	if err != nil {
		return nil, err
	}
	if !isFile(facts.Mode()) {
		return nil, &Refusal{}
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if facts, err = file.Stat(); err == nil && !isFile(facts.Mode()) { // something took the file's place a moment ago
		err = &Refusal{}
	}
	if err != nil {
		_ = file.Close() // only read from
		return nil, err
	}
	return file, nil
}

// ReadAll reads to the end, which must come after at most most bytes. An error is a *Refusal, or the reader's.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	read, err := ReadUpTo(r, most+1)
	if err == nil && int64(len(read)) > most {
		return nil, &Refusal{Most: most}
	}
	return read, err
}

// ReadUpTo reads to the end, or most bytes and leaves the rest.
func ReadUpTo(r io.Reader, most int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, most))
}
