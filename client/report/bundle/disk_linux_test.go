package bundle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/client/report"
	"assay/client/report/bundle"
)

// childFolder names, in the environment, the folder of a test's own process.
const childFolder = "ASSAY_TEST_BUNDLES"

// TestFullDisk fills a disk of 256 KB, in a process of its own whose disk nobody else sees.
func TestFullDisk(t *testing.T) {
	if disk := os.Getenv(childFolder); disk != "" {
		onFullDisk(t, disk)
		return
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$", "-test.v") //nolint:gosec // this very binary
	command.Env = append(os.Environ(), childFolder+"="+t.TempDir())
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 { // mounting takes a user namespace
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func onFullDisk(t *testing.T, disk string) {
	f := setup(t)
	f.typical()
	f.add("large", "large.png", make([]byte, 1<<20), nil)
	f.o.Media = report.MediaReceived
	assert.NoError(t, syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""))
	assert.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"))
	for _, name := range []string{"case", "case.zip"} {
		_, err := bundle.Write(t.Context(), filepath.Join(disk, name), f.source(), f.o)
		if err == nil || !strings.Contains(err.Error(), "is full. Nothing was written.") {
			t.Errorf("a full disk is said as: %v", err)
		}
		if left, err := os.ReadDir(disk); err != nil || len(left) > 0 {
			t.Errorf("%v is left: %v", left, err)
		}
	}
	assert.NoError(t, syscall.Unmount(disk, 0))
	assert.NoError(t, os.Remove(disk))
	_, err := bundle.Write(t.Context(), filepath.Join(disk, "case"), f.source(), f.o)
	if err == nil || !strings.Contains(err.Error(), "There is no folder") {
		t.Errorf("a disk that is gone is said as: %v", err)
	}
}
