package media

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestHash(t *testing.T) {
	open := func(t *testing.T, path string) *os.File {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				t.Error(err)
			}
		})
		return f
	}
	atStart := func(t *testing.T, f *os.File) {
		t.Helper()
		if at, err := f.Seek(0, io.SeekCurrent); at != 0 || err != nil {
			t.Errorf("the file stands at %d, error %v", at, err)
		}
	}

	t.Run("known sums, from the beginning wherever the file stands", func(t *testing.T) {
		for contents, want := range map[string]string{ // from FIPS 180's examples
			"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
			"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		} {
			path := filepath.Join(t.TempDir(), "a.txt")
			writeBytes(t, path, contents)
			f := open(t, path)
			if _, err := f.Seek(0, io.SeekEnd); err != nil {
				t.Fatal(err)
			}
			if got, err := Hash(t.Context(), f, nil); got != want || err != nil {
				t.Errorf("%q: %s, error %v, want %s", contents, got, err, want)
			}
			atStart(t, f)
		}
	})
	t.Run("progress rises to the size", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", 3*hashBlock+7))
		var steps []int64
		if _, err := Hash(t.Context(), f, func(done int64) { steps = append(steps, done) }); err != nil {
			t.Fatal(err)
		}
		if len(steps) < 4 || !slices.IsSorted(steps) || steps[len(steps)-1] != 3*hashBlock+7 {
			t.Errorf("steps %v", steps)
		}
	})
	t.Run("a cancel stops it at the next block", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", 100*hashBlock))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last int64
		_, err := Hash(ctx, f, func(done int64) {
			last = done
			cancel()
		})
		if !errors.Is(err, context.Canceled) || last > hashBlock {
			t.Errorf("error %v after %d bytes", err, last)
		}
		atStart(t, f)
	})
	for name, size := range map[string]int64{"grows": 9 * hashBlock, "shrinks": hashBlock} {
		t.Run("a file that "+name+" meanwhile", func(t *testing.T) {
			f := open(t, write(t, "a.mp4", 4*hashBlock))
			_, err := Hash(t.Context(), f, func(int64) {
				if err := f.Truncate(size); err != nil {
					t.Fatal(err)
				}
			})
			var changed *Changed
			if !errors.As(err, &changed) || changed.SizeWas != 4*hashBlock || changed.SizeIs != size {
				t.Errorf("error %v", err)
			}
			atStart(t, f)
		})
	}
	t.Run("a file that keeps growing is not read for ever", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", hashBlock))
		_, err := Hash(t.Context(), f, func(done int64) {
			if err := f.Truncate(done + 4*hashBlock); err != nil {
				t.Fatal(err)
			}
		})
		var changed *Changed
		if !errors.As(err, &changed) {
			t.Errorf("error %v, want a *Changed", err)
		}
	})
	t.Run("a closed file", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", 5))
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := Hash(t.Context(), f, nil)
		refused(t, err, Unreadable)
	})
}
