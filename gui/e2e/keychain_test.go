//go:build e2e && linux

package e2e

import (
	"path/filepath"
	"syscall"
	"testing"

	"assay/client/assert"
)

// The window opens at once whatever becomes of the keychain, nothing is sent without a key, and all goes on once it is there.
func TestTheKeychainKeepsAssayWaiting(t *testing.T) {
	d := setupConfigured(t)
	d.settings(nil)
	keychain := d.keychain(true)
	d.setKey()

	t.Run("locked", func(t *testing.T) {
		d := d.in(t)
		assert.NoError(t, keychain.Stop())
		locked := d.keychain(false)
		d.open(pictures(t)[0])
		d.keep("1-locked")
		d.nothingSent()
		assert.NoError(t, locked.Stop())
		keychain = d.keychain(true)
		d.answers(filepath.Base(pictures(t)[0]))
		d.look()
		d.keep("2-unlocked")
		d.secretNowhere()
	})
	t.Run("slow", func(t *testing.T) {
		d := d.in(t)
		assert.NoError(t, keychain.Signal(syscall.SIGSTOP))
		before := d.wire.Sent()
		d.open(pictures(t)[1])
		d.keep("3-slow")
		if d.wire.Sent() != before {
			t.Error("something was sent without a key")
		}
		assert.NoError(t, keychain.Signal(syscall.SIGCONT))
		d.answers(filepath.Base(pictures(t)[1]))
		d.close()
	})
	t.Run("absent", func(t *testing.T) {
		d := d.in(t)
		assert.NoError(t, keychain.Stop())
		before := d.wire.Sent()
		d.open(pictures(t)[2])
		d.keep("4-absent")
		if d.wire.Sent() != before {
			t.Error("something was sent without a key")
		}
		d.close()
	})
}

// Without a keychain the key is kept for the run, by the person's word, and nowhere else.
func TestTheFirstRunWithoutAKeychain(t *testing.T) {
	d := setupConfigured(t)
	d.open()
	d.fillIn(d.wire.URL(), d.service.Key)
	form := d.shot
	d.tap(d.continues())
	d.sees("1-no-keychain", "it asks whether to keep the key for this run", patience, func(s *Shot) bool {
		return len(s.Primary()) > 0 && s.Primary()[len(s.Primary())-1] != form.Primary()[len(form.Primary())-1]
	})
	d.tap(d.continues())
	d.sees("2-inbox", "the inbox is there", patience, inboxEmpty)
	second := d.options
	second.Files = []string{pictures(t)[0]}
	handOver(t, d.desktop, second)
	d.answers(filepath.Base(pictures(t)[0]))
	d.secretNowhere()
}

// What Assay starts is not told the key, not even where the environment had it.
func TestNoProgramThatAssayStartsIsToldTheKey(t *testing.T) {
	d := setupConfigured(t)
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
	waitFor(t, patience, "Assay has started a program", func() bool { return len(filesBelow(t, told)) >= 2 })
	d.without(d.secrets(), "what a program was told", joined(filesBelow(t, told)))
	d.close()
}
