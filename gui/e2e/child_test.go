//go:build e2e && linux

package e2e

import (
	"path/filepath"
	"testing"
	"time"
)

// What Assay starts is not told the key, not even where the environment had it.
func TestNoProgramThatAssayStartsIsToldTheKey(t *testing.T) {
	d := newDesk(t)
	told := t.TempDir()
	programs := t.TempDir()
	standIn := "#!/bin/sh\ncp /proc/$$/environ \"" + told + "/environ.$$\"\ncp /proc/$$/cmdline \"" + told + "/cmdline.$$\"\nexec /usr/bin/ffmpeg \"$@\"\n"
	writeProgram(t, filepath.Join(programs, "ffmpeg"), standIn)
	d.options.Server, d.options.Key, d.options.BySettings = d.wire.URL(), d.service.Key, false
	d.options.Variables = []string{"PATH=" + programs + ":/usr/local/bin:/usr/bin:/bin"}
	d.open(makeClip(t, d.desktop))
	if _, err := d.app.Answers(t.Context(), 1, answerLimit); err != nil {
		t.Fatal(err)
	}
	d.show("ctrl+2")
	d.keys("Right") // a frame of the clip is taken out of it
	waitFor(t, 30*time.Second, "Assay has started a program", func() bool { return len(filesBelow(t, told)) >= 2 })
	d.without(d.secrets(), "what a program was told", joined(filesBelow(t, told)))
	d.close()
}
