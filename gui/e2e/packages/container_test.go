//go:build e2e && packages && linux

package packages

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// container is one made of an image, with storage of its own.
type container struct {
	t       *testing.T
	storage []string
	name    string
	mounts  []string // host:inside
}

// buildah runs the tool that reads images and runs containers, and returns its exit status and output.
func (c *container) buildah(args ...string) (code int, stdout, stderr string) {
	return called(c.t, exec.CommandContext(c.t.Context(), "buildah", append(append([]string{}, c.storage...), args...)...))
}

func newContainer(t *testing.T, archive string) *container {
	t.Helper()
	folder := t.TempDir()
	c := &container{t: t, storage: []string{"--storage-driver", "vfs", "--root", filepath.Join(folder, "store"), "--runroot", filepath.Join(folder, "run")}}
	code, stdout, stderr := c.buildah("from", "--quiet", "oci-archive:"+archive)
	if code != 0 {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	c.name = strings.TrimSpace(stdout)
	t.Cleanup(func() {
		rm := exec.Command("buildah", append(append([]string{}, c.storage...), "rmi", "--all", "--force")...) //nolint:noctx // the test's context has ended
		if out, err := rm.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return c
}

// call runs the program in the container, as the image's user, with variables of the environment.
func (c *container) call(variables []string, args ...string) (code int, stdout, stderr string) {
	words := []string{"run", "--isolation", "chroot"}
	for _, mount := range c.mounts {
		words = append(words, "--volume", mount)
	}
	for _, variable := range variables {
		words = append(words, "--env", variable)
	}
	return c.buildah(append(append(words, c.name, "--", "/assay"), args...)...)
}

func TestTheContainerScansWithAKeyFromASecret(t *testing.T) {
	f, service := setup(t), startService(t)
	c := newContainer(t, filepath.Join(f.packages, "assay-headless-"+f.version+"-container-amd64.tar"))
	in := t.TempDir()
	assert.NoError(t, os.Chmod(in, 0o755)) //nolint:gosec // another user reads it
	generated, err := os.ReadFile(filepath.Join(f.root, "testdata", "pictures", "generated.png"))
	assert.NoError(t, err)
	for name, content := range map[string][]byte{"generated.png": generated, "authority.pem": service.certificate, "assay-key": []byte(service.key)} {
		assert.NoError(t, os.WriteFile(filepath.Join(in, name), content, 0o644)) //nolint:gosec // likewise
	}
	c.mounts = []string{in + ":/in:ro"}
	variables := []string{"ASSAY_SERVER=" + service.address, "ASSAY_CA_FILE=/in/authority.pem", "ASSAY_API_KEY_FILE=/in/assay-key", "LANG=fr_FR.UTF-8"}

	code, stdout, stderr := c.call(variables, "scan", "--json", "/in/generated.png")
	if code != 0 {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	answers := scannedIn(t, stdout)
	if len(answers) != 1 || answers[0].Status != "FAKE" || answers[0].Verdict != "Probablement manipulé ou généré par IA" {
		t.Errorf("%+v", answers)
	}
	for _, args := range [][]string{{"export", answers[0].RequestID, "--out", "/home/report.pdf"}, {"export", answers[0].RequestID, "--out", "/tmp/report.xlsx"}, {"verify", "--log"}} {
		if code, stdout, stderr := c.call(variables, args...); code != 0 {
			t.Errorf("%q: exit %d: %s%s", args, code, stdout, stderr)
		}
	}
	if code, stdout, stderr := c.call(variables, "export", answers[0].RequestID, "--out", "/report.pdf"); code == 0 {
		t.Errorf("its user may write at the root: %s%s", stdout, stderr)
	}
	if code, stdout, _ := c.call(nil); code == 0 || stdout != "" {
		t.Errorf("without a command: exit %d: %s", code, stdout)
	}
}

func TestTheImagesSayWhatTheyAre(t *testing.T) {
	f := setup(t)
	for _, machine := range []string{"amd64", "arm64"} {
		c := newContainer(t, filepath.Join(f.packages, "assay-headless-"+f.version+"-container-"+machine+".tar"))
		code, stdout, stderr := c.buildah("inspect", c.name)
		if code != 0 {
			t.Fatal(stderr)
		}
		var image struct {
			OCIv1 struct {
				Architecture string
				Config       struct {
					User, WorkingDir string
					Env              []string
					Entrypoint, Cmd  []string
					Volumes          map[string]any
					Labels           map[string]string
				}
			}
		}
		assert.NoError(t, json.Unmarshal([]byte(stdout), &image))
		config := image.OCIv1.Config
		said := fmt.Sprint(image.OCIv1.Architecture, config.User, config.WorkingDir, config.Entrypoint, config.Cmd, config.Volumes, config.Labels["org.opencontainers.image.version"])
		if want := machine + "65532/home[/assay][--help]map[/home:map[]]" + f.version; strings.ReplaceAll(said, " ", "") != want {
			t.Errorf("it says %s, not %s", said, want)
		}
		code, folder, stderr := c.buildah("mount", c.name)
		if code != 0 {
			t.Fatal(stderr)
		}
		entries, err := os.ReadDir(strings.TrimSpace(folder))
		assert.NoError(t, err)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		assert.Equal(t, []string{"assay", "home", "licences", "tmp"}, names)
	}
}
