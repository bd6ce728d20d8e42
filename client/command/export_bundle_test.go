package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/report/reporttest"
)

func TestExportOfABundle(t *testing.T) {
	reporttest.UseFonts(t)
	_, call, closeWindow, ended := openSandboxWindow(t)
	code, stdout, stderr := call("scan", "--json", picture("generated.png"), picture("mountains.jpg"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	scanned := answers(t, stdout)
	folder := t.TempDir()
	export := func(t *testing.T, want int, args ...string) (said, complained string) {
		t.Helper()
		code, stdout, stderr := call(append([]string{"export", scanned[0].RequestID, scanned[1].RequestID}, args...)...)
		if code != want {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		return stdout, stderr
	}
	file := func(path ...string) string {
		content, err := os.ReadFile(filepath.Join(append([]string{folder}, path...)...))
		assert.NoError(t, err)
		return string(content)
	}
	fingerprint := ""
	t.Run("a folder, through the window that is open", func(t *testing.T) {
		said, _ := export(t, command.ExitAnswered, "--out", filepath.Join(folder, "case"), "--media", "both")
		if !strings.HasPrefix(said, "2 results written to "+filepath.Join(folder, "case")+"\nsealed with the key SHA256:") {
			t.Errorf("it prints %q", said)
		}
		_, fingerprint, _ = strings.Cut(strings.TrimSpace(said), "sealed with the key ")
		original, err := os.ReadFile(picture("mountains.jpg"))
		if err != nil || file("case", "data", "media", "2-received-mountains.jpg") != string(original) {
			t.Error("the file is another one")
		}
		if !strings.Contains(file("case", "bag-info.txt"), "Assay-Sandbox: true\n") || !strings.Contains(file("case", "VERIFY.txt"), fingerprint) {
			t.Error("it does not say that it is the sandbox's, or by which key it is sealed")
		}
	})
	closeWindow()
	assert.Equal(t, command.ExitAnswered, <-ended)
	t.Run("one file, alone, sealed with the same key", func(t *testing.T) {
		said, _ := export(t, command.ExitAnswered, "--out", filepath.Join(folder, "case.zip"))
		if !strings.HasSuffix(said, "sealed with the key "+fingerprint+"\n") || !strings.HasPrefix(file("case.zip"), "PK") {
			t.Errorf("it prints %q", said)
		}
	})
	t.Run("one that is there is replaced only by --replace", func(t *testing.T) {
		_, complained := export(t, command.ExitFailed, "--out", filepath.Join(folder, "case"))
		if !strings.Contains(complained, "already exists") {
			t.Errorf("it says %q", complained)
		}
		export(t, command.ExitAnswered, "--out", filepath.Join(folder, "case"), "--replace")
		if _, err := os.Stat(filepath.Join(folder, "case", "data", "media")); err == nil {
			t.Error("the old one is there")
		}
	})
	t.Run("without a seal, where that is asked for", func(t *testing.T) {
		said, _ := export(t, command.ExitAnswered, "--out", filepath.Join(folder, "open.assay"), "--unsealed")
		if _, err := os.Stat(filepath.Join(folder, "open.assay", "seal")); err == nil || strings.Contains(said, "sealed") {
			t.Errorf("it is sealed: %q", said)
		}
	})
	t.Run("what it lacks is said", func(t *testing.T) {
		own := filepath.Join(t.TempDir(), "own.jpg")
		content, err := os.ReadFile(picture("peaks-composite.jpg"))
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(own, content, 0o600))
		code, stdout, stderr := call("scan", "--json", own)
		if code != command.ExitAnswered {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		assert.NoError(t, os.Remove(own))
		code, _, stderr = call("export", answers(t, stdout)[0].RequestID, "--out", filepath.Join(folder, "lacks"), "--media", "received")
		if code != command.ExitAnswered || !strings.Contains(stderr, "Result 1, own.jpg: the file is not in the bundle as it was received") {
			t.Errorf("exit %d: %q", code, stderr)
		}
	})
	t.Run("no authority is named", func(t *testing.T) {
		_, complained := export(t, command.ExitMisuse, "--out", filepath.Join(folder, "stamped"), "--stamp")
		if _, err := os.Stat(filepath.Join(folder, "stamped")); err == nil || !strings.Contains(complained, "No time stamp authority is set") {
			t.Errorf("it says %q", complained)
		}
	})
	t.Run("a page has neither seal nor stamp", func(t *testing.T) {
		for _, flag := range []string{"--stamp", "--unsealed"} {
			if _, complained := export(t, command.ExitMisuse, "--out", filepath.Join(folder, "page.html"), flag); !strings.Contains(complained, "are for a bundle") {
				t.Errorf("it says %q", complained)
			}
		}
	})
	t.Run("the key is shown, replaced, and the earlier one remembered", func(t *testing.T) {
		code, before, stderr := call("key", "signing")
		if code != command.ExitAnswered || !strings.HasPrefix(before, "fingerprint: "+fingerprint+"\npublic key: ssh-ed25519 ") {
			t.Errorf("exit %d: %q, %s", code, before, stderr)
		}
		if code, said, _ := call("key", "rotate-signing"); code != command.ExitAnswered || !strings.Contains(said, "\nearlier "+strings.SplitAfter(before, "\n")[0]) || strings.HasPrefix(said, "fingerprint: "+fingerprint) {
			t.Errorf("exit %d: %q", code, said)
		}
	})
}
