package bundle_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/report/bundle"
)

// TestHostileNames are names that a stranger may put into a bundle: none is opened, and none makes it intact.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{
		"../outside.txt", "data/../../outside.txt", "/etc/passwd", "//server/share", `data\..\..\outside.txt`, `C:\outside.txt`, "C:/outside.txt", "data/a:b", "data/./a", "data//a",
		"data/con", "data/NUL.txt", "data/com1.jpg", "data/lpt9 .txt", "data/CONIN$", "data/a.", "data/a ", "data/ a", "data/a\x00b", "data/a\nb", "data/a\x7f", "data/\xff", "data/a?b", "data/a|b",
		"data/" + strings.Repeat("a", 256), "data" + strings.Repeat("/a", 20), "data/..", "..",
	} {
		t.Run(fmt.Sprintf("%.40q", name), func(t *testing.T) {
			b := newBag(t)
			b[name] = []byte("hostile")
			v, err := bundle.Verify(t.Context(), writeFile(t, "case.zip", b.list().seal(t, ownKey).zipped(t, "case/", zip.Store)), bundle.VerifyOptions{Signers: known(t)})
			if err == nil && v.State.Intact() {
				t.Errorf("%+v", v)
			}
			b = newBag(t).list()
			b["manifest-sha256.txt"] = append(b["manifest-sha256.txt"], sum([]byte("hostile"))+"  "+name+"\n"...)
			delete(b, "tagmanifest-sha256.txt")
			if v := verify(t, b.relisted().seal(t, ownKey).folder(t)); v.State.Intact() {
				t.Errorf("in the manifest: %+v", v)
			}
		})
	}
}

// relisted makes the tag manifest anew.
func (b bag) relisted() bag {
	payload := b["manifest-sha256.txt"]
	tags := bytes.Buffer{}
	for _, name := range b.names() {
		if !strings.HasPrefix(name, "data/") && !strings.HasPrefix(name, "seal/") && name != "tagmanifest-sha256.txt" {
			fmt.Fprintf(&tags, "%s  %s\n", sum(b[name]), name)
		}
	}
	b["manifest-sha256.txt"], b["tagmanifest-sha256.txt"] = payload, tags.Bytes()
	return b
}

// TestTwins are two names that some system takes for one.
func TestTwins(t *testing.T) {
	for name, twins := range map[string][2]string{
		"capitals": {"data/a.jpg", "data/A.jpg"}, "capitals of folders": {"data/x/a.jpg", "data/X/a.jpg"}, "a long s": {"data/s.jpg", "data/\u017f.jpg"},
		"accents, composed and not": {"data/\u00e9.jpg", "data/e\u0301.jpg"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBag(t)
			b[twins[0]], b[twins[1]] = []byte("one"), []byte("two")
			if v := verify(t, b.list().seal(t, ownKey).zip(t)); v.State != bundle.Changed || !slices.ContainsFunc(v.Findings, func(f bundle.Finding) bool { return f.Change == bundle.NameTwice }) {
				t.Errorf("%+v", v)
			}
		})
	}
	t.Run("the same name twice in a zip", func(t *testing.T) {
		b := newBag(t).list().seal(t, ownKey)
		v := verify(t, writeFile(t, "case.zip", b.zippedBut(t, nil, func(w *zip.Writer) {
			entry, err := w.Create("case/data/report.pdf")
			assert.NoError(t, err)
			_, err = entry.Write([]byte("another"))
			assert.NoError(t, err)
		})))
		if v.State.Intact() {
			t.Errorf("%+v", v)
		}
	})
}

// zippedBut zips a bag, with headers changed and with what more writes.
func (b bag) zippedBut(t testing.TB, change func(*zip.FileHeader), more func(*zip.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range b.names() {
		h := &zip.FileHeader{Name: "case/" + name}
		h.SetMode(0o644)
		if change != nil {
			change(h)
		}
		entry, err := w.CreateHeader(h)
		assert.NoError(t, err)
		_, err = entry.Write(b[name])
		assert.NoError(t, err)
	}
	if more != nil {
		more(w)
	}
	assert.NoError(t, w.Close())
	return out.Bytes()
}

// TestZipsThatWereChangedAroundTheirFiles have every file as it was sealed: that is said, but not that they are intact.
func TestZipsThatWereChangedAroundTheirFiles(t *testing.T) {
	b := newBag(t).list().seal(t, ownKey)
	whole := b.zipped(t, "case/", zip.Store)
	for name, content := range map[string][]byte{
		"compressed": b.zipped(t, "case/", zip.Deflate),
		"a comment":  b.zippedBut(t, nil, func(w *zip.Writer) { assert.NoError(t, w.SetComment("hello")) }),
		"a comment of a file": b.zippedBut(t, func(h *zip.FileHeader) {
			if h.Name == "case/bagit.txt" {
				h.Comment = "hello"
			}
		}, nil),
		"an extra field": b.zippedBut(t, func(h *zip.FileHeader) {
			if h.Name == "case/bagit.txt" {
				h.Extra = []byte{0xfe, 0xca, 1, 0, 'x'}
			}
		}, nil),
		"a folder's entry": b.zippedBut(t, nil, func(w *zip.Writer) {
			_, err := w.Create("case/data/empty/")
			assert.NoError(t, err)
		}),
		"another mode": b.zippedBut(t, func(h *zip.FileHeader) {
			if h.Name == "case/bagit.txt" {
				h.SetMode(0o755)
			}
		}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			v := verify(t, writeFile(t, "case.zip", content))
			assert.Equal(t, []string{"zip changed"}, changes(v))
			if v.State != bundle.Changed || v.Seal == nil {
				t.Errorf("%+v", v)
			}
		})
	}
	t.Run("without its folder it is as it was", func(t *testing.T) {
		if v := verify(t, writeFile(t, "case.zip", b.zipped(t, "", zip.Store))); v.State != bundle.Intact {
			t.Errorf("%+v", v)
		}
	})
	for name, content := range map[string][]byte{"bytes before": append([]byte("#!/bin/sh\n"), whole...), "bytes after": append(bytes.Clone(whole), "more"...), "cut": whole[:len(whole)-1]} {
		t.Run(name, func(t *testing.T) {
			if v, err := bundle.Verify(t.Context(), writeFile(t, "case.zip", content), bundle.VerifyOptions{}); err == nil && v.State.Intact() {
				t.Errorf("%+v", v)
			}
		})
	}
}

// directory finds the central directory of a zip without comment, and the first record in it.
func directory(zipped []byte) int { return int(binary.LittleEndian.Uint32(zipped[len(zipped)-6:])) }

func TestZipsThatLie(t *testing.T) {
	b := newBag(t).list().seal(t, ownKey)
	for name, change := range map[string]func(zipped []byte) []byte{
		"a link": func([]byte) []byte {
			return b.zippedBut(t, func(h *zip.FileHeader) {
				if h.Name == "case/VERIFY.txt" {
					h.SetMode(os.ModeSymlink | 0o777)
				}
			}, nil)
		},
		"a larger size": func(z []byte) []byte {
			binary.LittleEndian.PutUint32(z[directory(z)+24:], 1<<31)
			return z
		},
		"a larger packed size": func(z []byte) []byte {
			binary.LittleEndian.PutUint32(z[directory(z)+20:], 1<<31)
			return z
		},
		"two files at one place": func(z []byte) []byte {
			at := directory(z)
			next := at + 46 + int(binary.LittleEndian.Uint16(z[at+28:])) + int(binary.LittleEndian.Uint16(z[at+30:]))
			copy(z[next+42:next+46], z[at+42:at+46])
			return z
		},
		"ten million files": func(z []byte) []byte {
			end := z[len(z)-22:]
			binary.LittleEndian.PutUint16(end[8:], 0xfffe)
			binary.LittleEndian.PutUint16(end[10:], 0xfffe)
			return z
		},
		"a directory of 4 GB": func(z []byte) []byte {
			binary.LittleEndian.PutUint32(z[len(z)-10:], 0xfffffff0)
			return z
		},
		"a directory elsewhere": func(z []byte) []byte {
			binary.LittleEndian.PutUint32(z[len(z)-6:], 3)
			return z
		},
		"zip64 without its records": func(z []byte) []byte {
			binary.LittleEndian.PutUint32(z[len(z)-6:], 0xffffffff)
			return z
		},
		"a password": func(z []byte) []byte {
			z[directory(z)+8] |= 1
			return z
		},
		"an unknown compression": func(z []byte) []byte {
			z[directory(z)+10] = 99
			return z
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "case.zip", change(b.zipped(t, "case/", zip.Store)))
			if v, err := bundle.Verify(t.Context(), path, bundle.VerifyOptions{Signers: known(t)}); err == nil && v.State.Intact() {
				t.Errorf("%+v", v)
			}
			bundle.Is(path)
		})
	}
}

// TestMoreFilesThanAnyBundleHas is of a zip of more than a million files, each empty.
func TestMoreFilesThanAnyBundleHas(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about sizes, and starts nothing that other tests do not")
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := range 1<<20 + 1 {
		_, err := w.CreateRaw(&zip.FileHeader{Name: strconv.Itoa(i)})
		assert.NoError(t, err)
	}
	assert.NoError(t, w.Close())
	path := writeFile(t, "case.zip", out.Bytes())
	var read *bundle.ReadError
	if v, err := bundle.Verify(t.Context(), path, bundle.VerifyOptions{}); v != nil || !errors.As(err, &read) || read.Problem != bundle.TooLarge || bundle.Is(path) {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestBombs are small files that unpack to large ones: neither memory nor time is given to them.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about sizes, and starts nothing that other tests do not")
	}
	b := newBag(t).list().seal(t, ownKey)
	content := b.zippedBut(t, nil, func(w *zip.Writer) {
		for _, name := range []string{"case/data/bomb", "case/manifest-sha512.txt"} {
			entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
			assert.NoError(t, err)
			_, err = io.CopyN(entry, zeros{}, 200<<20)
			assert.NoError(t, err)
		}
	})
	var before, after runtime.MemStats
	path := writeFile(t, "case.zip", content)
	runtime.ReadMemStats(&before)
	v := verify(t, path)
	runtime.ReadMemStats(&after)
	if v.State != bundle.Changed || !slices.Contains(changes(v), "file not read data/bomb") {
		t.Errorf("%v", changes(v))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("it took %d bytes of memory", used)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestWhatIsTooLargeToBeKept has a proof of the custody log that is larger than any.
func TestWhatIsTooLargeToBeKept(t *testing.T) {
	b := newBag(t)
	b["data/custody/9.tlog-proof"] = make([]byte, 65<<20)
	v := verify(t, b.list().seal(t, ownKey).folder(t))
	assert.Equal(t, []string{"file not read data/custody/9.tlog-proof"}, changes(v))
	if v.State != bundle.Unread || v.State.Intact() {
		t.Errorf("it is %s", v.State)
	}
}

// TestEndsWithItsContext cancels it at the first byte.
func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	v, err := bundle.Verify(ctx, newBag(t).list().seal(t, ownKey).folder(t), bundle.VerifyOptions{Progress: func(int64, int64) { cancel() }})
	if v != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestProgressOfVerifying(t *testing.T) {
	last, whole := int64(0), int64(0)
	v, err := bundle.Verify(t.Context(), newBag(t).list().zip(t), bundle.VerifyOptions{Progress: func(done, total int64) {
		if done <= last || total < done {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last, whole = done, total
	}})
	if err != nil || last != whole || whole != v.Bytes {
		t.Errorf("%d of %d, %v", last, whole, err)
	}
}

// TestItWritesNothing verifies a folder in which nothing may be written.
func TestItWritesNothing(t *testing.T) {
	dir := newBag(t).list().seal(t, ownKey).folder(t)
	before := contents(t, dir)
	for _, folder := range []string{dir, filepath.Join(dir, "data"), filepath.Join(dir, "seal")} {
		assert.NoError(t, os.Chmod(folder, 0o500))        //nolint:gosec // it must be entered
		t.Cleanup(func() { _ = os.Chmod(folder, 0o700) }) //nolint:gosec // likewise
	}
	if v := verify(t, dir); v.State != bundle.Intact {
		t.Errorf("%+v", v)
	}
	assert.Equal(t, before, contents(t, dir))
}
