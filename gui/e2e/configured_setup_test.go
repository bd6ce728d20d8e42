//go:build e2e && linux

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
)

// openLimit is how long the window may take to open, whatever the keychain does: it waits for none.
const openLimit = 20 * time.Second

// endLimit is how long Assay may take to end: it breaks off what does not end after 20 s. Then it says what it is at.
const endLimit = 25 * time.Second

// setupConfigured makes a computer with a service in another process, behind a wire on which every byte is counted. Assay goes by its
// settings alone; there is no keychain yet, and it was never started.
func setupConfigured(t *testing.T) *fixture {
	t.Helper()
	desktop := setup(t)
	w := &fixture{t: t, desktop: desktop, digests: map[string]int{}}
	var err error
	if w.service, err = desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if w.wire, err = StartWire(t.Context(), w.service.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.wire.Close() })
	w.options = Options{Theme: "light", Home: t.TempDir(), BySettings: true}
	return w
}

// keychain starts the computer's keychain, open or locked.
func (d *fixture) keychain(open bool) *Keychain {
	d.t.Helper()
	k, err := d.desktop.StartKeychain(d.t.Context(), open)
	assert.NoError(d.t, err)
	return k
}

// settings writes the settings of an Assay that was set up before: the service, and what a test changes of the rest, by section.
func (d *fixture) settings(sections map[string]any) {
	d.t.Helper()
	all := map[string]any{"version": 1, "service": map[string]any{"use": "service", "address": d.wire.URL()}}
	for name, section := range sections {
		all[name] = section
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(d.options.Home, "settings.json"), text, 0o600)
	}
	assert.NoError(d.t, err)
}

// kept is one setting as the file has it, such as "appearance.theme"; nil where it has none.
func (d *fixture) kept(key string) any {
	text, err := os.ReadFile(filepath.Join(d.options.Home, "settings.json"))
	if err != nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil // it is being replaced
	}
	for name := range strings.SplitSeq(key, ".") {
		section, _ := value.(map[string]any)
		value = section[name]
	}
	return value
}

// setKey has `assay key set` keep the service's key.
func (d *fixture) setKey() {
	d.t.Helper()
	binary, err := Binary()
	assert.NoError(d.t, err)
	line := `printf '%s\n' "$KEY" | "$ASSAY" key set --server "$SERVER"`
	process, err := d.desktop.StartWith([]string{"KEY=" + d.service.Key, "ASSAY=" + binary, "SERVER=" + d.wire.URL()}, "sh", "-c", line)
	assert.NoError(d.t, err)
	if code, err := process.Wait(handOverLimit); err != nil || code != 0 {
		d.t.Fatalf("key set: %v, exit code %d, %s", err, code, process.Errors)
	}
}

// open opens Assay with files, which the person gave at its start.
func (d *fixture) open(files ...string) {
	d.t.Helper()
	d.options.Files = files
	began := time.Now()
	d.start(image.Pt(1280, 800))
	if took := time.Since(began); took > openLimit {
		d.t.Errorf("the window took %s to open", took)
	}
	d.options.Files = nil
	d.look()
}

// close ends Assay as a session's end does.
func (d *fixture) close() {
	d.t.Helper()
	if err := d.app.Terminate(endLimit); err != nil {
		_ = d.app.Signal(syscall.SIGQUIT) // it says what it is at
		_, _ = d.app.Wait(stopLimit)
		d.t.Fatalf("%v; it was at:\n%s", err, d.app.Errors)
	}
}

// paste copies a text, as from a mail, and pastes it into what has the keyboard.
func (d *fixture) paste(text string) {
	d.t.Helper()
	file := filepath.Join(d.t.TempDir(), "copied")
	assert.NoError(d.t, os.WriteFile(file, []byte(text), 0o600))
	assert.NoError(d.t, d.desktop.Copy(d.t.Context(), "UTF8_STRING", file))
	d.keys("ctrl+v")
}

// fillIn fills in the first run: the address by hand, the key by pasting it with what surrounds it in a mail.
func (d *fixture) fillIn(address, key string) {
	d.t.Helper()
	assert.NoError(d.t, d.app.Window.Activate(d.t.Context()))
	assert.NoError(d.t, d.app.Window.Type(d.t.Context(), address))
	d.keys("Return")
	d.paste("  " + key + " \n")
	if err := d.app.Window.Click(d.t.Context(), rest.X, rest.Y); err != nil { // the keyboard leaves the field
		d.t.Fatal(err)
	}
	d.look()
}

// secretNowhere fails where the service's key stands in the arguments or the environment of Assay or of a process that it started, ends
// Assay, and fails where the key or the signature of an address stands in what it printed or logged, or in a file of the home, of the
// desktop or of Assay.
func (d *fixture) secretNowhere() {
	d.t.Helper()
	secrets := d.secrets()
	for _, pid := range d.app.family() {
		for _, name := range []string{"cmdline", "environ"} {
			content, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
			if err == nil {
				d.without(secrets, fmt.Sprintf("%s of a process of Assay's", name), content)
			}
		}
	}
	d.close()
	for _, folder := range []string{d.options.Home, filepath.Join(d.desktop.Dir, "home"), filepath.Join(d.desktop.Dir, "run"), filepath.Join(d.desktop.Dir, "tmp")} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return ignoreGone(err)
			}
			content, err := os.ReadFile(path)
			d.without(secrets, path, content)
			return ignoreGone(err)
		})
		assert.NoError(d.t, err)
	}
	d.without(secrets, "what Assay printed", []byte(d.app.Output.String()))
	d.without(secrets, "what Assay logged", []byte(d.app.Errors.String()))
}

// secrets are the service's key, in whatever encoding, and the signature of addresses.
func (d *fixture) secrets() (all [][]byte) {
	key := d.service.Key
	utf16 := strings.Join(strings.Split(key, ""), "\x00")
	for _, form := range []string{signature, key, url.QueryEscape(key), base64.StdEncoding.EncodeToString([]byte(key)), hex.EncodeToString([]byte(key)), utf16} {
		all = append(all, []byte(form))
	}
	return all
}

func (d *fixture) without(secrets [][]byte, place string, content []byte) {
	d.t.Helper()
	for i, secret := range secrets {
		if bytes.Contains(content, secret) {
			d.t.Errorf("secret %d stands in %s", i, place)
		}
	}
}

func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// family are the ids of the program and of all that it has started.
func (p *Process) family() []int {
	ids := []int{p.command.Process.Pid}
	for i := 0; i < len(ids); i++ {
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", ids[i]))
		for _, list := range lists {
			children, _ := os.ReadFile(list) // it may have ended
			for _, child := range strings.Fields(string(children)) {
				if id, err := strconv.Atoi(child); err == nil {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// withOwner writes a copy of a PNG that names its owner, and returns what it planted.
func withOwner(t *testing.T, path, from string) (file string, planted []byte) {
	t.Helper()
	content, err := os.ReadFile(from)
	assert.NoError(t, err)
	const head = 8 + 4 + 4 + 13 + 4 // the signature and the first chunk
	planted = []byte("Deep Throat, room 0815")
	chunk := append([]byte("tEXtAuthor\x00"), planted...)
	var whole bytes.Buffer
	whole.Write(content[:head])
	_ = binary.Write(&whole, binary.BigEndian, uint32(len(chunk)-len("tEXt"))) // into memory
	whole.Write(chunk)
	_ = binary.Write(&whole, binary.BigEndian, crc32.ChecksumIEEE(chunk))
	whole.Write(content[head:])
	write(t, path, whole.Bytes())
	return path, planted
}

// digest is a file's SHA-256.
func digest(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	return sum(content)
}

// sum is the SHA-256 of bytes.
func sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	assert.NoError(t, os.WriteFile(path, content, 0o600))
}

// writeProgram writes a script that can be started.
func writeProgram(t *testing.T, path, script string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil { // #nosec G306 -- it is to be started
		t.Fatal(err)
	}
}

// joined are the contents of files, one after the other.
func joined(files map[string][]byte) []byte {
	return bytes.Join(slices.Collect(maps.Values(files)), []byte("\n"))
}
