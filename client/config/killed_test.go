package config

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// writerFolder names, in the environment of a child, the folder whose settings it changes until it is killed.
const writerFolder = "ASSAY_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerFolder); dir != "" {
		os.Exit(writeForEver(dir)) //nolint:forbidigo // a program of its own
	}
	os.Exit(m.Run()) //nolint:forbidigo // as every TestMain
}

func writeForEver(dir string) int {
	c, err := Open(Params{Dir: dir})
	for n := 0; err == nil; n++ {
		err = c.Change(func(s *Settings) { s.Uploads, s.Storage.VaultMegabytes = 1+n%MaxUploads, 1000+n%100000 })
		_, _ = fmt.Fprintln(os.Stdout, n)
	}
	_, _ = fmt.Fprintln(os.Stderr, err)
	return 1
}

// killWriter lets another process change the settings of a folder a few times, and kills it while it does.
func killWriter(t *testing.T, dir string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this very test
	child.Env = append(os.Environ(), writerFolder+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	written := 0
	for written < 4 && lines.Scan() {
		written++
	}
	if written < 4 {
		t.Errorf("it ended by itself after %d", written)
	}
	if err := child.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = child.Wait() // it was killed
}
