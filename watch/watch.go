// Package watch says when a file in a watched folder is complete: each content once, soon, and never half of it. Events of
// the system are hints; what stands there is found by looking. It imports the standard library, fsnotify and x/sys, and knows
// neither what the files are for nor who is told.
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
	ID         string // the caller's, unique for ever: the memory is kept under it
	Path       string // absolute; it may be a link to a folder
	Subfolders bool
	Only       []string // names that count, as patterns of path.Match without regard to case; none: all
	Skip       []string // names, of files and of folders, that do not, likewise; beside what never counts
	// Quiet is how long a file's size and time must rest where no event tells that its writer closed it, and how long one must that
	// is written and closed again shortly after it was announced, perhaps piece by piece; 0: QuietLocal or QuietNetwork.
	Quiet  time.Duration
	Paused bool // nothing is announced; what has come meanwhile is, once this is taken back
}

// How long a file rests before it is taken for complete, where nothing else is chosen.
const (
	QuietLocal   = 2 * time.Second
	QuietNetwork = 10 * time.Second
)

// Sum is a content's SHA-256.
type Sum = [sha256.Size]byte

// File is a complete file.
type File struct {
	Folder string // ID
	Path   string // absolute, below the folder's own Path
	Size   int64  // bytes
	Time   time.Time
	SHA256 Sum
}

// Known is what is remembered of a file of a folder, so that it is not read again.
type Known struct {
	Name string // its path below the folder, as the system gives it, with its separators
	Size int64
	Time int64  // of its last change, ns since 1970
	File uint64 // the system's number of it, 0 where there is none
	// SHA256 is its content; zero where it was not read: it stood there when the folder was added, and counts as announced.
	SHA256 Sum
}

// Memory outlives the watcher. Its methods may block; what they have returned from is on disk.
type Memory interface {
	// Known calls each for what is remembered of a folder's files, in any order.
	Known(ctx context.Context, folder string, each func(Known)) error
	// Announced says for each content whether it was announced before in this folder, or stood there.
	Announced(ctx context.Context, folder string, contents []Sum) ([]bool, error)
	// Remember replaces what is known of these files, by Name, and adds their contents to those that were announced.
	Remember(ctx context.Context, folder string, files []Known) error
	// Forget drops what is known of these files; their contents stay announced.
	Forget(ctx context.Context, folder string, names []string) error
}

// Params are what a Watcher is built from. Memory and Announce are required.
type Params struct {
	Memory Memory
	// Announce takes complete files over, of one folder, in the order in which they were complete. It may block for as long as
	// it likes: the other folders go on, and nothing is lost. After an error they are offered again, and so they are after a
	// crash between Announce and Memory.Remember: it must know them again by folder and content.
	Announce func(ctx context.Context, files []File) error
	// Own are folders of the app's own, in which nothing counts and which can't be watched.
	Own []string
	// Hash gives a file's SHA-256, and fails where the file changes meanwhile; nil: it is read here.
	Hash func(ctx context.Context, f *os.File) (Sum, error)
	// Changed is told the IDs of folders whose State has changed; it must return at once. nil: nobody is.
	Changed func(folder string)
	// Now is the clock, whose times must carry a monotonic reading; nil: time.Now.
	Now func() time.Time
	// After is how time passes: time.After, if nil.
	After func(d time.Duration) <-chan time.Time
	Log   *slog.Logger

	source       newSource                           // of hints; nil: the system's
	beingWritten func(f *os.File) (busy, known bool) // nil: the system is asked
}

// Phase is how a folder is being watched.
type Phase string

// The phases.
const (
	Starting   Phase = "starting"   // what stands there is compared with what is remembered
	Watching   Phase = "watching"   // the system tells of changes
	Polling    Phase = "polling"    // it does not, or not of all: looked at again and again; Problem may say why
	Paused     Phase = "paused"     // by the person
	Gone       Phase = "gone"       // it is not there: looked for until it is
	Unreadable Phase = "unreadable" // it is there and can't be read; Problem says why
	Stuck      Phase = "stuck"      // the disk does not answer
)

// State is how a folder stands.
type State struct {
	Phase    Phase
	Problem  error // with a Sentence, see Problem; nil: none
	Files    int   // that count and stand there, as of the last look
	Settling int   // of these, those that are not known to be complete yet
	Offered  int   // complete, and not taken over yet
	Last     File  // announced last since the watcher was opened; zero: none
	LastAt   time.Time
}
