//go:build e2e && linux

package e2e

import (
	"encoding/json"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// A file's way to an editor, by the mouse: dropped, answered, put into a case, taken out as a report and as a bundle; and the bundle is verified on
// another computer, which has no network.
func TestADroppedFileLeavesAsEvidence(t *testing.T) {
	desktop := setup(t)
	d := &fixture{t: t, desktop: desktop, options: Options{Theme: "light", Home: t.TempDir()}}
	d.open()
	folder := folderWith(t, map[string]string{"harbour.jpg": manipulated(t)})
	files, err := desktop.OpenFolder(t.Context(), folder)
	assert.NoError(t, err)
	assert.NoError(t, files.DragTo(t.Context(), d.app.Window, image.Pt(640, 400)))
	_, err = d.app.Answers(t.Context(), 1, answerLimit)
	assert.NoError(t, err)
	d.look()
	d.click("1-result", resultsInRail)
	d.look()

	d.enter("2-case", caseButton, "Harbour statement")
	d.click("3-in-the-case", newCase)
	d.click("4-the-case", casesInRail)

	report := d.save("report", "harbour.html", 0)
	bundle := d.save("bundle", "harbour.zip", 2)
	d.close()

	found := elsewhere(t, bundle)
	assert.True(t, found.Intact && found.Seal.Signer == "" && found.Seal.Fingerprint != "", "on another computer it is %+v", found)
	said, err := exec.CommandContext(t.Context(), "unzip", "-p", bundle, "*/data/report.html").Output() //nolint:gosec // made by the test
	assert.NoError(t, err)
	content, err := os.ReadFile(report)
	assert.NoError(t, err)
	for what, page := range map[string][]byte{"the report": content, "the bundle's report": said} {
		for _, want := range []string{"Harbour statement", "harbour.jpg", digest(t, filepath.Join(folder, "harbour.jpg")), "Likely manipulated"} {
			assert.True(t, strings.Contains(string(page), want), "%s does not say %q", what, want)
		}
	}
}

// Where things are in a window of 1280 × 800.
var (
	resultsInRail = image.Pt(36, 96)
	casesInRail   = image.Pt(36, 152)
	caseButton    = image.Pt(1145, 23)
	newCase       = image.Pt(640, 299) // the only row below the field for a title
	formats       = image.Pt(252, 141)
	saveButton    = image.Pt(1122, 721)
)

// formatHeight is the height of an entry in the list of formats.
const formatHeight = 36

// enter clicks what opens a field with the keyboard in it, and fills it in.
func (d *fixture) enter(name string, at image.Point, text string) {
	d.t.Helper()
	const opened = 0.05
	assert.NoError(d.t, d.app.Window.Click(d.t.Context(), at.X, at.Y))
	_, err := d.app.Window.Differs(d.t.Context(), d.shot, opened)
	assert.NoError(d.t, err)
	d.keys("ctrl+a")
	assert.NoError(d.t, d.app.Window.Type(d.t.Context(), text))
	d.shot, err = d.app.Window.Settled(d.t.Context())
	assert.NoError(d.t, err)
	d.keep(name)
}

// save makes the report of the shown case in a format, by its place in the list, under a name in the person's home, and returns its path.
func (d *fixture) save(what, name string, format int) string {
	d.t.Helper()
	d.look()
	d.click(what+"-1-sheet", middleOf(d.shot.Primary()[0]))
	d.click(what+"-2-formats", formats)
	d.click(what+"-3-format", formats.Add(image.Pt(0, formatHeight*(format+1))))
	d.look()
	d.enter(what+"-4-where", saveButton, name)
	buttons := d.shot.Primary()
	d.tap(buttons[len(buttons)-1]) // the dialog's own
	path := filepath.Join(d.desktop.Dir, "home", name)
	err := Until(d.t.Context(), answerLimit, name+" is written", func() (bool, error) {
		_, err := os.Stat(path)
		return err == nil, ignoreGone(err)
	})
	d.look()
	d.keep(what + "-5-saved")
	assert.NoError(d.t, err)
	d.keys("Escape")
	return path
}

// verified is what assay verify prints of a bundle.
type verified struct {
	Intact bool   `json:"intact"`
	State  string `json:"state"`
	Seal   struct {
		Signer      string `json:"signer"`
		Fingerprint string `json:"fingerprint"`
	} `json:"seal"`
}

// elsewhere verifies a bundle with another home, where each call would fail.
func elsewhere(t *testing.T, bundle string) (v verified) {
	t.Helper()
	binary, err := Binary()
	assert.NoError(t, err)
	printed, err := exec.CommandContext(t.Context(), binary, "verify", "--home", t.TempDir(), "--proxy", "http://127.0.0.1:9", "--json", bundle).Output() //nolint:gosec // the program under test
	assert.NoError(t, err)
	assert.NoError(t, json.Unmarshal(printed, &v))
	return v
}
