package media

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/client"
	"assay/client/assert"
)

// FuzzInspect holds that a file of any name and content is either refused with a sentence or is one of a known type within its cap, with a name
// that is safe to show and to send; that the same file is judged the same again; and that exactly its bytes are opened and hashed.
func FuzzInspect(f *testing.F) {
	for name, data := range map[string]string{
		"a.jpg": "\xff\xd8\xff", "b.PNG": "\x89PNG", "notes.txt": "words", "c.mp4.": "x", ".wav": "RIFF", "d.jpg ": "x", "e\u202egpj.txt": "x", "f\n.ogg": "OggS", "g\xff.gif": "GIF89a",
		"h": "x", "i.mov": "", "j.\u017fvg": "x", "k.m4\u0130": "x", "long" + strings.Repeat("a", 240) + ".flac": "fLaC",
	} {
		f.Add(name, []byte(data), int64(5))
	}
	f.Add("a.txt", bytes.Repeat([]byte("a"), 1000), int64(999))
	f.Fuzz(func(t *testing.T, name string, data []byte, limit int64) {
		path := filepath.Join(t.TempDir(), name)
		if name != filepath.Base(path) || os.WriteFile(path, data, 0o600) != nil {
			return // no name of a file on this system
		}
		limits := Limits{client.Image: limit, client.Audio: limit, client.Video: limit, client.Text: limit}
		file, err := limits.Inspect(t.Context(), path)
		again, errAgain := limits.Inspect(t.Context(), path)
		mediaType, supported := TypeOf(name)
		if err != nil {
			var refusal *Refusal
			if !errors.As(err, &refusal) || strings.TrimSpace(refusal.Error()) == "" || errAgain == nil || errAgain.Error() != err.Error() {
				t.Errorf("%q is refused with %v, then with %v", name, err, errAgain)
			} else if supported == (refusal.Code == Unsupported) {
				t.Errorf("%q, supported: %v, is refused as %s", name, supported, refusal.Code)
			}
			return
		}
		if diff := cmp.Diff(file, again, cmpopts.IgnoreUnexported(File{})); diff != "" || errAgain != nil {
			t.Errorf("%q is another one the second time: %v, %s", name, errAgain, diff)
		}
		if !supported || file.Type != mediaType || file.Size != int64(len(data)) || file.Size == 0 || file.Size > limits.Cap(mediaType) {
			t.Errorf("%q of %d bytes is taken as %+v", name, len(data), file)
		}
		if strings.ContainsFunc(file.Name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%q is shown as %q", name, file.Name)
		}
		for _, other := range []string{file.SendName, NeutralName(file.Type, name, "1f2e3d")} {
			if got, _ := TypeOf(other); got != mediaType {
				t.Errorf("%q, %s, is sent as %q, %s", name, mediaType, other, got)
			}
		}
		if neutral := NeutralName(file.Type, name, "1f2e3d"); sendName(neutral) != neutral {
			t.Errorf("%q may not be sent as %q", name, neutral)
		}
		opened, err := Open(file)
		assert.NoError(t, err)
		defer opened.Close() //nolint:errcheck // only read from
		sum := sha256.Sum256(data)
		if got, err := Hash(t.Context(), opened, nil); err != nil || got != hex.EncodeToString(sum[:]) {
			t.Errorf("%q has the hash %q, %v", name, got, err)
		}
	})
}
