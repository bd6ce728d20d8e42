// Package watch says when a file in a watched folder is complete: each content once, soon, and never half of it. The system's events are only hints;
// what is there is found by scanning. It imports the standard library, fsnotify and x/sys, and knows neither what the files are for nor who gets
// them.
package watch

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"os"
	"time"
)

// Folder is a folder to watch, and what in it counts.
type Folder struct {
	ID         string // the caller's, never used again: Memory has files by it
	Path       string // absolute; it may be a symbolic link to a folder
	Subfolders bool
	Only       []string // names that count, as patterns of path.Match without regard to case; none: all
	Skip       []string // names of files and folders that do not count, likewise; in addition to NamesThatNeverCount
	// Quiet is how long a file's size and time must stay the same where no event reports that its writer closed it, and also for a file that is
	// written and closed again shortly after it was announced, perhaps piece by piece; 0: QuietLocal or QuietNetwork.
	Quiet  time.Duration
	Paused bool // nothing is announced; what comes meanwhile is announced after the pause
}

// The defaults of Quiet.
const (
	QuietLocal   = 2 * time.Second
	QuietNetwork = 10 * time.Second
)

// Sum is the SHA-256 of a content.
type Sum = [sha256.Size]byte

// File is a complete file.
type File struct {
	Folder string // ID
	Path   string // absolute, below the folder's own Path
	Size   int64  // bytes
	Time   time.Time
	SHA256 Sum
}

// Known is what is remembered of a file, so that it is not read again.
type Known struct {
	Name string // its path relative to the folder, as the system gives it
	Size int64
	Time int64  // when it was last changed, ns since 1970
	File uint64 // its file ID (inode), 0 where there is none
	// SHA256 is its content; zero if it was not read: it was there when the folder was added, and counts as announced.
	SHA256 Sum
}

// Memory keeps what is known of files over restarts. Its methods may block; when one returns, its change is on disk.
type Memory interface {
	// Known calls each with what is remembered of a folder's files, in any order.
	Known(ctx context.Context, folder string, each func(Known)) error
	// Announced reports for each content whether it counts as announced in this folder.
	Announced(ctx context.Context, folder string, contents []Sum) ([]bool, error)
	// Remember replaces what is known of these files, by Name, and adds their contents to the announced ones.
	Remember(ctx context.Context, folder string, files []Known) error
	// Forget drops what is known of these files; their contents stay announced.
	Forget(ctx context.Context, folder string, names []string) error
}

// Params are what a Watcher is built from. Memory and Announce are required.
type Params struct {
	Memory Memory
	// Announce gets complete files of one folder, in the order in which they became complete. It may block for any time: other folders go on, and
	// nothing is lost. After an error the same files are announced again, and also after a crash between Announce and Memory.Remember: it must
	// recognise them by folder and content.
	Announce func(ctx context.Context, files []File) error
	// Own are the app's own folders, in which nothing counts and which can't be watched.
	Own []string
	// Hash returns a file's SHA-256, and fails if the file changes meanwhile; nil: it is computed here.
	Hash func(ctx context.Context, f *os.File) (Sum, error)
	// Changed is called with the ID of a folder whose State has changed; it must return at once. nil: nothing is called.
	Changed func(folder string)
	// Now is the clock, whose times must carry a monotonic reading; nil: time.Now.
	Now func() time.Time
	// After is time.After, for all waits; nil: time.After.
	After func(d time.Duration) <-chan time.Time
	Log   *slog.Logger

	source       newSource                           // of hints; nil: the system's
	beingWritten func(f *os.File) (busy, known bool) // nil: the system is asked
}

// Phase is the way in which a folder is being watched.
type Phase string

// The phases.
const (
	Starting   Phase = "starting"   // the first scan: what is there is compared with what is remembered
	Watching   Phase = "watching"   // the system reports changes
	Polling    Phase = "polling"    // it does not, or not all: the folder is scanned again and again; Problem may say why
	Paused     Phase = "paused"     // by the person
	Gone       Phase = "gone"       // it is missing: checked until it is there
	Unreadable Phase = "unreadable" // it is there and can't be read; Problem says why
	Stuck      Phase = "stuck"      // the disk does not answer
)

// State is the state of a folder.
type State struct {
	Phase    Phase
	Problem  error // a *Problem; nil: none
	Files    int   // files that count and are there, as of the last scan
	Settling int   // of these, those not known to be complete yet
	Offered  int   // complete, and not announced successfully yet
	Last     File  // the last one announced since the watcher was opened; zero: none
	LastAt   time.Time
}
