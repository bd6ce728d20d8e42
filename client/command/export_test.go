package command_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
)

func TestExport(t *testing.T) {
	_, call, closeWindow, ended := openSandboxWindow(t)
	code, stdout, stderr := call("scan", "--json", picture("generated.png"), picture("mountains.jpg"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	scanned := answers(t, stdout)
	ids := []string{scanned[0].RequestID, scanned[1].RequestID}
	folder := t.TempDir()
	export := func(t *testing.T, name string, args ...string) (code int, said, content string) {
		t.Helper()
		path := filepath.Join(folder, name)
		code, stdout, stderr := call(append([]string{"export", "--out", path}, args...)...)
		if written := strings.HasPrefix(stdout, "1 result written to "+path) || strings.HasPrefix(stdout, "2 results written to "+path); written != (code == command.ExitAnswered) {
			t.Errorf("exit %d, and it prints %q", code, stdout)
		}
		data, _ := os.ReadFile(path) // "" where there is none
		return code, stderr, string(data)
	}

	var throughTheWindow string
	t.Run("through the window that is open", func(t *testing.T) {
		code, said, content := export(t, "open.ndjson", ids...)
		if code != command.ExitAnswered {
			t.Fatalf("exit %d: %s", code, said)
		}
		throughTheWindow = content
		lines := strings.Split(strings.TrimSpace(content), "\n")
		for i, line := range lines {
			var r struct {
				RequestID, Status, Verdict, SHA256, Service, Remark string
				Score                                               struct{ Value float64 }
			}
			assert.NoError(t, json.Unmarshal([]byte(line), &r))
			want := scanned[i]
			if r.RequestID != want.RequestID || r.Status != want.Status || r.Verdict != want.Verdict || r.SHA256 != want.SHA256 || r.Score.Value != *want.Score ||
				r.Service != "sandbox" || r.Remark != want.Note {
				t.Errorf("scan said %+v, and export %+v", want, r)
			}
		}
		if len(lines) != 2 {
			t.Errorf("%d lines", len(lines))
		}
	})
	t.Run("a result that is named twice is written once", func(t *testing.T) {
		if code, said, content := export(t, "twice.ndjson", ids[0], ids[0]); code != command.ExitAnswered || strings.Count(content, "\n") != 1 {
			t.Errorf("exit %d: %s: %s", code, said, content)
		}
	})
	closeWindow()
	assert.Equal(t, command.ExitAnswered, <-ended)

	t.Run("alone, it writes the same", func(t *testing.T) {
		if code, said, content := export(t, "alone.ndjson", ids...); code != command.ExitAnswered || content != throughTheWindow {
			t.Errorf("exit %d: %s: %s", code, said, content)
		}
	})
	t.Run("a file that is there is written over only by --replace", func(t *testing.T) {
		code, said, content := export(t, "alone.ndjson", ids[0])
		if code != command.ExitFailed || !strings.Contains(said, "already exists") || content != throughTheWindow {
			t.Errorf("exit %d: %s", code, said)
		}
		if code, said, content := export(t, "alone.ndjson", "--replace", ids[0]); code != command.ExitAnswered || strings.Count(content, "\n") != 1 {
			t.Errorf("exit %d: %s: %s", code, said, content)
		}
	})
	t.Run("a byte order mark is by choice", func(t *testing.T) {
		_, _, with := export(t, "with.csv", "--bom", ids[0])
		_, _, without := export(t, "without.csv", ids[0])
		if with != "\ufeff"+without || !strings.HasPrefix(without, "request_id,") {
			t.Errorf("%.20q, %.20q", with, without)
		}
	})
	t.Run("a path from where it was started", func(t *testing.T) {
		t.Chdir(folder)
		if code, _, stderr := call("export", ids[0], "--out", "here.xlsx"); code != command.ExitAnswered {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if content, err := os.ReadFile(filepath.Join(folder, "here.xlsx")); err != nil || !bytes.HasPrefix(content, []byte("PK")) {
			t.Errorf("%v: %.8q", err, content)
		}
	})
	before, err := os.ReadDir(folder)
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no ID":                       {[]string{"export", "--out", "none.csv"}, command.ExitMisuse, "takes the IDs"},
		"no file":                     {[]string{"export", ids[0]}, command.ExitMisuse, "--out"},
		"a file that becomes nothing": {[]string{"export", ids[0], "--out", "none.docx"}, command.ExitMisuse, ".json, .ndjson, .csv, .xlsx, .html"},
		"no such choice of pictures":  {[]string{"export", ids[0], "--out", "none.html", "--media", "all"}, command.ExitMisuse, "--media"},
		"an ID that nobody knows":     {[]string{"export", ids[0], "nobody", "--out", "none.csv"}, command.ExitFailed, "nobody"},
		"a folder that is not there":  {[]string{"export", ids[0], "--out", filepath.Join("nowhere", "none.csv")}, command.ExitFailed, "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(folder)
			if code, stdout, stderr := call(c.args...); code != c.code || stdout != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
		})
	}
	after, err := os.ReadDir(folder)
	if err != nil || !slices.EqualFunc(before, after, func(a, b os.DirEntry) bool { return a.Name() == b.Name() }) {
		t.Errorf("%v: the folder held %v, and holds %v", err, before, after)
	}
}

func TestExportTakesWhatIsLeftOutAndTheLanguage(t *testing.T) {
	_, call, closeWindow, ended := openSandboxWindow(t)
	code, stdout, stderr := call("scan", "--json", picture("generated.png"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	id, path := answers(t, stdout)[0].RequestID, filepath.Join(t.TempDir(), "report.html")
	inGerman := func(t *testing.T) {
		code, _, stderr := call("export", id, "--out", path, "--replace", "--lang", "de", "--names", "neutral", "--without", "heatmaps,file", "--media", "sent")
		if page := read(t, path); code != command.ExitAnswered || !strings.Contains(page, `<html lang="de">`) || !strings.Contains(page, "picture-") || strings.Contains(page, "generated.png") {
			t.Errorf("exit %d, %s: %s", code, stderr, page)
		}
	}
	t.Run("through the window that is open", inGerman)
	for _, wrong := range [][]string{{"--lang", "tlh"}, {"--names", "false"}, {"--without", "everything"}, {"--media", "all"}} {
		if code, _, stderr := call(append([]string{"export", id, "--out", path + ".pdf"}, wrong...)...); code != command.ExitMisuse || !strings.Contains(stderr, wrong[0]) {
			t.Errorf("%q: exit %d: %s", wrong, code, stderr)
		}
	}
	closeWindow()
	<-ended
	t.Run("alone", inGerman)
}
