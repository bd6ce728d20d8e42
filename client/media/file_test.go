package media

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/client"
	"assay/client/assert"
)

func TestInspect(t *testing.T) {
	t.Run("a file that may be sent", func(t *testing.T) {
		path := write(t, "Café (1).JPG", 1234)
		got := inspected(t, path)
		want := File{
			Path: path, Name: "Café (1).JPG", SendName: "Café__1_.JPG", Type: client.Image, Size: 1234, ModTime: changedAt.Local(),
		}
		assert.Equal(t, want, got, cmpopts.IgnoreUnexported(File{}))
	})
	t.Run("a relative path becomes absolute", func(t *testing.T) {
		path := write(t, "a.png", 1)
		t.Chdir(filepath.Dir(path))
		got := inspected(t, "a.png")
		if !filepath.IsAbs(got.Path) || filepath.Base(got.Path) != "a.png" {
			t.Errorf("path %q", got.Path)
		}
	})
	t.Run("U4 a long name is shortened for the service alone", func(t *testing.T) {
		name := strings.Repeat("n", 240) + ".jpeg"
		got := inspected(t, write(t, name, 1))
		if got.Name != name || got.SendName != strings.Repeat("n", 195)+".jpeg" {
			t.Errorf("name %q, sent as %q", got.Name, got.SendName)
		}
	})
	t.Run("U5 the original name is what is shown", func(t *testing.T) {
		got := inspected(t, write(t, "mayor's speech #2 🎤.mp3", 1))
		if got.Name != "mayor's speech #2 🎤.mp3" || got.SendName != "mayor_s_speech__2__.mp3" {
			t.Errorf("name %q, sent as %q", got.Name, got.SendName)
		}
	})
	t.Run("U7 an unsupported type is refused with the list", func(t *testing.T) {
		_, err := Limits(nil).Inspect(t.Context(), write(t, "a.pdf", 10))
		refused(t, err, Unsupported, "Files of this type can't be checked. The service takes: jpg, jpeg, png, gif, webp, mp3, wav, m4a, aac, ogg, flac, alac, mp4, mov, txt.")
	})
	t.Run("U8 exactly the cap goes, one byte more is refused", func(t *testing.T) {
		for name, tc := range map[string]struct {
			cap  int64
			says string
		}{
			"a.png": {50 << 20, "This picture is 52,428,801 bytes; the service takes pictures up to 50 MB (52,428,800 bytes)."},
			"a.wav": {20 << 20, "This recording is 20,971,521 bytes; the service takes recordings up to 20 MB (20,971,520 bytes)."},
			"a.MOV": {250 << 20, ""},
			"a.txt": {5 << 20, "This text is 5,242,881 bytes; the service takes texts up to 5 MB (5,242,880 bytes)."},
		} {
			if got, err := Limits(nil).Inspect(t.Context(), write(t, name, tc.cap)); err != nil || got.Size != tc.cap {
				t.Errorf("%s of the cap: %v, error %v", name, got.Size, err)
			}
			larger, err := Limits(nil).Inspect(t.Context(), write(t, name, tc.cap+1))
			if tc.says == "" { // a part can be cut out of it
				if err != nil || !larger.TooLarge || larger.Copied {
					t.Errorf("%s over the cap: %+v, error %v", name, larger, err)
				}
				continue
			}
			refused(t, err, TooLarge, tc.says)
		}
	})
	t.Run("what needs a copy is taken, and says so", func(t *testing.T) {
		for name, want := range map[string]client.MediaType{"IMG_1.HEIC": client.Image, "a.tiff": client.Image, "a.mkv": client.Video, "a.wma": client.Audio} {
			got, err := Limits(nil).Inspect(t.Context(), write(t, name, 10))
			if err != nil || !got.Copied || got.TooLarge || got.Type != want {
				t.Errorf("%s: %+v, error %v", name, got, err)
			}
		}
	})
	t.Run("U8 the sentence names the cap and the size", func(t *testing.T) {
		_, err := Limits(nil).Inspect(t.Context(), write(t, "a.jpg", 61<<20+200<<10))
		refused(t, err, TooLarge, "This picture is 61.2 MB; the service takes pictures up to 50 MB.")
	})
	t.Run("U8 a cap of one's own is the one in force and the one named", func(t *testing.T) {
		own := Limits{client.Image: 2 << 20}
		if _, err := own.Inspect(t.Context(), write(t, "a.jpg", 2<<20)); err != nil {
			t.Error(err)
		}
		_, err := own.Inspect(t.Context(), write(t, "b.jpg", 3<<20))
		refused(t, err, TooLarge, "This picture is 3 MB; the service takes pictures up to 2 MB.")
	})
	t.Run("U9 a large text carries its warning, others carry none", func(t *testing.T) {
		for name, warned := range map[string]bool{"large.txt": true, "large.jpg": false} {
			got := inspected(t, write(t, name, 1<<20))
			if (!got.Warning.IsZero()) != warned {
				t.Errorf("%s: warning %q", name, got.Warning)
			}
		}
	})
	t.Run("U12 an empty file is refused", func(t *testing.T) {
		_, err := Limits(nil).Inspect(t.Context(), write(t, "a.jpg", 0))
		refused(t, err, Empty, "This file is empty.")
	})

	t.Run("a folder, even one with a picture's name", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "holiday.jpg")
		assert.NoError(t, os.Mkdir(path, 0o700))
		_, err := Limits(nil).Inspect(t.Context(), path)
		refused(t, err, Folder, "This is a folder: choose the files inside it.")
	})
	t.Run("something that is no file is never opened", func(t *testing.T) {
		_, err := Limits(nil).inspect(t.Context(), os.DevNull, func(string) (*os.File, error) {
			t.Error("opened")
			return nil, os.ErrInvalid
		})
		refused(t, err, Special)
	})
	t.Run("one that is not there", func(t *testing.T) {
		path := write(t, "a.jpg", 1)
		for _, missing := range []string{path + ".gone.jpg", filepath.Join(path, "below-a-file.jpg")} {
			_, err := Limits(nil).Inspect(t.Context(), missing)
			refused(t, err, Missing)
		}
	})
	t.Run("one that vanishes between two looks", func(t *testing.T) {
		_, err := Limits(nil).inspect(t.Context(), write(t, "a.jpg", 1), func(path string) (*os.File, error) {
			assert.NoError(t, os.Remove(path))
			return openFile(path)
		})
		refused(t, err, Missing)
	})
	t.Run("one that is emptied between two looks", func(t *testing.T) {
		_, err := Limits(nil).inspect(t.Context(), write(t, "a.jpg", 1), func(path string) (*os.File, error) {
			assert.NoError(t, os.Truncate(path, 0))
			return openFile(path)
		})
		refused(t, err, Empty)
	})
	t.Run("one that its owner does not share", func(t *testing.T) {
		_, err := Limits(nil).inspect(t.Context(), write(t, "a.jpg", 1), denied)
		refused(t, err, Unreadable, "This file can't be read: its owner has not allowed it.")
	})
	t.Run("one that the disk does not give", func(t *testing.T) {
		_, err := Limits(nil).inspect(t.Context(), write(t, "a.jpg", 1), func(path string) (*os.File, error) {
			return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EIO}
		})
		refused(t, err, Unreadable)
		if !strings.HasPrefix(err.Error(), "This file can't be read: ") || strings.Contains(err.Error(), "a.jpg") || !errors.Is(err, syscall.EIO) {
			t.Errorf("says %q", err)
		}
	})
	t.Run("an ended context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Limits(nil).Inspect(ctx, write(t, "a.jpg", 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestOpen(t *testing.T) {
	added := func(t *testing.T) File {
		t.Helper()
		path := filepath.Join(t.TempDir(), "a.jpg")
		writeBytes(t, path, "before")
		return inspected(t, path)
	}
	t.Run("the same file", func(t *testing.T) {
		f := added(t)
		for name, file := range map[string]File{
			"as inspected": f,
			"read back":    {Path: f.Path, Size: f.Size, ModTime: f.ModTime},
		} {
			opened, err := Open(file)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := errors.Join(Unchanged(file), StillSame(file, opened), opened.Close()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	for name, tc := range map[string]struct {
		change func(t *testing.T, path string)
		says   string
	}{
		"a file that grew": {
			func(t *testing.T, path string) { writeBytes(t, path, "before and after") },
			"This file has changed since it was added: it was 6 bytes and is now 16 bytes. Add it again to send it as it is now.",
		},
		"a file rewritten with the same size": {
			func(t *testing.T, path string) {
				writeBytes(t, path, "after.")
				touch(t, path, changedAt.Add(time.Second))
			},
			"This file has changed since it was added. Add it again to send it as it is now.",
		},
		"another file of the same size and time": {
			func(t *testing.T, path string) {
				writeBytes(t, path+".new", "other.")
				assert.NoError(t, os.Rename(path+".new", path))
			},
			"Another file has taken this one's place since it was added. Add it again to send the new one.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := added(t)
			tc.change(t, f.Path)
			_, err := Open(f)
			for name, err := range map[string]error{"Open": err, "Unchanged": Unchanged(f)} {
				var changed *Changed
				if !errors.As(err, &changed) {
					t.Fatalf("%s: error %v, want a *Changed", name, err)
				}
				if err.Error() != tc.says {
					t.Errorf("%s says %q, want %q", name, err, tc.says)
				}
			}
		})
	}
	t.Run("a folder in the file's place", func(t *testing.T) {
		f := added(t)
		assert.NoError(t, errors.Join(os.Remove(f.Path), os.Mkdir(f.Path, 0o700)))
		_, err := Open(f)
		var changed *Changed
		var refusal *Refusal // Windows does not open a folder
		if !errors.As(err, &changed) && !errors.As(err, &refusal) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a file that is gone", func(t *testing.T) {
		f := added(t)
		assert.NoError(t, os.Remove(f.Path))
		_, err := Open(f)
		refused(t, err, Missing)
		refused(t, Unchanged(f), Missing)
	})
	t.Run("a change while it is open shows afterwards", func(t *testing.T) {
		f := added(t)
		opened, err := Open(f)
		assert.NoError(t, err)
		defer opened.Close() //nolint:errcheck // read only
		writeBytes(t, f.Path, "longer than before")
		var changed *Changed
		if err := StillSame(f, opened); !errors.As(err, &changed) {
			t.Errorf("error %v, want a *Changed", err)
		}
	})
}
