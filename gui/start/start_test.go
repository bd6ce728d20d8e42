package start

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// targets are the systems that the build without a window is made for.
var targets = []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"}

// windowOnly begin the paths of packages that only the window needs: the toolkit, what draws and shapes its texts, sound out, the tray, the
// clipboard, and whatever needs a C compiler.
var windowOnly = []string{
	"assay/gui/", "fyne.io/", "github.com/fyne-io/", "github.com/FyshOS/", "github.com/dweymouth/fyne-tooltip", "github.com/go-gl/", "github.com/go-text/",
	"github.com/ebitengine/", "github.com/jezek/xgb", "github.com/rymdport/portal", "github.com/srwiley/", "golang.design/x/clipboard", "runtime/cgo",
}

func TestWithoutAWindowNothingOfTheToolkitIsInTheBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("go list takes seconds, and nothing here runs beside anything")
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			packages := packagesOf(t, target, "0", "-tags=headless,nodynamic")
			if !slices.Contains(packages, "assay/client/command") || !slices.Contains(packages, "assay/assets/reportfonts") {
				t.Errorf("the subcommands and the fonts are not in it: %v", packages)
			}
			for _, path := range packages {
				if path != "assay/gui/start" && slices.ContainsFunc(windowOnly, func(prefix string) bool { return strings.HasPrefix(path+"/", prefix) }) {
					t.Errorf("%s is in it", path)
				}
			}
		})
	}
	t.Run("each of them is in the window's build, so that these are their names", func(t *testing.T) {
		packages := packagesOf(t, "linux/amd64", "1", "-tags=")
		for _, prefix := range windowOnly {
			if !slices.ContainsFunc(packages, func(path string) bool { return strings.HasPrefix(path+"/", prefix) }) {
				t.Errorf("%s is not in it", prefix)
			}
		}
		if slices.Contains(packages, "assay/assets/reportfonts") {
			t.Error("the fonts are in it twice: the toolkit's are the same")
		}
	})
}

// packagesOf asks Go which packages are in a build.
func packagesOf(t *testing.T, target, cgo, tags string) []string {
	t.Helper()
	system, machine, _ := strings.Cut(target, "/")
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", tags, "assay") //nolint:gosec // words of this file
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED="+cgo)
	out, err := list.Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	return strings.Fields(string(out))
}
