package sandbox

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/google/uuid"
)

// The parts of the sandbox's folder. Every name in them is a UUID that the sandbox made: no name from outside ever becomes part of a path.
const (
	recordsDir   = "records"   // <requestId>.json
	incomingDir  = "incoming"  // uploads that are not complete, and records that are being written
	objectsDir   = "objects"   // the bytes of uploads
	artifactsDir = "artifacts" // one folder for each analysis
	feedbackDir  = "feedback"  // <id>.json
)

// folder is the sandbox's folder on disk. Nothing outside it can be reached through it.
type folder struct{ root *os.Root }

func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the sandbox's folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the sandbox's folder: %w", err)
	}
	for _, room := range []string{recordsDir, incomingDir, objectsDir, artifactsDir, feedbackDir} {
		if err := root.MkdirAll(room, 0o700); err != nil {
			return nil, errors.Join(fmt.Errorf("the sandbox's folder: %w", err), root.Close())
		}
	}
	return &folder{root: root}, nil
}

func (f *folder) close() error { return f.root.Close() }

// secret reads a random text kept under a fixed name, or makes it.
func (f *folder) secret(name string) (string, error) {
	kept, err := f.root.ReadFile(name)
	if err == nil {
		if text := strings.TrimSpace(string(kept)); text != "" {
			return text, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text := rand.Text() + rand.Text()
	return text, f.write(name, []byte(text+"\n"))
}

// write writes a file, whole or not at all, also in a crash.
func (f *folder) write(name string, data []byte) error {
	temporary := path.Join(incomingDir, uuid.NewString())
	file, err := f.create(temporary)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = f.root.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, f.root.Remove(temporary))
	}
	return nil
}

// create makes a new file that is private to the user.
func (f *folder) create(name string) (*os.File, error) {
	return f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

func (f *folder) save(r record) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return fmt.Errorf("encode the record: %w", err)
	}
	return f.write(path.Join(recordsDir, r.RequestID+".json"), data)
}

// records reads all records; damaged are the errors of those that can't be read.
func (f *folder) records() (whole []record, damaged []error, err error) {
	listed, err := fs.ReadDir(f.root.FS(), recordsDir)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range listed {
		id, isRecord := strings.CutSuffix(file.Name(), ".json")
		if !isRecord || uuid.Validate(id) != nil {
			continue
		}
		var r record
		data, err := f.root.ReadFile(path.Join(recordsDir, file.Name()))
		if err == nil {
			err = json.Unmarshal(data, &r)
		}
		if err == nil && r.RequestID != id {
			err = errors.New("it names another requestId")
		}
		if err != nil {
			damaged = append(damaged, fmt.Errorf("%s: %w", file.Name(), err))
			continue
		}
		whole = append(whole, r)
	}
	return whole, damaged, nil
}

// sweep removes what a crash left: files that no record names. What can't be removed does no harm.
func (f *folder) sweep(records []record) {
	named := map[string]bool{}
	for _, r := range records {
		named[r.Object] = true
		if r.Outcome != nil {
			named[r.Outcome.Artifacts] = true
		}
	}
	for _, room := range []string{incomingDir, objectsDir, artifactsDir} {
		listed, err := fs.ReadDir(f.root.FS(), room)
		if err != nil {
			continue
		}
		for _, file := range listed {
			if uuid.Validate(file.Name()) == nil && !named[file.Name()] {
				_ = f.root.RemoveAll(path.Join(room, file.Name())) // the next start tries again
			}
		}
	}
}

// discard removes an object or a folder of artifacts that no record names any more; "" is none.
func (f *folder) discard(room, name string) {
	if name != "" {
		_ = f.root.RemoveAll(path.Join(room, name)) // on Windows, a file that is being read is removed at the next start
	}
}
