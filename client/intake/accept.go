package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/plain"
	"assay/client/submission"
)

// Accepted is the outcome of one call of Accept.
type Accepted struct {
	IDs         []string // of the submissions, in the order of the inputs; the files of a folder are in the order of their names
	Folders     int      // that were walked
	Hidden      int      // files and folders in them that were left out because they are hidden
	Unsupported int      // files in them that were left out because of their type
	Kinds       []string // the endings of these, such as ".psd", in the order in which they were met. At most mostKinds
	Links       int      // entries of them that only point to another place: they are not followed
	Special     int      // pipes, devices and sockets in them
	Unreadable  int      // files and folders in them that could not be read
}

// LeftOut lists in words what was left out of folders, "" where nothing was.
func (a Accepted) LeftOut() string {
	var parts []string
	if n := a.Unsupported; n > 0 {
		parts = append(parts, i18n.N(n, "%s of a type that is not supported", "%s of a type that is not supported")+a.kinds())
	}
	if n := a.Links; n > 0 {
		parts = append(parts, i18n.N(n, "%s that only points to another place", "%s that only point to another place"))
	}
	if n := a.Special; n > 0 {
		parts = append(parts, i18n.N(n, "%s that is a pipe or a device", "%s that are pipes or devices"))
	}
	if n := a.Hidden; n > 0 {
		parts = append(parts, i18n.N(n, "%s hidden", "%s hidden"))
	}
	if n := a.Unreadable; n > 0 {
		parts = append(parts, i18n.N(n, "%s can't be read", "%s can't be read"))
	}
	return strings.Join(parts, ", ")
}

// mostKinds bounds the kinds that are named: more are no help in one line.
const mostKinds = 5

// unsupported counts a file that was left out because of its type.
func (a *Accepted) unsupported(path string) {
	a.Unsupported++
	kind := strings.ToLower(filepath.Ext(path))
	if kind != "" && len(a.Kinds) < mostKinds && len(kind) <= mostKindLength && !slices.Contains(a.Kinds, kind) {
		a.Kinds = append(a.Kinds, kind)
	}
}

// mostKindLength bounds an ending that is named: what follows the last point of a name may be a sentence.
const mostKindLength = 10

// kinds names the kinds in brackets, if any is known.
func (a Accepted) kinds() string {
	if len(a.Kinds) == 0 {
		return ""
	}
	more := ""
	if len(a.Kinds) == mostKinds {
		more = ", …"
	}
	return " (" + plain.From(strings.Join(a.Kinds, ", ")).String() + more + ")"
}

// acceptAtOnce is how many submissions are written to disk in one transaction.
const acceptAtOnce = 500

// ErrClosed is the error of Accept once the queue is closing.
var ErrClosed = errors.New("assay is closing")

// Input is a file, a folder or a link to be accepted.
type Input struct {
	Path string // of a file or a folder; "" for a link
	Link string // http or https; "" for a file
	// ID is set by the caller for a file of a watched folder: the same content of the same folder has the same ID, so that it is accepted once. ""
	// has a new ID made, so that each call makes a submission of its own.
	ID     string
	Folder string          // the watched folder, by its path; with ID
	Gate   submission.Gate // of that folder; with ID
}

// Inputs makes inputs of the paths and links that a person gave. Spaces around a link, which pasting leaves, are removed. Blank ones are dropped: a
// blank path would mean the folder that Assay was started in.
func Inputs(pathsOrLinks ...string) []Input {
	inputs := make([]Input, 0, len(pathsOrLinks))
	for _, given := range pathsOrLinks {
		if link, ok := asLink(given); ok {
			inputs = append(inputs, Input{Link: link})
		} else if link != "" {
			inputs = append(inputs, Input{Path: given})
		}
	}
	return inputs
}

// Options say how inputs are accepted.
type Options struct {
	Source submission.Source
	Again  bool                // they are analysed again although they were before
	Gate   submission.Gate     // whether they may be sent, unless Params.Gate is stricter; "": what Params.Gate says of their source
	Copies submission.CopyRule // whether copies in another format are made without asking; "": what Params.Copies says
	// Colleagues is what is done with files that a colleague has checked.
	Colleagues submission.ColleagueRule
	Case       string // the ID of the case that they are put into, in the same transaction; "": none
	By         string // who puts them into it; "" where that isn't known
}

// Accept takes inputs over and returns once they are on disk: from then on they are not lost. It reads the disk and blocks. A fault of one file shows
// in its submission; hidden files and unsupported types in a folder are left out and counted. With an error, nothing was accepted but the submissions
// whose IDs are returned; it is submission.ErrNoCase where there is no such case.
//
// An input whose ID is known already, in the inbox or among the results, is skipped, since after a crash it may be given once more. A submission of a
// watched folder that still waits for the person's approval, and whose path is accepted again, leaves the inbox: its file was written again since.
func (q *Queue) Accept(ctx context.Context, inputs []Input, o Options) (Accepted, error) {
	a := acceptance{queue: q, ctx: ctx, Options: o, byPath: map[string]string{}}
	if slices.ContainsFunc(inputs, func(in Input) bool { return in.ID != "" }) {
		slot := q.arrive.reserve()
		defer slot.Release()
		if err := slot.Acquire(ctx); err != nil {
			return a.Accepted, err
		}
	}
	for _, in := range inputs {
		if err := a.take(in); err != nil {
			return a.Accepted, err
		}
	}
	if err := a.flush(); err != nil {
		return a.Accepted, err
	}
	if len(a.byPath) > 0 {
		q.do(func(st *state) { st.replaceHeld(a.byPath) })
	}
	return a.Accepted, nil
}

// acceptance is one call of Accept.
type acceptance struct {
	Accepted
	Options
	queue  *Queue
	ctx    context.Context
	batch  []submission.Submission
	byPath map[string]string // IDs of the inputs that came with one
}

func (a *acceptance) take(in Input) error {
	if in.Link != "" {
		return a.add(submission.Submission{Link: in.Link, Name: linkName(in.Link)})
	}
	if in.ID != "" {
		return a.takeOnce(in)
	}
	path, err := filepath.Abs(in.Path)
	if err != nil {
		path = in.Path // its submission will say what is wrong with it
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return a.walk(path)
	}
	return a.add(fileOf(path))
}

// takeOnce accepts a file whose ID the caller has made, unless it was accepted already.
func (a *acceptance) takeOnce(in Input) error {
	known, err := a.queue.knows(a.ctx, in.ID)
	if err != nil {
		return err
	}
	a.byPath[in.Path] = in.ID // also where it is known: a crash may have come before anything else was done
	if known || slices.ContainsFunc(a.batch, func(s submission.Submission) bool { return s.ID == in.ID }) {
		return nil
	}
	s := fileOf(in.Path)
	s.ID, s.Folder, s.Gate = in.ID, in.Folder, in.Gate
	return a.add(s)
}

// knows reports whether there is a submission of this ID, in memory or in the store.
func (q *Queue) knows(ctx context.Context, id string) (bool, error) {
	if _, known := q.Get(id); known {
		return true, nil
	}
	_, known, err := q.Store.Get(ctx, id)
	if err != nil {
		return false, fmt.Errorf("look for a file that was taken already: %w", err)
	}
	return known, nil
}

// writtenAgain is the Problem of a held submission whose file was written again.
var writtenAgain = i18n.M("The file was saved again before Assay could send it. Assay takes the new version instead.")

// replaceHeld takes out of the inbox the submissions that wait for the person's approval, or will, and whose files hold other bytes by now. newer are
// the IDs of the submissions of those bytes, by path.
func (st *state) replaceHeld(newer map[string]string) {
	var replaced []*entry
	for _, id := range st.order {
		e := st.entries[id]
		by := st.entries[newer[e.Path]]
		if by == nil || by.Key <= e.Key || by.State == submission.Cancelled || e.Source != submission.Watched || !e.Asks() || e.MayLeave() || e.State.Ended() || e.Earlier != "" {
			continue
		}
		st.halt(e)
		e.State, e.Paused, e.Problem = submission.Cancelled, false, writtenAgain
		st.touched(e)
		replaced = append(replaced, e)
	}
	if len(replaced) > 0 {
		st.keep(custody.Replaced, replaced...)
		st.takeOut(replaced...)
	}
}

func fileOf(path string) submission.Submission {
	s := submission.Submission{Path: path, Name: plain.From(filepath.Base(path)).Clip(longestName).String()}
	s.Type, _, _ = media.Accepted(path) // "" where the type is not supported
	return s
}

// walk accepts the files of a folder and of the folders below it. Symbolic links are not followed: they may lead out of it, or in circles.
func (a *acceptance) walk(folder string) error {
	a.Folders++
	root := folder + string(filepath.Separator) // with the separator, a link to a folder is walked as that folder
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case a.ctx.Err() != nil:
			return a.ctx.Err()
		case err != nil:
			a.Unreadable++
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case path != root && hidden(path, entry):
			a.Hidden++
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil
		case entry.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // Windows calls its junctions irregular
			a.Links++
			return nil
		case !entry.Type().IsRegular():
			a.Special++
			return nil
		}
		if _, copied, accepted := media.Accepted(path); !accepted || copied && a.Copies == submission.CopiesNever {
			a.unsupported(path)
			return nil
		}
		return a.add(fileOf(path))
	})
}

// hidden reports whether a file is one that the file manager does not show by default.
func hidden(path string, entry fs.DirEntry) bool {
	return strings.HasPrefix(entry.Name(), ".") || hiddenBySystem(path)
}

func (a *acceptance) add(s submission.Submission) error {
	s.ID, s.Source, s.Again, s.Copies = cmp.Or(s.ID, uuid.NewString()), a.Source, a.Again, a.Copies
	s.Colleagues = a.Colleagues
	s.State, s.Step = submission.Waiting, submission.Seen
	s.Gate = cmp.Or(a.Gate, s.Gate, submission.GateSend)
	wished := s.Gate
	gate, lock := a.queue.gateOf(s)
	if s.Gate = gate; gate != wished && (a.Gate != "" || s.Source == submission.Watched) {
		s.Problem = Overruled(gate, lock, a.queue.LocksUnread)
	}
	a.batch = append(a.batch, s)
	if len(a.batch) < acceptAtOnce {
		return nil
	}
	return a.flush()
}

// flush writes what was collected to disk, and only then shows it and starts it.
func (a *acceptance) flush() error {
	if len(a.batch) == 0 {
		return nil
	}
	now := a.queue.Now() // one time for all of them: what was handed over together is listed together
	for i := range a.batch {
		a.batch[i].Accepted = now
	}
	kept, err := a.queue.admitInto(a.ctx, a.Case, a.batch, a.By)
	a.batch = a.batch[:0]
	for _, s := range kept {
		a.IDs = append(a.IDs, s.ID)
	}
	return err
}

// Adopt takes over submissions that the service has already; the queue waits for their results.
func (q *Queue) Adopt(ctx context.Context, subs []submission.Submission) error {
	_, err := q.admit(ctx, subs)
	return err
}

// Claims reports whether a result of unknown request ID may belong to a submission on its way, which will find it by its name or link.
func (q *Queue) Claims(r *client.Result) (claimed bool) {
	q.query(func(st *state) {
		for _, e := range st.entries {
			switch {
			case e.RequestID != "" || e.Earlier != "":
			case e.SendName != "" && (strings.EqualFold(e.SendName, r.OriginalFileName.Verbatim()) || strings.EqualFold(e.SendName, r.FileName.Verbatim())):
				claimed = true
			case e.Link != "" && r.SocialLink != "" && submission.SameLink(e.Link) == submission.SameLink(r.SocialLink):
				claimed = true
			}
		}
	})
	return claimed
}

// admit writes new submissions to disk, then shows and starts them.
func (q *Queue) admit(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	return q.admitInto(ctx, "", subs, "")
}

// admitInto is admit, and puts them into a case.
func (q *Queue) admitInto(ctx context.Context, caseID string, subs []submission.Submission, by string) ([]submission.Submission, error) {
	if q.ctx.Err() != nil {
		return nil, ErrClosed
	}
	// A write that has begun runs to its end: one that was broken off might be on disk all the same.
	kept, err := q.Store.AddInto(context.WithoutCancel(ctx), caseID, subs, by)
	switch {
	case errors.Is(err, submission.ErrNoCase):
		return nil, err
	case err != nil:
		q.haltFor(&diskError{err})
		return nil, fmt.Errorf("nothing was taken: %w", err)
	}
	q.do(func(st *state) {
		for _, s := range kept {
			e := &entry{Submission: s}
			e.prepareToResume()
			st.add(e)
			st.start(e)
		}
	})
	return kept, nil
}

// asLink returns what looks like an http(s) link, without the white space around it. Whether it can be submitted is decided later, and shows in its
// submission.
func asLink(given string) (link string, ok bool) {
	link = strings.TrimSpace(given)
	scheme, _, found := strings.Cut(link, "://")
	return link, found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// linkName is a link as it is shown: without its scheme.
func linkName(link string) string {
	_, rest, _ := strings.Cut(link, "://")
	return plain.From(cmp.Or(rest, link)).Clip(longestName).String()
}

// longestName is how many characters of a name are kept. No file system's names come near; a link or path that is too long to be one may have millions.
const longestName = 1000
