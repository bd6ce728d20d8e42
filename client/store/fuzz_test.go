package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"assay/client/store"
)

// FuzzOpen holds that however a store's file is damaged, opening it ends, and that it is taken as it is, refused, or set aside with all of
// its bytes; and that a page of one that was
// opened is read or says that the file is damaged.
func FuzzOpen(f *testing.F) {
	whole, err := filledOnce()
	must(f, err)
	f.Add(uint32(0), []byte("garbage"), 0)
	f.Add(uint32(16), []byte{0, 1}, 0)
	f.Add(uint32(28), []byte{0xff, 0xff, 0xff, 0xff}, 0)
	f.Add(uint32(100), bytes.Repeat([]byte{0xee}, 300), 100)
	f.Add(uint32(5000), []byte{}, 4096)
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, cut int) {
		damaged := bytes.Clone(whole)
		copy(damaged[int(at)%len(damaged):], patch)
		damaged = damaged[:len(damaged)-max(0, cut)%len(damaged)]
		folder := t.TempDir()
		path := filepath.Join(folder, "assay.db")
		must(t, os.WriteFile(path, damaged, 0o600))
		s, err := store.Open(t.Context(), folder, store.Options{})
		if err != nil {
			if kept, readErr := os.ReadFile(path); readErr != nil || len(kept) < len(damaged) {
				t.Errorf("refused with %v, and %d of %d bytes are left: %v", err, len(kept), len(damaged), readErr)
			}
			return
		}
		defer s.Close() //nolint:errcheck // a damaged one may say so
		if aside := s.SetAside(); aside != "" {
			if kept, err := os.ReadFile(filepath.Join(folder, aside)); err != nil || !bytes.Equal(kept[:min(len(kept), len(damaged))], damaged) {
				t.Errorf("of %d bytes %d were set aside: %v", len(damaged), len(kept), err)
			}
		}
		if _, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 1000); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("a page gives %v", err)
		}
		_ = s.VerifyCustody(t.Context()) // it may well find that the log was changed
	})
}
