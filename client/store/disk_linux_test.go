package store_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/submission"
)

// TestFullDisk fills a disk of 6 MB, in a process of its own whose disk nobody else sees.
func TestFullDisk(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		onFullDisk(t)
		return
	}
	command := child(t.Context(), "TestFullDisk", t.TempDir())
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 { // mounting takes a user namespace
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	inChild(t, command)
}

func onFullDisk(t *testing.T) {
	disk := os.Getenv(childFolder)
	assert.NoError(t, syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""))
	assert.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=6m"))
	ballast, folder := filepath.Join(disk, "ballast"), filepath.Join(disk, "assay")
	load := func() { // with all that there is room for
		if err := os.WriteFile(ballast, make([]byte, 3<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
			assert.NoError(t, err)
		}
	}
	full := func(err error) {
		t.Helper()
		var failure *store.Error
		if !errors.Is(err, store.ErrFull) || !errors.As(err, &failure) || failure.Message.IsZero() {
			t.Fatalf("a full disk is said as: %v", err)
		}
	}
	load()
	s, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	var acknowledged []string
	accept := func() error {
		sub := answered(t, fmt.Sprint("n", len(acknowledged)), client.Fake)
		sub.Result.Raw = append(sub.Result.Raw, make([]byte, 4000)...)
		for i := range sub.Result.Raw[len(sub.Result.Raw)-4000:] {
			sub.Result.Raw[len(sub.Result.Raw)-4000+i] = ' '
		}
		_, err := s.Add(t.Context(), []submission.Submission{sub})
		if err == nil {
			acknowledged = append(acknowledged, sub.ID)
		}
		return err
	}
	for refused := 0; refused < 6; { // a smaller one may still fit after a larger one
		if err := accept(); err != nil {
			full(err)
			refused++
		}
	}
	_, err = s.Keep(t.Context(), "r", "original", "", func(w io.Writer) error { _, err := w.Write(make([]byte, 3<<20)); return err })
	full(err)
	if left, err := filepath.Glob(filepath.Join(folder, "vault", "unfinished*")); len(left) > 0 || err != nil {
		t.Error(left, err)
	}
	rows, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 10_000)
	if len(rows) != len(acknowledged) || err != nil {
		t.Fatalf("%d of %d are there (%v)", len(rows), len(acknowledged), err)
	}

	assert.NoError(t, os.Remove(ballast)) // and it goes on by itself
	for range 20 {
		assert.NoError(t, accept())
	}
	assert.NoError(t, s.VerifyCustody(t.Context()))
	assert.NoError(t, s.Close())
	load()
	if s, err = store.Open(t.Context(), folder, store.Options{}); err == nil { // there is room enough for looking
		if s.SetAside() != "" {
			t.Error("set aside on a full disk")
		}
		_ = s.Close()
	} else {
		full(err)
	}
	assert.NoError(t, os.Remove(ballast))
	s = open(t, folder, store.Options{})
	for _, id := range acknowledged {
		get(t, s, id)
	}
	if s.SetAside() != "" {
		t.Error("set aside")
	}
	assert.NoError(t, s.VerifyCustody(t.Context()))

	t.Run("a disk with no room for a new store says so", func(t *testing.T) {
		assert.NoError(t, os.WriteFile(ballast, nil, 0o600))
		file, err := os.OpenFile(ballast, os.O_WRONLY, 0o600)
		assert.NoError(t, err)
		for err == nil {
			_, err = file.Write(make([]byte, 4096))
		}
		assert.NoError(t, file.Close())
		other := filepath.Join(disk, "other")
		_, err = store.Open(t.Context(), other, store.Options{})
		full(err)
		assert.NoError(t, os.Remove(ballast))
		if s := open(t, other, store.Options{}); s.SetAside() != "" {
			t.Error("set aside")
		}
	})
}

// TestSoakDiskErrors lets flushing and writing fail again and again, by strace, which must be installed. It runs where
// ASSAY_SOAK is set.
func TestSoakDiskErrors(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		onFailingDisk(t)
		return
	}
	if os.Getenv("ASSAY_SOAK") == "" {
		t.Log("ASSAY_SOAK is not set: make soak runs this")
		return
	}
	strace, err := exec.LookPath("strace")
	assert.NoError(t, err)
	for _, fault := range []string{
		"fsync,fdatasync:error=EIO:when=9+7", "fsync,fdatasync:error=EIO:when=12+3", "pwrite64:error=EIO:when=150+101", "pwrite64:error=ENOSPC:when=170+89",
	} {
		t.Run(fault, func(t *testing.T) {
			inChild(t, child(t.Context(), "TestSoakDiskErrors", t.TempDir(), strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace=fsync,fdatasync,pwrite64", "-e", "inject="+fault))
		})
	}
}

func onFailingDisk(t *testing.T) {
	var s *store.Store
	reopen := func() {
		t.Helper()
		for range 50 {
			var err error
			if s, err = openChild(t.Context()); err == nil {
				if s.SetAside() != "" {
					t.Fatal("set aside")
				}
				return
			}
			if !errors.Is(err, store.ErrIO) && !errors.Is(err, store.ErrFull) {
				t.Fatal(err)
			}
		}
		t.Fatal("it cannot be opened")
	}
	reopen()
	var acknowledged []string
	failures := 0
	for i := range 200 {
		id := fmt.Sprint("n", i)
		_, err := s.Add(t.Context(), []submission.Submission{answered(t, id, client.Fake)})
		switch {
		case err == nil:
			acknowledged = append(acknowledged, id)
		case errors.Is(err, store.ErrIO), errors.Is(err, store.ErrFull):
			failures++
		default:
			t.Fatal(err)
		}
		if i == 100 {
			_ = s.Close() // which may fail as well
			reopen()
		}
	}
	for _, id := range acknowledged {
		get(t, s, id)
	}
	assert.NoError(t, s.VerifyCustody(t.Context()))
	if failures == 0 || len(acknowledged) == 0 {
		t.Errorf("%d acknowledged, %d failures: nothing was tried", len(acknowledged), failures)
	}
	_ = s.Close()
	reopen()
	for _, id := range acknowledged {
		get(t, s, id)
	}
	assert.NoError(t, s.VerifyCustody(t.Context()))
	_ = s.Close()
}
