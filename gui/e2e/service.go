//go:build e2e && linux

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Service is a sandbox in a process of its own.
type Service struct {
	*Process
	URL, Key string
	// Dir contains its records.
	Dir string
}

// StartService starts `assay sandbox` on a folder, at an address such as 127.0.0.1:0, and waits until it prints where it serves.
func (d *Desktop) StartService(ctx context.Context, dir, address string, arguments ...string) (*Service, error) {
	binary, err := Binary()
	if err != nil {
		return nil, err
	}
	process, err := d.Start(binary, append([]string{"sandbox", "--dir", dir, "--addr", address}, arguments...)...)
	if err != nil {
		return nil, err
	}
	s := &Service{Process: process, Dir: dir}
	err = Until(ctx, patience, "the service says where it serves", func() (bool, error) {
		select {
		case <-process.Ended():
			return false, fmt.Errorf("it ended: %s", process.Errors)
		default:
		}
		for _, line := range process.Output.Lines() {
			switch name, value, _ := strings.Cut(line, ": "); name {
			case "url":
				s.URL = value
			case "key":
				s.Key = value
			}
		}
		return s.URL != "" && s.Key != "", nil
	})
	return s, err
}

// Feedback is feedback in the service's records.
type Feedback struct{ RequestID, Category, Label string }

// Feedback returns all feedback that the service has, in no order.
func (s *Service) Feedback() ([]Feedback, error) {
	var all []Feedback
	err := readRecords(filepath.Join(s.Dir, "feedback"), func(j Feedback) { all = append(all, j) })
	return all, err
}

// Submissions counts the submissions that the service has, by the SHA-256 of their bytes. Upload URLs that were never used do not count.
func (s *Service) Submissions() (map[string]int, error) {
	counted := map[string]int{}
	type record struct{ Object, SHA256 string }
	err := readRecords(filepath.Join(s.Dir, "records"), func(r record) {
		if r.Object != "" {
			counted[r.SHA256]++
		}
	})
	return counted, err
}

// readRecords reads a folder of the service with a record in each file.
func readRecords[R any](folder string, read func(R)) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("the service's records: %w", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if errors.Is(err, fs.ErrNotExist) { // it was replaced by a new version
			continue
		}
		var record R
		if err == nil {
			err = json.Unmarshal(content, &record)
		}
		if err != nil {
			return fmt.Errorf("the service's record %s: %w", file.Name(), err)
		}
		read(record)
	}
	return nil
}
