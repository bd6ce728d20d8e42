//go:build unix

package intake_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/submission"
)

func TestAPipeIsNeverOpened(t *testing.T) {
	t.Run("in a folder it is left out and counted", func(t *testing.T) {
		root := tree(t, "a.png")
		assert.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe.png"), 0o600))
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
		diff := cmp.Diff([]string{"a.png"}, q.names(root))
		assert.True(t, err == nil && diff == "" && got.Unsupported == 0 && got.LeftOut() == "1 that is a pipe or a device", "%+v, %v %s", got, err, diff)
	})
	t.Run("handed over itself it is refused", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe.png")
		assert.NoError(t, syscall.Mkfifo(pipe, 0o600))
		q := setup(t)
		got := q.until(q.drop(pipe, "/dev/null")[0], submission.Refused)
		assert.True(t, strings.Contains(got.Problem.String(), "pipe"), "%q", got.Problem)
	})
	t.Run("one that takes a file's place between two runs hangs nothing", func(t *testing.T) {
		path := pictureFile(t, "a.png", 1)
		l := live(t, []string{path}, "after writing url-held", nil)
		assert.NoError(t, os.Remove(path))
		assert.NoError(t, syscall.Mkfifo(path, 0o600))
		q := l.again()
		q.until(q.Order()[0], submission.Refused)
		got := l.server.submissions()
		assert.True(t, len(got) == 0, "%+v", got)
	})
}
