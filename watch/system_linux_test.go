package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestBeingWritten(t *testing.T) {
	reader := func(t *testing.T) *os.File {
		t.Helper()
		path := filepath.Join(t.TempDir(), "a.jpg")
		writeAt(t, path, "content")
		f, err := openForReading(path)
		must(t, err)
		t.Cleanup(func() { _ = f.Close() })
		if _, known := beingWritten(f); !known {
			t.Skip("the file system of the temporary folder knows no leases")
		}
		return f
	}
	holds := func(t *testing.T, f *os.File, want bool) {
		t.Helper()
		if busy, known := beingWritten(f); busy != want || !known {
			t.Errorf("busy: %v, known: %v; not %v", busy, known, want)
		}
	}
	t.Run("while a writer has it open", func(t *testing.T) {
		f := reader(t)
		holds(t, f, false)
		for _, flags := range []int{os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND} {
			w, err := os.OpenFile(f.Name(), flags, 0)
			must(t, err)
			holds(t, f, true)
			must(t, w.Close())
			holds(t, f, false)
		}
	})
	t.Run("readers are no writers", func(t *testing.T) {
		f := reader(t)
		other, err := os.Open(f.Name())
		must(t, err)
		defer other.Close() //nolint:errcheck // it was only read
		holds(t, f, false)
	})
	t.Run("while it is mapped for writing, though it was closed", func(t *testing.T) {
		f := reader(t)
		w, err := os.OpenFile(f.Name(), os.O_RDWR, 0)
		must(t, err)
		mapped, err := syscall.Mmap(int(w.Fd()), 0, 7, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		must(t, err)
		must(t, w.Close())
		holds(t, f, true)
		must(t, syscall.Munmap(mapped))
		holds(t, f, false)
	})
	t.Run("no lease is left behind", func(t *testing.T) {
		f := reader(t)
		holds(t, f, false)
		if kind, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0); err != nil || kind != unix.F_UNLCK {
			t.Error(kind, err)
		}
	})
	t.Run("a writer that comes in between is held up until the lease is given back, and its signal ends nothing", func(t *testing.T) {
		f := reader(t)
		_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
		must(t, err)
		opened := make(chan error)
		go func() {
			w, err := os.OpenFile(f.Name(), os.O_WRONLY, 0)
			if err == nil {
				err = w.Close()
			}
			opened <- err
		}()
		for limit := time.Now().Add(time.Minute); ; runtime.Gosched() {
			kind, err := unix.FcntlInt(f.Fd(), unix.F_GETLEASE, 0)
			must(t, err)
			if kind == unix.F_UNLCK { // the signal was sent
				break
			}
			if time.Now().After(limit) {
				t.Fatal("nobody came")
			}
		}
		select {
		case err := <-opened:
			t.Fatal("it was opened all the same", err)
		default:
		}
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
		must(t, err)
		must(t, <-opened)
	})
	t.Run("writers that come and go while it is asked again and again are never refused", func(t *testing.T) {
		f := reader(t)
		end := make(chan error)
		go func() {
			for range 2000 {
				w, err := os.OpenFile(f.Name(), os.O_WRONLY, 0)
				if err != nil {
					end <- err
					return
				}
				_ = w.Close()
			}
			end <- nil
		}()
		for {
			select {
			case err := <-end:
				must(t, err)
				return
			default:
				beingWritten(f)
			}
		}
	})
	t.Run("where leases are unknown, so is the answer", func(t *testing.T) {
		for _, path := range []string{"/proc/self/status", "/dev/null"} {
			f, err := os.Open(path)
			must(t, err)
			busy, known := beingWritten(f)
			_ = f.Close()
			if busy && !known || path == "/dev/null" && known {
				t.Errorf("%s: %v, %v", path, busy, known)
			}
			if busy, known := beingWritten(f); busy || known {
				t.Errorf("closed: %v, %v", busy, known)
			}
		}
	})
}

func TestIsNetwork(t *testing.T) {
	for _, path := range []string{"/proc", "/sys", "/", filepath.Join(t.TempDir(), "none")} {
		if isNetwork(path) {
			t.Errorf("%s is a share", path)
		}
	}
	t.Run("shares are known by number", func(t *testing.T) {
		for name, c := range map[string]struct {
			kind  uint32
			major uint32
			want  bool
		}{
			"nfs": {0x6969, 0, true}, "cifs": {0xff534d42, 0, true}, "smb3": {0xfe534d42, 0, true}, "9p": {0x01021997, 0, true},
			"afs": {0x5346414f, 0, true}, "coda": {0x73757245, 0, true}, "sshfs": {0x65735546, 0, true}, "ntfs-3g": {0x65735546, 8, false},
			"ext4": {0xef53, 8, false}, "tmpfs": {0x01021994, 0, false}, "overlay": {0x794c7630, 0, false}, "btrfs": {0x9123683e, 0, false},
		} {
			if got := isDistant(c.kind, c.major); got != c.want {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}
