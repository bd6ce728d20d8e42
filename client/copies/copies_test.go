package copies_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/copies"
	"assay/client/media"
	"assay/client/submission"
)

// chunk is one of a PNG file; its checksum is of no matter here.
func chunk(kind, content string) []byte {
	head := []byte{0, 0, byte(len(content) >> 8), byte(len(content))}
	return append(append(append(head, kind...), content...), 0, 0, 0, 0)
}

// hashed is a file with what Assay knows of it before it is sent.
func hashed(t *testing.T, name string, data []byte) media.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, data, 0o600))
	file, err := media.Limits(nil).Inspect(t.Context(), path)
	assert.NoError(t, err)
	sum := sha256.Sum256(data)
	file.SHA256, file.SendName = hex.EncodeToString(sum[:]), media.SendNameWith(name, "1a2b3c4d")
	return file
}

// picture is a PNG file with a comment on its author.
func picture(t *testing.T, name string) media.File {
	t.Helper()
	var b bytes.Buffer
	assert.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))))
	plain := b.Bytes()
	const header = 8 + 25 // signature and the first chunk
	return hashed(t, name, append(append(append([]byte(nil), plain[:header]...), chunk("tEXt", "Author\x00Jane Doe")...), plain[header:]...))
}

// names are what is in a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestCopy(t *testing.T) {
	t.Run("is the file without its metadata, for the person alone", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "copies")
		made, err := copies.In(folder).Copy(t.Context(), picture(t, "JANE.PNG"), "one", submission.Copying{WithoutMetadata: true})
		assert.NoError(t, err)
		data, err := os.ReadFile(made.Path)
		assert.NoError(t, err)
		sum := sha256.Sum256(data)
		if made.Path != filepath.Join(folder, "one.png") || made.SHA256 != hex.EncodeToString(sum[:]) || made.Size != int64(len(data)) || made.Removed != "author" {
			t.Errorf("%+v", made)
		}
		if bytes.Contains(data, []byte("Jane")) {
			t.Error("it names the author")
		}
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Error(err)
		}
		if runtime.GOOS == "windows" {
			return // rights are the folder's there
		}
		for path, want := range map[string]os.FileMode{folder: 0o700, made.Path: 0o600} {
			info, err := os.Stat(path)
			assert.NoError(t, err)
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s: %o", path, got)
			}
		}
	})
	t.Run("is the same each time, and takes the place of the one before", func(t *testing.T) {
		in := copies.In(t.TempDir())
		file := picture(t, "a.png")
		first, err := in.Copy(t.Context(), file, "one", submission.Copying{WithoutMetadata: true})
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(first.Path, []byte("garbage"), 0o600))
		again, err := in.Copy(t.Context(), file, "one", submission.Copying{WithoutMetadata: true})
		assert.NoError(t, err)
		if first != again || names(t, filepath.Dir(first.Path)) != "one.png" {
			t.Errorf("%+v, then %+v", first, again)
		}
	})
	t.Run("there is none of a text, which goes as it is", func(t *testing.T) {
		folder := t.TempDir()
		made, err := copies.In(folder).Copy(t.Context(), hashed(t, "a.txt", []byte("It was Jane.\n")), "one", submission.Copying{WithoutMetadata: true})
		if err != nil || made != (submission.Copy{}) || names(t, folder) != "" {
			t.Errorf("%+v, %v, %q", made, err, names(t, folder))
		}
	})
	t.Run("what holds other bytes than were hashed gives none", func(t *testing.T) {
		folder := t.TempDir()
		file := picture(t, "a.png")
		other := file
		other.SHA256 = strings.Repeat("0", 64)
		_, err := copies.In(folder).Copy(t.Context(), other, "one", submission.Copying{WithoutMetadata: true})
		if changed := (*media.Changed)(nil); !errors.As(err, &changed) {
			t.Errorf("other bytes: %v", err)
		}
		assert.NoError(t, os.Remove(file.Path))
		_, err = copies.In(folder).Copy(t.Context(), file, "one", submission.Copying{WithoutMetadata: true})
		if refusal := (*media.Refusal)(nil); !errors.As(err, &refusal) {
			t.Errorf("gone: %v", err)
		}
		if names(t, folder) != "" {
			t.Errorf("left: %s", names(t, folder))
		}
	})
	t.Run("what can't be cleaned says why", func(t *testing.T) {
		folder := t.TempDir()
		for name, data := range map[string]string{"pdf.png": "%PDF-1.7\n%\xe2\xe3", "damaged.png": "\x89PNG\r\n\x1a\nand no more"} {
			_, err := copies.In(folder).Copy(t.Context(), hashed(t, name, []byte(data)), "one", submission.Copying{WithoutMetadata: true})
			var said interface{ Sentence() string }
			if !errors.As(err, &said) || said.Sentence() == "" {
				t.Errorf("%s: %v", name, err)
			}
			if names(t, folder) != "" {
				t.Errorf("left: %s", names(t, folder))
			}
		}
	})
	t.Run("a folder that can't be written to says so", func(t *testing.T) {
		blocked := filepath.Join(t.TempDir(), "file")
		assert.NoError(t, os.WriteFile(blocked, nil, 0o600))
		_, err := copies.In(blocked).Copy(t.Context(), picture(t, "a.png"), "one", submission.Copying{WithoutMetadata: true})
		var problem *copies.Problem
		if !errors.As(err, &problem) || !strings.Contains(problem.Sentence(), "could not be written") || problem.Unwrap() == nil || problem.Error() == problem.Sentence() {
			t.Errorf("%v", err)
		}
	})
	t.Run("who gives up waiting gets none", func(t *testing.T) {
		folder := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := copies.In(folder).Copy(ctx, picture(t, "a.png"), "one", submission.Copying{WithoutMetadata: true}); !errors.Is(err, context.Canceled) || names(t, folder) != "" {
			t.Errorf("%v, %q", err, names(t, folder))
		}
	})
	t.Run("an ID never leads out of the folder", func(t *testing.T) {
		folder := t.TempDir()
		for _, id := range []string{"", "..", "../x", `..\x`, "a/b", "c:x", "a.b", "a\x00"} {
			if _, err := copies.In(folder).Copy(t.Context(), picture(t, "a.png"), id, submission.Copying{WithoutMetadata: true}); err == nil {
				t.Errorf("%q was taken", id)
			}
		}
	})
	t.Run("a name without a known extension gives it none", func(t *testing.T) {
		folder := t.TempDir()
		file := picture(t, "a.png")
		file.SendName = "a.exe"
		made, err := copies.In(folder).Copy(t.Context(), file, "one", submission.Copying{WithoutMetadata: true})
		if err != nil || made.Path != filepath.Join(folder, "one") || file.Type != client.Image {
			t.Errorf("%+v, %v", made, err)
		}
	})
}

func TestCopiesGo(t *testing.T) {
	folder := t.TempDir()
	in := copies.In(folder)
	for _, id := range []string{"one", "two", "three"} {
		_, err := in.Copy(t.Context(), picture(t, "a.png"), id, submission.Copying{WithoutMetadata: true})
		assert.NoError(t, err)
	}
	for _, name := range []string{"two.png.part", "four.part"} {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	assert.NoError(t, in.Remove("one"))
	assert.NoError(t, in.Remove("unknown"))
	if got := names(t, folder); got != "four.part three.png two.png two.png.part" {
		t.Errorf("after one was removed: %s", got)
	}
	assert.NoError(t, in.Sweep([]string{"two", "gone"}))
	if got := names(t, folder); got != "two.png" {
		t.Errorf("after the rest was swept up: %s", got)
	}
	nowhere := copies.In(filepath.Join(folder, "nowhere"))
	assert.NoError(t, nowhere.Sweep(nil))
	assert.NoError(t, nowhere.Remove("one"))
}
