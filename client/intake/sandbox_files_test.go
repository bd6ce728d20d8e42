package intake_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/client"
	"assay/client/assert"
	"assay/client/sandbox"
	"assay/client/submission"
)

func TestAFileThatChangesWhileItGoesToTheService(t *testing.T) {
	for _, c := range changes {
		for _, at := range []struct {
			name string
			op   sandbox.Operation
			do   func(change func(*sandboxed)) handler
		}{
			{"before it is sent", sandbox.OpUploadURL, func(change func(*sandboxed)) handler { return first(change, through) }},
			{"before its first byte arrives", sandbox.OpPut, func(change func(*sandboxed)) handler { return first(change, through) }},
			{"while it is sent", sandbox.OpPut, func(change func(*sandboxed)) handler {
				return func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
					first := make([]byte, r.ContentLength/2)
					_, _ = io.ReadFull(r.Body, first)
					change(s)
					r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(first), r.Body))
					s.wire.pass(w, r)
				}
			}},
			{"before its answer arrives", sandbox.OpPut, func(change func(*sandboxed)) handler {
				return func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
					late := &withheld{ResponseWriter: w}
					s.wire.pass(late, r)
					change(s)
					w.WriteHeader(late.status)
				}
			}},
		} {
			t.Run(c.name+", "+at.name, func(t *testing.T) {
				path := noise(t, 21)
				was, err := os.ReadFile(path)
				assert.NoError(t, err)
				s := setupSandbox(t, plan{troubles: []trouble{{op: at.op, from: 1, to: 1, do: at.do(func(*sandboxed) { c.do(t, path) })}}})
				ids := s.drop(path)
				got := s.untilEach(ids, submission.Done, submission.Failed, submission.Refused)
				if got.State == submission.Done {
					t.Fatalf("it was accepted as sent")
				}
				assert.True(t, !got.Problem.IsZero() && got.RequestID == "", "it says %q, and has the answer of %q", got.Problem, got.RequestID)
				s.noSecrets()
				if c.gone {
					assert.NoError(t, os.WriteFile(path, was, 0o600))
				}
				s.Retry(ids...) // as a person does, or the watched folder
				got = s.untilEach(ids, submission.Done, submission.Failed, submission.Refused)
				assert.True(t, got.State != submission.Done || got.SHA256 == hexOf(sumOf(t, path)) && got.SHA256 == s.sumAtService(got.RequestID),
					"the answer is of other bytes than the file's")
				assert.True(t, got.State == submission.Done, "then it is %q: %q", got.State, got.Problem)
			})
		}
	}
}

// withheld is an answer that is not sent yet.
type withheld struct {
	http.ResponseWriter
	status int
}

func (w *withheld) WriteHeader(status int) { w.status = status }

// sumAtService is the hash of the object that the sandbox has under a number.
func (s *sandboxed) sumAtService(requestID string) string {
	s.t.Helper()
	record, err := os.ReadFile(filepath.Join(s.records, "records", requestID+".json"))
	assert.NoError(s.t, err)
	objects, err := filepath.Glob(filepath.Join(s.records, "objects", "*"))
	assert.NoError(s.t, err)
	for _, object := range objects {
		if strings.Contains(string(record), filepath.Base(object)) {
			return hexOf(sumOf(s.t, object))
		}
	}
	return ""
}

func TestNamesOfEveryKind(t *testing.T) {
	names := []string{
		strings.Repeat("n", 197) + ".png", strings.Repeat("n", 196) + "m.png", // 201 characters
		"caf\u00e9.png", "cafe\u0301.png", // the same to the eye
		strings.Repeat("長", 80) + ".png", "\u05d0\u05d1\u05d2.png", "ﺎﻠﺻﻭﺭﺓ.png", "photo\u202egnp.exe.png", "two\nlines.png", "tab\there.png",
		"bad\xffutf8.png", "bad\xfeutf8.png", "emoji 👩‍👩‍👧.png", "%41 100% #1?&x=y.png", "quote'\"`$(x).png", "PHOTO.PNG", "..png.png", "a\\b.png",
		"-rf.png", "…png.png", " .png",
	}
	root := t.TempDir()
	var given []string
	for i, name := range names {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, content(t, uint8(i)), 0o600); err != nil {
			t.Skipf("this disk does not take %q: %v", name, err)
		}
		given = append(given, path)
	}
	for i := range 2 { // the same name twice more
		path := filepath.Join(t.TempDir(), "caf\u00e9.png")
		assert.NoError(t, os.WriteFile(path, content(t, uint8(100+i)), 0o600))
		given = append(given, path)
	}
	s := setupSandbox(t, plan{faults: []string{"upload-url:id-missing"}}) // so that each is found by its name alone
	ids := s.drop(given...)
	s.untilEach(ids, submission.Done)
	var sent, numbers []string
	for i, id := range ids {
		got, _ := s.Get(id)
		assert.True(t, got.Path == given[i] && got.SHA256 == s.sumAtService(got.RequestID), "%q shows the answer of another file", got.Path)
		assert.True(t, utf8.ValidString(got.Name) && !strings.ContainsFunc(got.Name, func(r rune) bool { return r < ' ' || r == '\u202e' }), "%q is shown", got.Name)
		name := got.SendName
		assert.True(t, utf8.RuneCountInString(name) <= 200 && utf8.ValidString(name) && !strings.ContainsAny(name, "/\\\n\t \u202e%#?&"), "sent as %q", got.SendName)
		sent, numbers = append(sent, strings.ToLower(got.SendName)), append(numbers, got.RequestID)
	}
	for _, distinct := range [][]string{sent, numbers} {
		slices.Sort(distinct)
		assert.True(t, len(slices.Compact(distinct)) == len(given), "not distinct: %q", distinct)
	}
	s.restart()
	for i, sub := range s.All() {
		assert.True(t, sub.Path == given[i], "after a restart %q became %q", given[i], sub.Path)
	}
	s.atService(given...)
}

// content is a picture of a shade.
func content(t *testing.T, shade uint8) []byte {
	t.Helper()
	data, err := os.ReadFile(pictureFile(t, "x.png", shade))
	assert.NoError(t, err)
	return data
}

func TestOddFilesAreRefusedWithAReasonAndTheOthersGo(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	assert.NoError(t, os.WriteFile(at("empty.png"), nil, 0o600))
	assert.NoError(t, os.WriteFile(at("large.png"), nil, 0o600))
	assert.NoError(t, os.Truncate(at("large.png"), 51<<20)) // sparse
	assert.NoError(t, os.Symlink(at("circle-b.png"), at("circle-a.png")))
	assert.NoError(t, os.Symlink(at("circle-a.png"), at("circle-b.png")))
	assert.NoError(t, os.Symlink(at("nothing.png"), at("dangling.png")))
	assert.NoError(t, os.Symlink(os.DevNull, at("device.png")))
	assert.NoError(t, os.Mkdir(at("folder"), 0o700))
	assert.NoError(t, os.Symlink(root, at("folder/loop")))
	assert.NoError(t, os.WriteFile(at("folder/good.png"), content(t, 9), 0o600))
	assert.NoError(t, os.WriteFile(at("sparse.mp3"), nil, 0o600))
	assert.NoError(t, os.Truncate(at("sparse.mp3"), 3<<20))
	refused := map[string]string{
		at("empty.png"): "empty", at("large.png"): "50 MB", at("circle-a.png"): "read", at("dangling.png"): "not there", at("device.png"): "file",
		at("gone.png"): "not there",
	}
	s := setupSandbox(t, plan{})
	ids := s.drop(at("folder"), at("sparse.mp3"))
	for path := range refused {
		ids = append(ids, s.drop(path)...)
	}
	for _, id := range ids {
		got := s.until(id, submission.Done, submission.Refused)
		says, odd := refused[got.Path]
		assert.True(t, odd == (got.State == submission.Refused) && strings.Contains(got.Problem.String(), says),
			"%s is %q: %q should say %q", filepath.Base(got.Path), got.State, got.Problem, says)
	}
	assert.True(t, len(s.wire.asked(sandbox.OpUploadURL)) == 2, "%d upload URLs were asked for", len(s.wire.asked(sandbox.OpUploadURL)))
	s.clock.Advance(client.SignedURLLife)
	s.restart() // and none of them is looked at again by itself
	for _, id := range ids {
		got, _ := s.Get(id)
		assert.True(t, got.State.Ended(), "%s is %q", filepath.Base(got.Path), got.State)
	}
	s.atService(at("folder/good.png"), at("sparse.mp3"))
}
