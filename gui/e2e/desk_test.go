//go:build e2e && linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/desk/postgres/desktest"
)

// converged is how long it may take until what one has done is at the other's, who may only just have a network again, on a small machine under load.
const converged = 90 * time.Second

// colleague is somebody at the desk, with a computer of their own.
type colleague struct {
	*fixture
	name string
}

// TestTwoPeopleShareADesk is a day of two people, on two displays with two homes: one drops a picture, the other drops the same and is told; one judges,
// the other signs off; one's network goes, both write, and both end with the same.
func TestTwoPeopleShareADesk(t *testing.T) {
	database := desktest.Start(t).NewDatabase(t)
	wire, err := StartWire(t.Context(), database.URL(""))
	assert.NoError(t, err)
	t.Cleanup(func() { _ = wire.Close() })
	anna, rui := newColleague(t, "anna"), newColleague(t, "rui")
	service, err := anna.desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0")
	assert.NoError(t, err)
	people := []*colleague{anna, rui}
	for _, c := range people {
		c.options = Options{Theme: "light", Home: t.TempDir(), Server: service.URL, Key: service.Key}
	}

	it := exec.CommandContext(t.Context(), assayBinary(t), "desk", "init", "--home", t.TempDir(), "--admin", database.URL(database.Owner), //nolint:gosec // the program under test
		"--member", "anna:reviewer", "--member", "rui:reviewer")
	it.Stdin = strings.NewReader(strings.Repeat(desktest.Password+"\n", 3))
	said, err := it.CombinedOutput()
	assert.True(t, err == nil, "%s", said)
	for _, c := range people {
		c.keychain(true)
		address, err := url.Parse(database.URL(c.name))
		assert.NoError(t, err)
		if c == anna {
			address.Host = "localhost" + wire.address[strings.LastIndex(wire.address, ":"):]
		}
		c.calls([]string{"ASSAY_DESK_PASSWORD=" + desktest.Password}, "desk", "join", address.String())
		c.open()
		c.keep(c.name + "-0-begins")
	}

	anna.drops("harbour.jpg")
	_, err = anna.app.Answers(t.Context(), 1, answerLimit)
	assert.NoError(t, err)
	anna.sees("anna-1-answered", "her answer shows", converged, func(*Shot) bool { return true })
	var answer struct{ RequestID string }
	assert.NoError(t, json.Unmarshal([]byte(anna.calls(nil, "scan", "--json", anna.folder+"/harbour.jpg")), &answer))
	of := answer.RequestID
	anna.calls(nil, "case", "new", "The flood")
	anna.calls(nil, "case", "add", "The flood", of)
	anna.calls(nil, "case", "share", "The flood", "--yes", "--with", "rui:reviewer")
	rui.has(converged, of)
	rui.show("ctrl+3")
	rui.keep("rui-1-her-case")
	rui.show("ctrl+1")

	before := rui.shot
	rui.drops("from a reader.jpg")
	_, err = rui.app.Window.Differs(t.Context(), before, 0.01)
	assert.NoError(t, err)
	time.Sleep(5 * time.Second) // in which it would be sent
	rui.look()
	rui.keep("rui-2-told")
	sent, err := service.Submissions()
	assert.NoError(t, err)
	if n := sent[digest(t, anna.folder+"/harbour.jpg")]; n != 1 {
		t.Errorf("the service was sent the picture %d times", n)
	}

	rui.calls(nil, "feedback", of, "--label", "manipulated", "--category", "confirmation", "--comment", "The waterline.")
	anna.has(converged, `"label":"MANIPULATED"`, "The waterline.")
	anna.show("ctrl+3")
	anna.keep("anna-2-judged")
	anna.signsOff()
	rui.has(converged, `"signedOff":true`)
	rui.show("ctrl+3")
	for _, c := range people {
		c.look()
		c.keep(c.name + "-3-signed-off")
	}

	assert.NoError(t, wire.Cut())
	anna.calls(nil, "case", "note", "The flood", "The mill is on the left bank.")
	rui.calls(nil, "case", "note", "The flood", "The reader took it in 2019.")
	for _, c := range people {
		c.look()
		c.keep(c.name + "-4-apart")
	}
	if shown := rui.calls(nil, "case", "show", "The flood", "--json"); strings.Contains(shown, "left bank") {
		t.Error("what she wrote without a network is at his desk")
	}
	assert.NoError(t, wire.Mend(t.Context()))
	for _, c := range people {
		c.has(converged, "left bank", "in 2019")
		c.look()
		c.keep(c.name + "-5-together")
	}

	all := database.Backup(t)
	assert.True(t, strings.Contains(all, "left bank"), "the desk has no note")
	for what, secret := range map[string]string{
		"the service's key": service.Key, "a signed address": signature, "a password": desktest.Password, "a name": "harbour", "his name of it": "from a reader", "her folder": anna.folder, "his folder": rui.folder, "a link": service.URL,
	} {
		if strings.Contains(all, secret) {
			t.Errorf("the desk has %s", what)
		}
	}
}

// newColleague is somebody with a desktop of their own.
func newColleague(t *testing.T, name string) *colleague {
	t.Helper()
	return &colleague{&fixture{t: t, desktop: setup(t), digests: map[string]int{}}, name}
}

// drops drags a picture on the window.
func (c *colleague) drops(name string) {
	c.t.Helper()
	c.folder = folderWith(c.t, map[string]string{name: manipulated(c.t)})
	files, err := c.desktop.OpenFolder(c.t.Context(), c.folder)
	assert.NoError(c.t, err)
	assert.NoError(c.t, files.DragTo(c.t.Context(), c.app.Window, image.Pt(640, 400)))
}

// signsOff signs off the only judgement of the case that is shown, by the keyboard: it goes from control to control, until the small button at the right
// of the judgements has the focus, and presses that.
func (c *colleague) signsOff() {
	c.t.Helper()
	within := image.Rect(900, 340, 1030, 480)
	err := Until(c.t.Context(), converged, "the button that signs off has the focus", func() (bool, error) {
		c.keys("Tab")
		shot, err := c.app.Window.Settled(c.t.Context())
		if err != nil {
			return false, err
		}
		c.shot = shot
		ring, ok := shot.Ring()
		return ok && ring.In(within), nil
	})
	if err != nil {
		_ = c.desktop.Keep(c.shot, c.name+"-3-signs-off, in vain")
		c.t.Fatal(err)
	}
	c.keep(c.name + "-3-signs-off")
	c.keys("space")
}

// calls runs a subcommand on the computer, which works through the window where one is open, and returns what it prints.
func (c *colleague) calls(variables []string, words ...string) string {
	c.t.Helper()
	process, err := c.desktop.StartWith(append(c.options.variables(), variables...), assayBinary(c.t), append(words, "--home", c.options.Home)...)
	assert.NoError(c.t, err)
	if code, err := process.Wait(converged); err != nil || code != 0 {
		c.t.Fatalf("%s: %q: %v, exit code %d, %s%s", c.name, words, err, code, process.Output, process.Errors)
	}
	return process.Output.String()
}

// has waits until the case is on the computer, with all of these in it.
func (c *colleague) has(limit time.Duration, wanted ...string) {
	c.t.Helper()
	shown := ""
	err := Until(c.t.Context(), limit, fmt.Sprintf("%s has %q", c.name, wanted), func() (bool, error) {
		ctx, cancel := context.WithTimeout(c.t.Context(), limit)
		defer cancel()
		out, err := c.desktop.Run(ctx, assayBinary(c.t), "case", "show", "The flood", "--json", "--home", c.options.Home, "--server", c.options.Server)
		shown = string(out)
		for _, one := range wanted {
			if !strings.Contains(shown, one) {
				return false, nil //nolint:nilerr // the case may not be there yet
			}
		}
		return err == nil, nil
	})
	if err != nil {
		c.t.Fatalf("%v: %s", err, shown)
	}
}

func assayBinary(t *testing.T) string {
	t.Helper()
	path, err := Binary()
	assert.NoError(t, err)
	return filepath.Clean(path)
}
