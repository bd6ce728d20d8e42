package ipc

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
)

func TestOnlyTheSameUserIsServed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can connect as another user")
	}
	open, err := os.MkdirTemp("/tmp", "assay-open-") //nolint:usetesting // T's own is closed to others
	assert.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(open) })
	socket := filepath.Join(open, socketName)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	assert.NoError(t, err)
	if err := errors.Join(os.Chmod(open, 0o777), os.Chmod(socket, 0o777)); err != nil { //nolint:gosec // what must not matter
		t.Fatal(err)
	}
	s := startServer(t.Context(), listener, func(context.Context, Request, func(any) error) error {
		t.Error("it was handled")
		return nil
	})
	t.Cleanup(s.close)

	said := make(chan []byte, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine, and its user with it
		said <- asAnother(t, socket)
	}()
	if got := <-said; len(got) != 0 {
		t.Errorf("another user is told %q", got)
	}
}

// asAnother connects as another user and returns what it is told. It changes the user of its thread alone.
func asAnother(t *testing.T, socket string) []byte {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), 65534, ^uintptr(0)); errno != 0 {
		t.Error(errno)
		return nil
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: socket}); err != nil {
		t.Error(err)
		return nil
	}
	file := os.NewFile(uintptr(fd), socket)
	conn, err := net.FileConn(file)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Error(err)
		return nil
	}
	defer conn.Close() //nolint:errcheck // only a test's
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(conn, "POST "+pathPrefix+"open HTTP/1.1\r\nHost: assay\r\nContent-Length: 2\r\n\r\n{}") // refused by now, or read and thrown away
	got, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
	return got
}
