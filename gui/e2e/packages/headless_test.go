//go:build e2e && packages && linux

package packages

import (
	"archive/zip"
	"bytes"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/gui/e2e"
)

// TestWithoutAWindowInAnEmptyRoot runs the program where there is nothing but itself: no libraries, no /etc, no /tmp, no zones, no keychain. All that
// it needs is HOME, or --home.
func TestWithoutAWindowInAnEmptyRoot(t *testing.T) {
	f := setup(t)
	r, service := f.emptyRoot(t, "linux-amd64", "generated.png", "mountains.jpg"), startService(t)
	r.write("/run/key", []byte(service.key+"\n"), 0o600)
	r.write("/in/authority.pem", service.certificate, 0o644)
	r.environment = append(r.environment, "ASSAY_SERVER="+service.address, "ASSAY_API_KEY_FILE=/run/key", "TZ=Europe/Berlin", "LANG=de_DE.UTF-8")

	t.Run("a server whose certificate nobody knows is not trusted", func(t *testing.T) {
		code, stdout, stderr := r.call("list")
		if code != 1 || stdout != "" || !strings.Contains(stderr, "Zertifikat") {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
	})
	r.environment = append(r.environment, "ASSAY_CA_FILE=/in/authority.pem")
	var answers []scanned
	t.Run("with its authority in a file, it scans, in the language of LANG", func(t *testing.T) {
		answers = scannedIn(t, r.must("scan", "--json", "/in/generated.png", "/in/mountains.jpg"))
		if len(answers) != 2 || answers[0].Status != "FAKE" || answers[0].Verdict != "Wahrscheinlich manipuliert oder KI-generiert" {
			t.Fatalf("%+v", answers)
		}
		if listed := r.must("list"); strings.Count(listed, "\n") != 2 || !strings.Contains(listed, answers[1].RequestID) {
			t.Error(listed)
		}
	})
	t.Run("it writes every kind of report, with the times of TZ", func(t *testing.T) {
		zone, err := time.LoadLocation("Europe/Berlin")
		assert.NoError(t, err)
		offset := "(UTC" + time.Now().In(zone).Format("-07:00") + ")"
		for kind, begins := range map[string]string{"html": "<!DOCTYPE html>", "pdf": "%PDF-", "json": "{", "csv": "request_id,", "xlsx": "PK"} {
			r.must("export", answers[0].RequestID, answers[1].RequestID, "--out", "/home/report."+kind)
			content, err := os.ReadFile(r.path("/home/report." + kind))
			assert.NoError(t, err)
			if !bytes.HasPrefix(bytes.ToLower(content), bytes.ToLower([]byte(begins))) {
				t.Errorf("%s begins with %.20q", kind, content)
			}
			if kind == "html" && !strings.Contains(html.UnescapeString(string(content)), offset) {
				t.Errorf("no time in it is of %s", offset)
			}
		}
		printed, err := exec.CommandContext(t.Context(), "pdftotext", r.path("/home/report.pdf"), "-").Output()
		if err != nil || !bytes.Contains(printed, []byte(offset)) || !bytes.Contains(printed, []byte("Wahrscheinlich manipuliert")) {
			t.Errorf("%v: %s", err, printed)
		}
	})
	t.Run("it seals a bundle with a key from a file, and verifies it", func(t *testing.T) {
		r.write("/run/signing", []byte(strings.Repeat("A", 43)+"=\n"), 0o600)
		r.write("/run/log", []byte(strings.Repeat("B", 43)+"=\n"), 0o600)
		r.environment = append(r.environment, "ASSAY_SIGNING_KEY_FILE=/run/signing", "ASSAY_LOG_KEY_FILE=/run/log")
		r.must("export", answers[0].RequestID, "--out", "/home/evidence.zip")
		if said := r.must("verify", "/home/evidence.zip"); !strings.HasPrefix(said, "Unversehrt") {
			t.Error(said)
		}
		if said := r.must("verify", "--log"); !strings.HasPrefix(said, "Das Verwahrungsprotokoll ist unversehrt") {
			t.Error(said)
		}
		altered(t, r.path("/home/evidence.zip"), r.path("/home/altered.zip"))
		if code, said, _ := r.call("verify", "/home/altered.zip"); code != 1 {
			t.Errorf("exit %d: %s", code, said)
		}
	})
	t.Run("it watches a folder until it is stopped", func(t *testing.T) {
		assert.NoError(t, os.Mkdir(r.path("/home/incoming"), 0o700))
		cmd := r.command("watch", "--json", "--gate", "send", "/home/incoming")
		var out, errs e2e.Transcript
		cmd.Stdout, cmd.Stderr = &out, &errs
		assert.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		assert.NoError(t, e2e.Until(t.Context(), time.Minute, "it watches", func() (bool, error) { return strings.Contains(errs.String(), "/home/incoming"), nil }))
		poster, err := os.ReadFile(filepath.Join(f.root, "testdata", "pictures", "poster.png"))
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(r.path("/home/incoming/poster.png"), poster, 0o600))
		err = e2e.Until(t.Context(), time.Minute, "the file is answered", func() (bool, error) { return strings.Contains(out.String(), `"requestId"`), nil })
		if err != nil {
			t.Errorf("%v: %s%s", err, out.String(), errs.String())
		}
		assert.NoError(t, cmd.Process.Signal(os.Interrupt))
		if err := <-ended; err != nil {
			t.Errorf("%v: %s", err, errs.String())
		}
	})
	t.Run("without HOME it says what to give, and nothing of what it keeps lies elsewhere", func(t *testing.T) {
		r.environment = r.environment[1:]
		if code, _, stderr := r.call("list"); code != 2 || !strings.Contains(stderr, "--home") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		assert.Equal(t, 2, len(scannedIn(t, r.must("scan", "--json", "--home", "/home/.config/assay", "/in/generated.png", "/in/mountains.jpg"))))
		assert.Equal(t, []string(nil), r.others())
	})
	t.Run("no key is in what it has written", func(t *testing.T) {
		for _, secret := range []string{service.key, strings.Repeat("A", 43), strings.Repeat("B", 43)} {
			found, err := exec.CommandContext(t.Context(), "grep", "-rlF", secret, r.path("/home")).Output()
			if err == nil || len(found) > 0 {
				t.Errorf("it is in %s", found)
			}
		}
	})
}

// TestWithoutAWindowOnARM runs the program of that machine, by qemu where this is another one.
func TestWithoutAWindowOnARM(t *testing.T) {
	f := setup(t)
	r := f.emptyRoot(t, "linux-arm64", "generated.png")
	machine, err := exec.CommandContext(t.Context(), "uname", "-m").Output()
	assert.NoError(t, err)
	if strings.TrimSpace(string(machine)) != "aarch64" {
		r.copyIn("/qemu", "/usr/bin/qemu-aarch64-static", 0o755)
		r.words = []string{"/qemu", "/assay"}
	}
	if said := r.must("--version"); !strings.Contains(said, "Assay "+f.version) || !strings.HasSuffix(said, "for linux/arm64, without a window\n") {
		t.Error(said)
	}
	answers := scannedIn(t, r.must("scan", "--json", "--sandbox", "/in/generated.png"))
	if len(answers) != 1 || answers[0].Status != "FAKE" {
		t.Fatalf("%+v", answers)
	}
	r.must("export", "--sandbox", answers[0].RequestID, "--out", "/home/evidence.zip")
	if said := r.must("verify", "--sandbox", "/home/evidence.zip"); !strings.HasPrefix(said, "Intact") {
		t.Error(said)
	}
}

// altered copies a bundle with one byte of its report flipped.
func altered(t *testing.T, from, to string) {
	t.Helper()
	in, err := zip.OpenReader(from)
	assert.NoError(t, err)
	defer in.Close() //nolint:errcheck // only read from
	var content bytes.Buffer
	out := zip.NewWriter(&content)
	flipped := false
	for _, entry := range in.File {
		file, err := entry.Open()
		assert.NoError(t, err)
		var read bytes.Buffer
		_, err = read.ReadFrom(file)
		assert.NoError(t, err)
		if bytes := read.Bytes(); !flipped && strings.HasSuffix(entry.Name, "/report.html") && len(bytes) > 0 {
			flipped = true
			bytes[len(bytes)/2] ^= 1
		}
		writer, err := out.Create(entry.Name)
		assert.NoError(t, err)
		_, err = writer.Write(read.Bytes())
		assert.NoError(t, err)
	}
	assert.NoError(t, out.Close())
	assert.NoError(t, os.WriteFile(to, content.Bytes(), 0o600))
	if !flipped {
		t.Error("no report.html is in it")
	}
}
