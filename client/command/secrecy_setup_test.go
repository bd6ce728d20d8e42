package command

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"assay/client/assert"
	"assay/client/sandbox"
)

// markedKey is like nothing that anybody would write by chance.
const markedKey = "Zq7Wx3Kv9Jb5Hd1Tn8Rm4Pc6Yf2Lg0Us7Ea3Xo5Q"

// witness is the sandbox in a real service's place. It remembers every signature that it gave, and every request with a key.
type witness struct {
	http.Handler
	t   *testing.T
	url string

	mu         sync.Mutex
	signatures map[string]bool
	keyed      int      // requests with the key
	astray     []string // requests that carried the key, or a part of it, where it has no business
}

var signature = regexp.MustCompile(`X-Sandbox-Signature=([0-9A-Za-z_%-]+)`)

func newWitness(t *testing.T) *witness {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Key: markedKey})
	assert.NoError(t, err)
	w := &witness{Handler: box, t: t, signatures: map[string]bool{}}
	server := httptest.NewServer(w)
	w.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	ours := strings.HasPrefix(r.URL.Path, "/api/")
	var head bytes.Buffer
	_ = r.Header.Write(&head)
	carries := strings.Contains(head.String()+r.RequestURI, markedKey[:12])
	own := ours && strings.HasPrefix(r.Header.Get("X-Api-Key"), markedKey[:12]) && strings.Count(head.String()+r.RequestURI, markedKey[:12]) == 1
	w.mu.Lock()
	if carries {
		w.keyed++
	}
	if carries && !own {
		w.astray = append(w.astray, r.Method+" "+r.URL.Path)
	}
	w.note(r.RequestURI)
	w.mu.Unlock()
	if !ours {
		w.Handler.ServeHTTP(rw, r)
		return
	}
	answered := httptest.NewRecorder()
	w.Handler.ServeHTTP(answered, r)
	w.mu.Lock()
	w.note(answered.Body.String())
	w.mu.Unlock()
	for name, values := range answered.Header() {
		rw.Header()[name] = values
	}
	rw.WriteHeader(answered.Code)
	_, _ = rw.Write(answered.Body.Bytes())
}

// note remembers the signatures in a text; w.mu is held.
func (w *witness) note(text string) {
	for _, found := range signature.FindAllStringSubmatch(text, -1) {
		w.signatures[found[1]] = true
	}
}

// secrets are the key, and all that would open a file.
func (w *witness) secrets() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := []string{markedKey}
	for s := range w.signatures {
		all = append(all, s)
	}
	return all
}

// disguises are the forms in which a secret might lie somewhere: as it is, a good part of it, encoded, and backwards.
func disguises(secret string) map[string][]byte {
	backwards := []byte(secret)
	for i, j := 0, len(backwards)-1; i < j; i, j = i+1, j-1 {
		backwards[i], backwards[j] = backwards[j], backwards[i]
	}
	forms := map[string][]byte{
		"part":      []byte(secret[:len(secret)/2]),
		"end":       []byte(secret[len(secret)/2:]),
		"hex":       []byte(hex.EncodeToString([]byte(secret[:len(secret)/2]))),
		"HEX":       []byte(strings.ToUpper(hex.EncodeToString([]byte(secret[:len(secret)/2])))),
		"backwards": backwards,
		"lower":     []byte(strings.ToLower(secret)),
	}
	for _, skipped := range []int{0, 1, 2} { // base64 of it as a part of something longer
		whole := secret[skipped : skipped+(len(secret)-skipped)/3*3]
		forms["base64-"+string(rune('0'+skipped))] = []byte(base64.StdEncoding.EncodeToString([]byte(whole)))
		forms["base64url-"+string(rune('0'+skipped))] = []byte(base64.URLEncoding.EncodeToString([]byte(whole)))
	}
	var little, big []byte
	for _, unit := range utf16.Encode([]rune(secret)) {
		little = append(little, byte(unit), byte(unit>>8))
		big = append(big, byte(unit>>8), byte(unit))
	}
	forms["UTF-16LE"], forms["UTF-16BE"] = little, big
	return forms
}

// wantNone says where a secret is found in a text, without repeating it.
func (w *witness) wantNone(where string, text []byte) {
	w.t.Helper()
	for i, secret := range w.secrets() {
		what := "the key"
		if i > 0 {
			what = "a signature"
		}
		for form, bytesOf := range disguises(secret) {
			if bytes.Contains(text, bytesOf) {
				w.t.Errorf("%s holds %s, in the form %s", where, what, form)
			}
		}
	}
}

// wantNoneBelow is wantNone for every file of a folder, and its name.
func (w *witness) wantNoneBelow(folder string) (files int) {
	w.t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		w.wantNone("the name "+name, []byte(name))
		if !entry.Type().IsRegular() {
			return nil
		}
		files++
		content, err := os.ReadFile(path) //nolint:gosec // nobody else is in this folder
		if err != nil {
			return err
		}
		w.wantNone(name, content)
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	return files
}
