package gui

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/media"
	"assay/client/submission"
)

func TestThePersonsOwnFileServesWhereItsHashMatches(t *testing.T) {
	s := openStore(t)
	path := filepath.Join(t.TempDir(), "statement.txt")
	write := func(text string, at time.Time) {
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	write("as it was", at)
	sum := sha256.Sum256([]byte("as it was"))
	sub := answered(t, "own", 0, `{"mediaType":"TEXT","storageLocation":""}`)
	sub.Path, sub.Size, sub.Modified, sub.SHA256 = path, 9, at, hex.EncodeToString(sum[:])
	if _, err := s.Add(t.Context(), []submission.Submission{sub}); err != nil {
		t.Fatal(err)
	}
	open := func() error {
		kept := newSubmissions(nothingQueued{}, s, nil, func(submission.Submission) {}, time.Now)
		file, err := kept.ownFile(t.Context(), "own")
		if err == nil {
			err = file.Close()
		}
		return err
	}
	if err := open(); err != nil {
		t.Fatal(err)
	}
	write("as it is ", at) // of the same size, and dated back
	var changed *media.Changed
	if err := open(); !errors.As(err, &changed) {
		t.Errorf("another file is shown for it: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	kept := newSubmissions(nothingQueued{}, s, nil, func(submission.Submission) {}, time.Now)
	if _, err := kept.OpenOriginal(ctx, "own"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
