package assert_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/client/assert"
)

// recorder is a test that keeps what is said of it.
type recorder struct {
	testing.TB
	failed, fatal string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.failed = fmt.Sprintf(format, args...) }
func (r *recorder) Fatal(args ...any)                 { r.fatal = fmt.Sprint(args...) }

func TestWhatHoldsPassesAndWhatDoesNotFails(t *testing.T) {
	var passed, unlike, untrue, broken recorder
	assert.NoError(&passed, nil)
	assert.Equal(&passed, []int{1}, []int{1})
	assert.True(&passed, true, "no")
	assert.Equal(&unlike, []string{"wanted"}, []string{"had"})
	assert.True(&untrue, false, "it has %d", 3)
	assert.NoError(&broken, errors.New("broken"))
	if passed.failed+passed.fatal != "" {
		t.Errorf("what holds is said to have failed: %q, %q", passed.failed, passed.fatal)
	}
	if !strings.Contains(unlike.failed, "wanted") || !strings.Contains(unlike.failed, "had") || untrue.failed != "it has 3" || broken.fatal != "broken" {
		t.Errorf("of what does not hold is said %q, %q and %q", unlike.failed, untrue.failed, broken.fatal)
	}
}
