package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/keys"
	"assay/client/report"
	"assay/client/report/bundle"
)

// forms are the two forms of a bundle.
var forms = map[string]func(bag, testing.TB) string{"folder": bag.folder, "zip": bag.zip}

func TestVerify(t *testing.T) {
	for form, written := range forms {
		t.Run(form, func(t *testing.T) {
			v := verify(t, written(newBag(t).list().seal(t, ownKey), t))
			if v.State != bundle.Intact || len(v.Findings) > 0 || v.Proofs != 2 || v.Seal == nil || v.Seal.Signer.String() != "the desk in Lisbon" || v.Seal.Own {
				t.Errorf("%+v, %v", v, changes(v))
			}
			if v.Identifier.String() != "r-1" || v.Made.String() != "2026-11-22" || v.Files != 23 {
				t.Errorf("%+v", v)
			}
			if v := verify(t, written(newBag(t).list().seal(t, otherKey), t)); v.State != bundle.UnknownSigner || v.Seal == nil || v.Seal.Key != public(t, otherKey) {
				t.Errorf("sealed by somebody else: %+v", v)
			}
			if v := verify(t, written(newBag(t).list(), t)); v.State != bundle.Unsealed || v.Seal != nil {
				t.Errorf("not sealed: %+v", v)
			}
		})
	}
}

func TestVerifySaysWhatWasChanged(t *testing.T) {
	for _, at := range []struct {
		name   string
		change func(bag)
		want   []string
	}{
		{"a byte of a picture", func(b bag) { b["data/media/1-received-photo.jpg"][3] ^= 1 }, []string{"file changed data/media/1-received-photo.jpg", "media foreign data/media/1-received-photo.jpg"}},
		{"a page of how to verify", func(b bag) { b["VERIFY.txt"] = []byte("trust me\n") }, []string{"file changed VERIFY.txt"}},
		{"a file less", func(b bag) { delete(b, "data/report.pdf") }, []string{"file missing data/report.pdf", "count changed bag-info.txt"}},
		{"a file more in the payload", func(b bag) { b["data/media/1-sent-photo.jpg"] = []byte("other") },
			[]string{"file added data/media/1-sent-photo.jpg", "count changed bag-info.txt", "media foreign data/media/1-sent-photo.jpg"}},
		{"a file more beside it", func(b bag) { b["NOTE.txt"] = []byte("n") }, []string{"file added NOTE.txt"}},
		{"a file more in the seal's folder", func(b bag) { b["seal/note.txt"] = []byte("n") }, []string{"file added seal/note.txt"}},
		{"another name", func(b bag) {
			b["data/report-2.pdf"] = b["data/report.pdf"]
			delete(b, "data/report.pdf")
		}, []string{"file renamed data/report.pdf -> data/report-2.pdf"}},
		{"another manifest", func(b bag) {
			b["data/report.pdf"] = []byte("%PDF of somebody else")
			signature, signers, tags := b["seal/tagmanifest-sha256.txt.sig"], b["seal/allowed_signers"], b["tagmanifest-sha256.txt"]
			delete(b, "bag-info.txt")
			b.list()
			b["seal/tagmanifest-sha256.txt.sig"], b["seal/allowed_signers"], b["tagmanifest-sha256.txt"] = signature, signers, tags
		}, []string{"file changed bag-info.txt", "file changed manifest-sha256.txt"}},
		{"everything made anew but the seal", func(b bag) {
			b["data/report.pdf"] = []byte("%PDF of somebody else")
			delete(b, "bag-info.txt")
			b.list()
		}, []string{"seal changed seal/tagmanifest-sha256.txt.sig"}},
		{"no signature, but its key", func(b bag) { delete(b, "seal/tagmanifest-sha256.txt.sig") }, []string{"file missing seal/tagmanifest-sha256.txt.sig"}},
		{"no key of the signature", func(b bag) { delete(b, "seal/allowed_signers") }, []string{"seal changed seal/allowed_signers"}},
		{"no manifest", func(b bag) { delete(b, "manifest-sha256.txt") }, []string{"file missing manifest-sha256.txt", "file missing manifest-sha256.txt"}},
		{"no tag manifest", func(b bag) { delete(b, "tagmanifest-sha256.txt") }, []string{"file missing tagmanifest-sha256.txt", "seal changed seal/tagmanifest-sha256.txt.sig"}},
	} {
		for form, written := range forms {
			t.Run(at.name+"/"+form, func(t *testing.T) {
				b := newBag(t).list().seal(t, ownKey)
				at.change(b)
				v := verify(t, written(b, t))
				if v.State != bundle.Changed {
					t.Errorf("it is %s", v.State)
				}
				assert.Equal(t, at.want, changes(v))
			})
		}
	}
}

// TestVerifyLooksInside changes what the lists and the seal, made anew by whoever changed it, can't tell.
func TestVerifyLooksInside(t *testing.T) {
	for _, at := range []struct {
		name   string
		change func(bag)
		want   []string
	}{
		{"another answer", func(b bag) { b["data/answers/1.json"] = []byte("{}") }, []string{"answer foreign data/answers/1.json"}},
		{"another earlier answer", func(b bag) { b["data/answers/1-1.json"] = []byte("{}") }, []string{"answer foreign data/answers/1-1.json"}},
		{"another answer, and another report", func(b bag) {
			old := sum(b["data/answers/1.json"])
			b["data/answers/1.json"] = []byte("{}")
			b["data/report.json"] = []byte(strings.ReplaceAll(string(b["data/report.json"]), old, sum([]byte("{}"))))
		}, []string{"answer foreign data/answers/1.json"}},
		{"an answer of no result", func(b bag) { b["data/answers/2.json"] = []byte("{}") }, []string{"answer foreign data/answers/2.json"}},
		{"another hash of what was received", func(b bag) { b["data/answers/1.received-sha256"] = []byte(sum(nil) + "\n") }, []string{"answer foreign data/answers/1.received-sha256"}},
		{"another picture", func(b bag) { b["data/media/1-received-photo.jpg"] = []byte("other") }, []string{"media foreign data/media/1-received-photo.jpg"}},
		{"no report", func(b bag) { b["data/report.json"] = []byte("[]") }, []string{"report not read data/report.json"}},
		{"another entry", func(b bag) { b["data/custody/3.entry"] = append(b["data/custody/3.entry"], '\n') },
			[]string{"proof changed data/custody/3.entry", "proof changed data/custody/entries.ndjson", "proof changed data/custody/3.tlog-proof"}},
		{"another number of an entry", func(b bag) {
			b["data/custody/4.entry"], b["data/custody/4.tlog-proof"] = b["data/custody/3.entry"], b["data/custody/3.tlog-proof"]
			delete(b, "data/custody/3.entry")
			delete(b, "data/custody/3.tlog-proof")
		}, []string{"proof changed data/custody/4.entry", "proof changed data/custody/entries.ndjson", "proof changed data/custody/4.tlog-proof"}},
		{"another list of the entries", func(b bag) {
			b["data/custody/entries.ndjson"] = []byte(strings.ReplaceAll(string(b["data/custody/entries.ndjson"]), "answered", "accepted"))
		}, []string{"proof changed data/custody/entries.ndjson"}},
		{"an entry less in the list", func(b bag) {
			b["data/custody/entries.ndjson"] = b["data/custody/entries.ndjson"][1+bytes.IndexByte(b["data/custody/entries.ndjson"], '\n'):]
		}, []string{"proof changed data/custody/entries.ndjson"}},
		{"the proof of another entry", func(b bag) { b["data/custody/3.tlog-proof"] = b["data/custody/2.tlog-proof"] }, []string{"proof changed data/custody/3.tlog-proof"}},
		{"half a proof", func(b bag) { b["data/custody/3.tlog-proof"] = b["data/custody/3.tlog-proof"][:80] }, []string{"proof changed data/custody/3.tlog-proof"}},
		{"no entry of a proof", func(b bag) { delete(b, "data/custody/3.entry") }, []string{"proof changed data/custody/entries.ndjson", "proof changed data/custody/3.tlog-proof"}},
		{"no key of the log", func(b bag) { delete(b, "data/custody/log-key.txt") },
			[]string{"proof changed data/custody/2.tlog-proof", "proof changed data/custody/3.tlog-proof"}},
		{"another key of the log", func(b bag) { b["data/custody/log-key.txt"][30] ^= 1 },
			[]string{"proof changed data/custody/log-key.txt", "proof changed data/custody/2.tlog-proof", "proof changed data/custody/3.tlog-proof"}},
		{"another count", func(b bag) { b["bag-info.txt"] = []byte("Payload-Oxum: 1.1\nAssay-Bundle: 1\n") }, []string{"count changed bag-info.txt"}},
	} {
		t.Run(at.name, func(t *testing.T) {
			b := newBag(t)
			at.change(b)
			v := verify(t, b.list().seal(t, ownKey).folder(t))
			if v.State != bundle.Changed {
				t.Errorf("it is %s", v.State)
			}
			assert.Equal(t, at.want, changes(v))
		})
	}
}

func TestEntriesWithoutAProof(t *testing.T) {
	b := newBag(t)
	delete(b, "data/custody/3.tlog-proof")
	if v := verify(t, b.list().seal(t, ownKey).folder(t)); v.State != bundle.Intact || v.Proofs != 1 || v.Unproved != 1 {
		t.Errorf("%+v", v)
	}
}

// TestWhatWasWrittenIsIntact verifies what Write writes, of every kind.
func TestWhatWasWrittenIsIntact(t *testing.T) {
	for name, change := range map[string]func(*fixture){
		"both media":        func(f *fixture) { f.o.Media = report.MediaBoth },
		"neutral names":     func(f *fixture) { f.o.Names = report.NamesNeutral },
		"in German":         func(f *fixture) { f.o.Language = "de" },
		"without all parts": func(f *fixture) { f.o.Without = report.Parts },
		"a log not signed": func(f *fixture) {
			f.o.SignLog = func(context.Context) error { return &keys.Problem{Cause: keys.Absent} }
		},
		"a log never signed": func(f *fixture) { f.o.SignLog = nil },
	} {
		for _, form := range []string{"case.assay", "case.zip"} {
			t.Run(name+"/"+form, func(t *testing.T) {
				f := setup(t)
				f.typical()
				change(f)
				path, _ := f.write(form)
				if v := verify(t, path); v.State != bundle.Intact || len(v.Findings) > 0 || !bundle.Is(path) {
					t.Errorf("%+v\n%v", v, changes(v))
				}
			})
		}
	}
}

func TestNoBundle(t *testing.T) {
	b := newBag(t).list().seal(t, ownKey)
	cut := b.zipped(t, "case/", 0)
	notOurs := bag{"bagit.txt": b["bagit.txt"], "bag-info.txt": []byte("Source-Organization: an archive\n"), "data/a": []byte("a")}
	withoutHead := newBag(t).list()
	delete(withoutHead, "bagit.txt")
	for name, at := range map[string]struct {
		path    string
		problem bundle.Problem
		is      bool
	}{
		"nothing":                 {filepath.Join(t.TempDir(), "none"), bundle.NotThere, false},
		"a picture":               {writeFile(t, "photo.zip", []byte("\xff\xd8\xff\xe0 a photo")), bundle.NoBundle, false},
		"an empty zip":            {bag{}.zip(t), bundle.NoBundle, false},
		"an empty folder":         {t.TempDir(), bundle.NoBundle, false},
		"half a zip":              {writeFile(t, "case.zip", cut[:len(cut)/2]), bundle.Damaged, false},
		"another program's bag":   {notOurs.folder(t), bundle.NoBundle, false},
		"another's, in a zip":     {notOurs.zip(t), bundle.NoBundle, false},
		"a bag without bagit.txt": {withoutHead.folder(t), bundle.NoBundle, false},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := bundle.Verify(t.Context(), at.path, bundle.VerifyOptions{})
			var read *bundle.ReadError
			if v != nil || !errors.As(err, &read) || read.Problem != at.problem || bundle.Is(at.path) != at.is {
				t.Errorf("%+v, %v, %v", v, err, bundle.Is(at.path))
			}
		})
	}
	for form, written := range forms {
		if !bundle.Is(written(b, t)) {
			t.Errorf("a %s is none", form)
		}
	}
}

func TestNewerVersions(t *testing.T) {
	for name, change := range map[string]func(bag){
		"of BagIt": func(b bag) { b["bagit.txt"] = []byte("BagIt-Version: 1.1\nTag-File-Character-Encoding: UTF-8\n") },
		"of ours":  func(b bag) { b["bag-info.txt"] = []byte("Assay-Version: 9.0\nAssay-Bundle: 2\n") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBag(t)
			change(b)
			if v := verify(t, b.list().seal(t, ownKey).folder(t)); v.State != bundle.Newer || v.State.Intact() {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestEveryChangedByteIsTold flips bits of each byte of a small bundle, one after another.
func TestEveryChangedByteIsTold(t *testing.T) {
	b := newBag(t)
	delete(b, "data/custody/2.entry")
	delete(b, "data/custody/2.tlog-proof")
	b["data/custody/entries.ndjson"] = b["data/custody/entries.ndjson"][1+bytes.IndexByte(b["data/custody/entries.ndjson"], '\n'):]
	b.list().seal(t, ownKey)
	t.Run("zip", func(t *testing.T) {
		zipped := b.zipped(t, "case/", 0)
		everyFlip(t, "zip", zipped, writeFile(t, "case.zip", zipped), "")
	})
	t.Run("folder", func(t *testing.T) {
		dir := b.folder(t)
		for name, content := range b {
			everyFlip(t, name, content, filepath.Join(dir, filepath.FromSlash(name)), dir)
		}
	})
}

// everyFlip writes a file with each of its bytes changed, and verifies the bundle, which is that file unless a folder is named.
func everyFlip(t *testing.T, name string, content []byte, path, bundled string) {
	t.Helper()
	if bundled == "" {
		bundled = path
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // a test
	step := 1
	if testing.Short() { // as with the race detector: what runs beside anything is the same for each byte
		step = 9 // which meets each bit
	}
	for at := 0; at < len(content); at += step {
		flips := []byte{1 << (at % 8)}
		if bundled != path {
			flips = append(flips, 0x20) // the case of a letter
		}
		for _, bits := range flips {
			_, err := file.WriteAt([]byte{content[at] ^ bits}, int64(at))
			assert.NoError(t, err)
			v, err := bundle.Verify(t.Context(), bundled, bundle.VerifyOptions{Signers: known(t)})
			if err == nil && v.State.Intact() {
				t.Errorf("%s: byte %d (%s): %s", name, at, fmt.Sprintf("%#x", bits), v.State)
			}
		}
		_, err := file.WriteAt(content[at:at+1], int64(at))
		assert.NoError(t, err)
	}
	if v, err := bundle.Verify(t.Context(), bundled, bundle.VerifyOptions{Signers: known(t)}); err != nil || v.State != bundle.Intact {
		t.Fatalf("%s: unchanged it is %+v, %v", name, v, err)
	}
}
