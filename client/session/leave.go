package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/semver"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/release"
)

// OpLeave asks the process that holds a folder to end: a newer Assay is started in its place, or the person, or an installer, wants all to end.
// Versions before 0.2.0 refuse it.
const OpLeave ipc.Operation[LeaveJob, LeaveAnswer] = "leave"

// LeaveJob is who asks.
type LeaveJob struct {
	Version string `json:"version"`        // of the program that asks. A window ends for a newer one; a subcommand gives way as it does for any window
	Quit    bool   `json:"quit,omitempty"` // end, whatever the version
}

// LeaveAnswer is what the process that was asked does.
type LeaveAnswer struct {
	Version string `json:"version"`         // its own
	Leaves  bool   `json:"leaves"`          // it takes nothing new, closes its records, and ends; what is under way goes on in the next run
	Stays   string `json:"stays,omitempty"` // a sentence: why it does not, although it should
}

var errAskedToEnd = errors.New("asked to end")

// askedToEnd ends what a subcommand does.
func askedToEnd() *ipc.Refusal {
	return &ipc.Refusal{Sentence: i18n.T("Assay was asked to close. It keeps unfinished work and goes on with it at the next start.")}
}

// newer reports whether a version is later than this program's. What is no version is not.
func newer(version string) bool {
	return semver.IsValid("v"+version) && semver.Compare("v"+version, "v"+release.Version()) > 0
}

// leave answers OpLeave.
func (e *Endpoint) leave(ctx context.Context, job LeaveJob, answer func(LeaveAnswer) error) error {
	said := LeaveAnswer{Version: release.Version()}
	if asked := job.Quit || e.Window && newer(job.Version); !asked || e.Leave == nil {
		return answer(said)
	}
	if e.Unsaved != nil {
		said.Stays = e.Unsaved(ctx)
	}
	if said.Leaves = said.Stays == ""; !said.Leaves {
		return answer(said)
	}
	if e.leaving.Swap(true) {
		return answer(said) // it ends already
	}
	defer e.Leave(job)
	return answer(said)
}

// askToLeave asks the process that holds dir. Where there is none, or one that does not know this, nothing is answered.
func askToLeave(ctx context.Context, dir string, job LeaveJob) (a LeaveAnswer) {
	_ = OpLeave.Call(ctx, dir, job, func(there LeaveAnswer) error { a = there; return nil }) // it is then called for what is wanted, which says what is wrong
	return a
}

// How long a start of the window waits until another process has released the folder, and how often it tries.
const (
	LeavePause    = 50 * time.Millisecond
	leavePatience = 30 * time.Second
)

// HoldForWindow returns the Holder of dir for a window. Where a window of this version or a newer one is open already, the Holder is nil, and the
// answer says what that window has accepted. An older one is asked to end, and so is a subcommand that works without a window; both are waited for.
func HoldForWindow(ctx context.Context, dir string, given []string, wait ipc.Wait) (h *ipc.Holder, a OpenAnswer, err error) {
	there := askToLeave(ctx, dir, LeaveJob{Version: release.Version()})
	for waited := time.Duration(0); waited < leavePatience; waited += LeavePause {
		a = OpenAnswer{}
		// A window that ended during the call may have accepted all: what is accepted twice is sent once and shows the same answer.
		err = OpOpen.Run(ctx, ipc.Work[ipc.Paths, OpenAnswer]{
			Dir:  dir,
			Job:  func() (ipc.Paths, error) { return given, nil },
			Each: func(there OpenAnswer) error { a = there; return nil },
			Here: func(_ context.Context, here *ipc.Holder) error { h = here; return nil },
			Wait: wait,
		})
		if there.Leaves && h != nil {
			a.Followed = there.Version
		}
		if a.Stays = there.Stays; there.Leaves && errors.Is(err, ipc.ErrSilent) {
			waited += silentAfter // it closes its records
			continue
		}
		if h == nil && err == nil && !a.GivesWay {
			handFront(ctx, dir)
		}
		if h != nil || err != nil || !a.GivesWay {
			return h, a, err
		}
		if err := wait(ctx, LeavePause); err != nil {
			return nil, a, err
		}
	}
	return nil, OpenAnswer{}, ipc.ErrSilent
}

// silentAfter is after how long ipc takes a holder that does not serve for silent.
const silentAfter = 10 * time.Second

// Quit asks every Assay that works in a home to end, and returns once none does: nobody holds a folder there. A process that wants the folder
// next, such as a scan whose window has ended, is told the same. stays are sentences of those that do not end; other errors are ctx's and the disk's.
func Quit(ctx context.Context, home string, wait ipc.Wait) (stays []string, err error) {
	folders, err := held(home)
	if err != nil {
		return nil, err
	}
	for _, dir := range folders {
		sentence, err := quitFolder(ctx, dir, wait)
		if err != nil {
			return stays, err
		}
		if sentence != "" {
			stays = append(stays, sentence)
		}
	}
	return stays, nil
}

// held are the folders in a home that a process has held: those with a lock.
func held(home string) (folders []string, err error) {
	entries, err := os.ReadDir(home)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		dir := filepath.Join(home, entry.Name())
		if ipc.Used(dir) {
			folders = append(folders, dir)
		}
	}
	return folders, nil
}

// lingering is how long a folder that was released is held, for those who wanted to go on in it to be told.
const lingering = time.Second

func quitFolder(ctx context.Context, dir string, wait ipc.Wait) (stays string, err error) {
	asked := false
	for {
		h, err := ipc.Take(ctx, dir)
		if err == nil && !asked {
			return "", h.Close()
		}
		if err == nil {
			err = h.Serve(ctx, func(context.Context, ipc.Request, func(any) error) error { return askedToEnd() })
			if err == nil {
				err = wait(ctx, lingering)
			}
			if err := errors.Join(err, h.Close(), wait(ctx, 2*LeavePause)); err != nil {
				return "", err
			}
			asked = false // whoever was too slow to be told, and goes on there, is asked as well
			continue
		}
		if !errors.Is(err, ipc.ErrHeld) {
			return "", err
		}
		var there LeaveAnswer
		err = OpLeave.Call(ctx, dir, LeaveJob{Version: release.Version(), Quit: true}, func(a LeaveAnswer) error { there = a; return nil })
		switch refusal := (*ipc.Refusal)(nil); {
		case errors.As(err, &refusal):
			return refusal.Sentence, nil
		case there.Stays != "":
			return there.Stays, nil
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
		asked = true
		if err := wait(ctx, LeavePause); err != nil {
			return "", err
		}
	}
}
