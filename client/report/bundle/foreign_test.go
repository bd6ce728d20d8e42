package bundle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/report/reporttest"
)

// commands are what VERIFY.txt tells to run, in its first language.
func commands(t *testing.T, root string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, bundle.HowToFile))
	assert.NoError(t, err)
	first := strings.Split(string(text), "\n=== ")[1]
	for line := range strings.Lines(first) {
		if command, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    "); is && !strings.HasPrefix(command, "SHA256:") && !strings.HasPrefix(command, "assay ") {
			all = append(all, command)
		}
	}
	return all
}

// shell runs a command as a person would, in a bundle's folder.
func shell(t *testing.T, root, command string) (printed string, ok bool) {
	t.Helper()
	return reporttest.Tool(t, root, "sh", "-c", command)
}

func TestOtherProgramsCheckABundle(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts other programs")
	}
	reporttest.Need(t, "sh", "sha256sum", "ssh-keygen", "python3", "unzip")
	f := setup(t)
	f.typical()
	f.o.Media = report.MediaBoth
	root, _ := f.write("case")
	zipped, _ := f.write("case.zip")
	all := commands(t, root)
	wanted := []string{"sha256sum -c", "ssh-keygen -Y verify", "python3 check_proof.py"}
	if len(all) != len(wanted) {
		t.Fatalf("VERIFY.txt tells to run %q", all)
	}
	for i, want := range wanted {
		if !strings.Contains(all[i], want) {
			t.Errorf("%q in place of %s", all[i], want)
		}
	}
	t.Run("by the commands in VERIFY.txt", func(t *testing.T) {
		for i, want := range []string{"data/media/1-received-Größe 100_ 🙂.png: OK\n", `Good "assay-bundle" signature for desk with ED25519 key SHA256:`, "entry 4 is in the log assay/"} {
			printed, ok := shell(t, root, all[i])
			if !ok || !strings.Contains(printed, want) || strings.Contains(printed, "FAILED") || strings.Contains(printed, "NOT PROVED") {
				t.Errorf("%s: %s", all[i], printed)
			}
		}
	})
	t.Run("which find a change", func(t *testing.T) {
		for i, change := range []struct{ file, says string }{
			{"data/answers/1.json", "data/answers/1.json: FAILED"}, {"tagmanifest-sha256.txt", "Signature verification failed"}, {"data/custody/1.entry", "NOT PROVED"},
		} {
			path := filepath.Join(root, filepath.FromSlash(change.file))
			content, err := os.ReadFile(path)
			assert.NoError(t, err)
			assert.NoError(t, os.WriteFile(path, append(slices.Clone(content), ' '), 0o600))
			if printed, _ := shell(t, root, all[i]); !strings.Contains(printed, change.says) {
				t.Errorf("%s says %q", all[i], printed)
			}
			assert.NoError(t, os.WriteFile(path, content, 0o600))
		}
	})
	t.Run("and in one file", func(t *testing.T) {
		out := t.TempDir()
		if printed, ok := reporttest.Tool(t, "", "unzip", "-t", zipped); !ok || !strings.Contains(printed, "No errors detected") {
			t.Errorf("%s", printed)
		}
		if printed, ok := reporttest.Tool(t, out, "unzip", "-q", zipped); !ok {
			t.Errorf("%s", printed)
		}
		for _, command := range all {
			if printed, ok := shell(t, filepath.Join(out, "case"), command); !ok {
				t.Errorf("%s: %s", command, printed)
			}
		}
	})
}
