package intake_test

import (
	"cmp"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
)

// apart names the folder of a test that runs in a process of its own, apart from the disks or the network of the others.
const apart = "ASSAY_FAULTS_APART"

// runApart runs a test once more, in a process with kernel namespaces of its own. It reports whether this is that process.
func runApart(t *testing.T, namespaces uintptr) (here bool) {
	t.Helper()
	if os.Getenv(apart) != "" {
		return true
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=60s") //nolint:gosec // this very test
	command.Env = append(os.Environ(), apart+"="+t.TempDir())
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces}
	if os.Geteuid() != 0 {
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	said, err := command.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EINVAL):
		t.Skipf("this system gives no namespaces: %v", err)
	case err != nil || !strings.Contains(string(said), "--- PASS: "+t.Name()):
		t.Errorf("%v\n%s", err, said)
	}
	return false
}

func TestADiskThatIsReallyFull(t *testing.T) {
	if !runApart(t, syscall.CLONE_NEWNS) {
		return
	}
	disk := os.Getenv(apart)
	assert.NoError(t, syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""))
	assert.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"))
	ballast := filepath.Join(disk, "ballast")
	for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpPut, sandbox.OpResult} {
		t.Run("since "+string(op), func(t *testing.T) {
			s := setupSandbox(t, plan{folder: filepath.Join(disk, "assay-"+string(op)), troubles: []trouble{{op: op, from: 1, to: 1,
				do: func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
					fill(t, ballast)
					s.wire.pass(w, r)
				}}}})
			file, other := pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60)
			ids := s.drop(file)
			s.stands(intake.NoDisk)
			assert.True(t, strings.Contains(s.QueueStatus().Reason.String(), "full"), "it says %q", s.QueueStatus().Reason)
			accepted, err := s.Accept(t.Context(), intake.Inputs(other), intake.Options{Source: submission.Dropped})
			assert.True(t, errors.Is(err, store.ErrFull) && len(accepted.IDs) == 0, "it accepts: %v, %v", accepted, err)
			waited := s.clock.Now().Add(time.Hour)
			s.when("it goes on saying so", func() bool { return s.clock.Now().After(waited) && s.QueueStatus().Cause == intake.NoDisk })
			got, _ := s.Get(ids[0])
			assert.True(t, !got.State.Ended(), "meanwhile it is %q: %q", got.State, got.Problem)
			assert.NoError(t, os.Remove(ballast))
			s.untilEach(ids, submission.Done)
			s.untilEach(s.drop(other), submission.Done)
			s.atService(file, other)
			s.shownOnce(ids[0])
			assert.NoError(t, os.RemoveAll(s.folder))
		})
	}
}

// fill writes to a file until the disk takes no more.
func fill(t *testing.T, path string) {
	file, err := os.Create(path)
	for block := make([]byte, 1<<20); len(block) > 0 && err == nil; {
		if _, failed := file.Write(block); failed != nil {
			block = block[:len(block)/2]
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Error(err)
	}
}

func TestNoNetworkAtAll(t *testing.T) {
	if !runApart(t, syscall.CLONE_NEWNET) {
		return
	}
	network(t, true)
	for _, since := range []sandbox.Operation{"", sandbox.OpUploadURL, sandbox.OpResult} {
		t.Run("since "+cmp.Or(string(since), "the beginning"), func(t *testing.T) {
			p := plan{options: func(o *client.Options) { o.CallTimeout = 100 * time.Millisecond }}
			if since != "" {
				p.troubles = []trouble{{op: since, from: 1, to: 1, do: func(_ *sandboxed, w http.ResponseWriter, _ *http.Request) {
					network(t, false)
					breakOff(w)
				}}}
			}
			s := setupSandbox(t, p)
			if since == "" {
				network(t, false)
			}
			offlineThenBack(t, s, func() { network(t, true) })
		})
	}
}

// network switches the network of this process on or off.
func network(t *testing.T, on bool) {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer unix.Close(socket)                        //nolint:errcheck // it was only asked
	flags, address := uint16(0), []byte{0, 0, 0, 0} // without an address every way is unreachable at once
	if on {
		flags, address = unix.IFF_UP, []byte{127, 0, 0, 1}
	}
	for request, set := range map[uint]func(*unix.Ifreq) error{
		unix.SIOCSIFFLAGS: func(r *unix.Ifreq) error { r.SetUint16(flags); return nil },
		unix.SIOCSIFADDR:  func(r *unix.Ifreq) error { return r.SetInet4Addr(address) },
	} {
		loopback, err := unix.NewIfreq("lo")
		if err == nil {
			err = set(loopback)
		}
		if err == nil {
			err = unix.IoctlIfreq(socket, request, loopback)
		}
		assert.True(t, err == nil, "%v", err)
	}
}
