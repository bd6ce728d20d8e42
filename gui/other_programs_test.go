package gui

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/client"
	"assay/client/media"
)

func TestCopiesForOtherProgramsHaveHarmlessNames(t *testing.T) {
	for name, want := range map[string]string{
		"press call.mp4":         "copy-press_call.mp4",
		"../../etc/hosts":        "copy-.._.._etc_hosts.mp4",
		"-rf.mp3":                "copy--rf.mp3",
		"$(reboot).wav":          "copy-__reboot_.wav",
		"a\u202egpj.mp4":         "copy-a_gpj.mp4",
		`C:\Windows\x.mov`:       "copy-C__Windows_x.mov",
		"Ünïcode.mp3":            "copy-_n_code.mp3",
		strings.Repeat("a", 300): "copy-" + strings.Repeat("a", 100) + ".mp4",
		"clip.mp4.exe":           "copy-clip.mp4.exe.mp4",
		"clip.desktop":           "copy-clip.desktop.mp4",
	} {
		if got := fileName(name, kindOf(name)); got != want || filepath.Base(got) != got {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func kindOf(name string) client.MediaType {
	if kind, ok := media.TypeOf(name); ok {
		return kind
	}
	return client.Video
}

func TestFileURL(t *testing.T) {
	for path, want := range map[string]string{
		"/tmp/a b%#?.mp4": "file:///tmp/a%20b%25%23%3F.mp4",
		"C:/x.mp4":        "file:///C:/x.mp4",
	} {
		if got := fileURL(path).String(); got != want {
			t.Errorf("%q becomes %q, want %q", path, got, want)
		}
	}
}
