package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"assay/client/assert"
	"assay/client/keys"
	"assay/client/session"
)

func TestKey(t *testing.T) {
	t.Run("is read from standard input, trimmed, and kept for its service", func(t *testing.T) {
		d := setup(t)
		code, stdout, stderr := d.call("\uFEFF "+someKey+"\r\n", "key", "set", "--server", "https://Service.example:443/")
		if code != ExitAnswered || !strings.Contains(stdout, "is saved in this computer's keychain") || d.kept[someService] != someKey {
			t.Errorf("exit %d: %q, %q; kept %v", code, stdout, stderr, d.kept)
		}
		t.Setenv("ASSAY_SERVER", someService)
		if code, _, _ := d.call("other-key", "key", "set"); code != ExitAnswered || d.kept[someService] != "other-key" {
			t.Errorf("exit %d; replaced: %v", code, d.kept)
		}
	})
	t.Run("status says which is used, and exits with 1 where none is", func(t *testing.T) {
		d := setup(t)
		status := func(want int, says ...string) {
			t.Helper()
			code, stdout, stderr := d.call("", "key", "status", "--server", someService)
			for _, line := range append(says, "service: "+someService+"\n") {
				if code != want || !strings.Contains(stdout, line) || stderr != "" {
					t.Errorf("exit %d: %q, without %q; %q", code, stdout, line, stderr)
				}
			}
		}
		status(ExitFailed, "used: none\n", "keychain: no key is saved for this service\n")
		d.kept[someService] = someKey
		status(ExitAnswered, "used: the key in this computer's keychain\n", "keychain: a key is saved for this service\n")
		t.Setenv("ASSAY_API_KEY", someKey)
		status(ExitAnswered, "used: the key in ASSAY_API_KEY, for this run only\n", "keychain: a key is saved for this service\n")
		d.err = &keys.Problem{Cause: keys.Absent}
		status(ExitAnswered, "used: the key in ASSAY_API_KEY", "keychain: This computer has no keychain")
		t.Setenv("ASSAY_API_KEY", " \n")
		status(ExitFailed, "used: none\n", "keychain: This computer has no keychain")
		d.err = &keys.Problem{Cause: keys.Locked}
		status(ExitFailed, "used: none, until the keychain is unlocked\n", "keychain: The keychain is locked")
	})
	t.Run("clear removes it, and has nothing against there being none", func(t *testing.T) {
		d := setup(t)
		d.kept[someService], d.kept["https://other.example"] = someKey, someKey
		for _, says := range []string{"was removed", "No key was saved"} {
			if code, stdout, stderr := d.call("", "key", "clear", "--server", someService); code != ExitAnswered || !strings.Contains(stdout, says) {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
		}
		if len(d.kept) != 1 {
			t.Errorf("kept: %v", d.kept)
		}
	})
	t.Run("K2 is never taken from an argument, and what was given is not repeated", func(t *testing.T) {
		d := setup(t)
		for _, args := range [][]string{
			{"key", "set", someKey},
			{"key", "status", someKey},
			{"key", "clear", someKey},
			{"key", someKey},
			{"key", "set", "--key", someKey},
			{"key", "set", "--key=" + someKey},
			{"key", "set", "-" + someKey},
			{"key", "--" + someKey},
		} {
			code, stdout, stderr := d.call("", append(args, "--server", someService)...)
			if code != ExitMisuse || !strings.Contains(stderr, "never given as an argument") || !strings.Contains(stderr, "history") || stdout != "" {
				t.Errorf("%q: exit %d, %q, %q", args, code, stdout, stderr)
			}
		}
		if len(d.kept) != 0 {
			t.Errorf("kept: %v", d.kept)
		}
	})
	t.Run("what can't be a key is misuse, and keeps the one that was there", func(t *testing.T) {
		d := setup(t)
		d.kept[someService] = "before"
		for given, says := range map[string]string{"": "empty", " \n": "empty", someKey + "\n" + someKey: "more than one line", someKey + " x": "space",
			someKey + "\x00": "no key has", strings.Repeat(someKey, 1000): "too long", strings.Repeat(someKey, 10000): "too long"} {
			if code, stdout, stderr := d.call(given, "key", "set", "--server", someService); code != ExitMisuse || !strings.Contains(stderr, says) || stdout != "" {
				t.Errorf("%d letters: exit %d, %q, %q", len(given), code, stdout, stderr)
			}
		}
		if d.kept[someService] != "before" {
			t.Errorf("kept: %v", d.kept)
		}
	})
	t.Run("needs a service that can have one", func(t *testing.T) {
		d := setup(t)
		for _, c := range []struct {
			args []string
			says string
		}{
			{nil, "Say what to do"},
			{[]string{"set"}, "--server"},
			{[]string{"status"}, "--server"},
			{[]string{"set", "--server", "http://service.example"}, "https://"},
			{[]string{"set", "--sandbox"}, "makes its own key"},
		} {
			if code, _, stderr := d.call(someKey, append([]string{"key"}, c.args...)...); code != ExitMisuse || !strings.Contains(stderr, c.says) {
				t.Errorf("%q: exit %d, %q", c.args, code, stderr)
			}
		}
	})
	t.Run("what stands in the way is said", func(t *testing.T) {
		d := setup(t)
		for _, c := range []struct {
			err  error
			code int
			says string
		}{
			{&keys.Problem{Cause: keys.Absent}, ExitMisuse, "no keychain that Assay can use. Set ASSAY_API_KEY instead. Assay then uses the key for this run and saves it nowhere."},
			{&keys.Problem{Cause: keys.Locked}, ExitFailed, "The keychain is locked: unlock it"},
			{keyring.ErrSetDataTooBig, ExitMisuse, "too long for this computer's keychain"},
			{fmt.Errorf("not that %s", someKey), ExitFailed, "The keychain refused."},
		} {
			d.err = c.err
			if code, stdout, stderr := d.call(someKey, "key", "set", "--server", someService); code != c.code || !strings.Contains(stderr, c.says) || stdout != "" {
				t.Errorf("%v: exit %d, %q, %q", c.err, code, stdout, stderr)
			}
		}
	})
	t.Run("the end of the program ends the wait for standard input", func(t *testing.T) {
		d := setup(t)
		ctx, stop := context.WithCancel(t.Context())
		in, writer := io.Pipe()
		defer func() { _ = writer.Close() }()
		go func() {
			_, _ = writer.Write([]byte(someKey)) // it reads
			stop()
		}()
		if code, _, stderr := d.callWith(ctx, in, "key", "set", "--server", someService); code != ExitFailed || !strings.Contains(stderr, "stopped") || len(d.kept) != 0 {
			t.Errorf("exit %d, %q", code, stderr)
		}
	})
}

func TestAServicesKeyComesFromTheKeychain(t *testing.T) {
	poster := filepath.Join("..", "..", "testdata", "pictures", "poster.png")
	t.Run("K1 every call carries it; it is read once", func(t *testing.T) {
		d := setup(t)
		address, carried := keyedService(t)
		if code, _, stderr := d.call(someKey, "key", "set", "--server", address); code != ExitAnswered {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		d.gets = 0
		if code, stdout, stderr := d.call("", "scan", "--server", address, poster); code != ExitAnswered || d.gets != 1 {
			t.Errorf("exit %d: %q, %q; %d reads", code, stdout, stderr, d.gets)
		}
		if code, stdout, stderr := d.call("", "list", "--server", address); code != ExitAnswered || !strings.Contains(stdout, "poster") || d.gets != 2 {
			t.Errorf("exit %d: %q, %q; %d reads", code, stdout, stderr, d.gets)
		}
		if counts := carried(); len(counts) != 1 || counts[someKey] == 0 {
			t.Errorf("%d keys were carried", len(counts))
		}
	})
	t.Run("ASSAY_API_KEY comes before it, and the keychain is not asked", func(t *testing.T) {
		d := setup(t)
		address, _ := keyedService(t)
		d.kept[address] = "another key"
		d.err = errors.New("asked")
		t.Setenv("ASSAY_API_KEY", someKey+"\n")
		if code, stdout, stderr := d.call("", "list", "--server", address); code != ExitAnswered {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		t.Setenv("ASSAY_API_KEY", someKey+" "+someKey)
		if code, _, stderr := d.call("", "list", "--server", address); code != ExitMisuse || !strings.Contains(stderr, "ASSAY_API_KEY can't be used. It contains a space") {
			t.Errorf("exit %d: %q", code, stderr)
		}
	})
	t.Run("so does the file that ASSAY_API_KEY_FILE names, as containers and systemd hand secrets over", func(t *testing.T) {
		d := setup(t)
		address, carried := keyedService(t)
		d.err = errors.New("asked")
		file := filepath.Join(t.TempDir(), "key")
		t.Setenv("ASSAY_API_KEY_FILE", file)
		if code, _, stderr := d.call("", "list", "--server", address); code != ExitMisuse || !strings.Contains(stderr, "ASSAY_API_KEY_FILE can't be used. ") {
			t.Errorf("without the file: exit %d: %q", code, stderr)
		}
		assert.NoError(t, os.WriteFile(file, []byte(someKey+"\n"), 0o600))
		if code, stdout, stderr := d.call("", "list", "--server", address); code != ExitAnswered || carried()[someKey] == 0 {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		t.Setenv("ASSAY_API_KEY", "another-key")
		if d.call("", "list", "--server", address); carried()["another-key"] == 0 {
			t.Error("ASSAY_API_KEY does not come before it")
		}
	})
	t.Run("without one nothing is sent, and what to do is said", func(t *testing.T) {
		d := setup(t)
		address, carried := keyedService(t)
		for _, args := range [][]string{{"scan", poster}, {"list"}, {"show", "some-id"}, {"feedback", "some-id", "--label", "real", "--category", "other"}} {
			code, stdout, stderr := d.call("", append(args, "--server", address)...)
			if code != ExitMisuse || !strings.Contains(stderr, "assay key set --server "+address) || !strings.Contains(stderr, "ASSAY_API_KEY") || stdout != "" {
				t.Errorf("%s: exit %d, %q, %q", args[0], code, stdout, stderr)
			}
		}
		d.err = &keys.Problem{Cause: keys.Absent}
		if code, _, stderr := d.call("", "list", "--server", address); code != ExitMisuse || !strings.Contains(stderr, "no keychain that Assay can use. Set ASSAY_API_KEY") {
			t.Errorf("exit %d, %q", code, stderr)
		}
		d.err = &keys.Problem{Cause: keys.Locked}
		if code, _, stderr := d.call("", "list", "--server", address); code != ExitFailed || !strings.Contains(stderr, "The keychain is locked") {
			t.Errorf("exit %d, %q", code, stderr)
		}
		if counts := carried(); len(counts) != 0 {
			t.Errorf("%d keys were carried", len(counts))
		}
	})
	t.Run("a locked keychain is waited for, which is said; then the work goes on", func(t *testing.T) {
		d := setup(t)
		address, _ := keyedService(t)
		d.kept[address] = someKey
		unlocked := make(chan struct{})
		d.hold = unlocked
		said := newSaying("waiting for the keychain")
		go func() {
			<-said.heard
			close(unlocked)
		}()
		var out bytes.Buffer
		code := Main(t.Context(), session.Options{KeyBackend: d}, []string{"scan", "--server", address, "--home", d.home, poster}, strings.NewReader(""), &out, said, nil)
		if code != ExitAnswered || strings.Count(said.String(), "waiting for the keychain") != 1 {
			t.Errorf("exit %d: %q, %q", code, out.String(), said.String())
		}
	})
	t.Run("K3 one that the service refuses stops the queue, and the way to another is said", func(t *testing.T) {
		d := setup(t)
		address, _ := keyedService(t)
		d.kept[address] = "revoked-key"
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		const refused = "The service says: “The API key is not valid.” Check the key in Settings, or with assay key."
		var out, said bytes.Buffer
		code := Main(ctx, session.Options{KeyBackend: d}, []string{"scan", "--server", address, "--home", d.home, poster}, strings.NewReader(""), &out, &said, nil)
		if text := said.String(); code != ExitFailed || !strings.Contains(text, "assay: "+refused) || strings.Contains(text, "revoked-key") ||
			!strings.HasPrefix(out.String(), "poster.png: not answered. "+refused) {
			t.Errorf("exit %d: %q, %q", code, out.String(), text)
		}
	})
}
