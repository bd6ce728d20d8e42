package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/plain"
	"assay/client/submission"
)

// Accepted is what became of what was handed over.
type Accepted struct {
	IDs         []string // of the submissions, in the order in which they were given, a folder's in the order of its names
	Folders     int      // that were walked
	Hidden      int      // files and folders in them that were left out because they are hidden
	Unsupported int      // files in them that were left out because of their type
	Links       int      // entries of them that only point to another place: they are not followed
	Special     int      // pipes, devices and sockets in them
	Unreadable  int      // files and folders in them that could not be looked at
}

// LeftOut says what was left out of folders and why, as a list in words; "" where nothing was.
func (a Accepted) LeftOut() string {
	var parts []string
	if n := a.Unsupported; n > 0 {
		parts = append(parts, i18n.N(n, "%s of a type that is not supported", "%s of a type that is not supported"))
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

// acceptAtOnce is how many submissions are written down together.
const acceptAtOnce = 500

// ErrClosed is why nothing is accepted any more.
var ErrClosed = errors.New("assay is closing")

// Accept takes files and folders, by their paths, and http(s) links over. It returns once they are on disk: from then on
// they are not lost. It reads the disk and blocks. What is wrong with one file shows in its submission; of a folder,
// hidden files and unsupported types are left out and counted. An error says that nothing after the IDs was taken.
func (q *Queue) Accept(ctx context.Context, pathsOrLinks []string, source submission.Source) (Accepted, error) {
	return q.accept(pathsOrLinks, acceptance{queue: q, ctx: ctx, source: source})
}

// AcceptAnew is Accept for what is to be analysed although it was before.
func (q *Queue) AcceptAnew(ctx context.Context, pathsOrLinks []string, source submission.Source) (Accepted, error) {
	return q.accept(pathsOrLinks, acceptance{queue: q, ctx: ctx, source: source, anew: true})
}

// Wish is what the person said with what they handed over.
type Wish struct {
	Anew bool             // it is to be analysed although it was before
	Gate *submission.Gate // whether it may leave, where Params.Gate lets it; nil: as that says of its source
}

// AcceptAs is Accept with a wish.
func (q *Queue) AcceptAs(ctx context.Context, pathsOrLinks []string, source submission.Source, w Wish) (Accepted, error) {
	return q.accept(pathsOrLinks, acceptance{queue: q, ctx: ctx, source: source, anew: w.Anew, gate: w.Gate})
}

func (q *Queue) accept(pathsOrLinks []string, a acceptance) (Accepted, error) {
	for _, given := range pathsOrLinks {
		if err := a.take(given); err != nil {
			return a.Accepted, err
		}
	}
	return a.Accepted, a.flush()
}

// acceptance is one call of Accept or AcceptAnew.
type acceptance struct {
	Accepted
	queue  *Queue
	ctx    context.Context
	source submission.Source
	anew   bool
	gate   *submission.Gate // nil: as the settings say
	batch  []submission.Submission
}

func (a *acceptance) take(given string) error {
	if strings.TrimSpace(given) == "" {
		return nil // nothing was handed over, least of all the folder that we were started in
	}
	if link, ok := asLink(given); ok {
		return a.add(submission.Submission{Link: link, Name: linkName(link)})
	}
	path, err := filepath.Abs(given)
	if err != nil {
		path = given // its submission says what is wrong with it
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return a.walk(path)
	}
	return a.add(fileOf(path))
}

func fileOf(path string) submission.Submission {
	s := submission.Submission{Path: path, Name: plain.From(filepath.Base(path)).String()}
	s.Type, _ = media.TypeOf(path) // what is no supported type has none
	return s
}

// walk takes the files of a folder and of those in it. Links are not followed: they may lead out, or in circles.
func (a *acceptance) walk(folder string) error {
	a.Folders++
	root := folder + string(filepath.Separator) // of a link to a folder, that folder
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
		case entry.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // irregular are the junctions of Windows
			a.Links++
			return nil
		case !entry.Type().IsRegular():
			a.Special++
			return nil
		}
		if _, supported := media.TypeOf(path); !supported {
			a.Unsupported++
			return nil
		}
		return a.add(fileOf(path))
	})
}

// hidden reports whether a file is one that its owner does not see in the usual lists.
func hidden(path string, entry fs.DirEntry) bool {
	return strings.HasPrefix(entry.Name(), ".") || hiddenBySystem(path)
}

func (a *acceptance) add(s submission.Submission) error {
	s.ID, s.Source, s.Anew = cmp.Or(s.ID, uuid.NewString()), a.source, a.anew
	s.State, s.Step = submission.Waiting, submission.Seen
	if a.gate != nil {
		s.Gate = *a.gate
	}
	wished := s.Gate
	gate, lock := a.queue.gateOf(s)
	if s.Gate = gate; gate != wished && (a.gate != nil || s.Source == submission.Watched) {
		s.Problem = Overruled(gate, lock, a.queue.LocksUnread)
	}
	a.batch = append(a.batch, s)
	if len(a.batch) < acceptAtOnce {
		return nil
	}
	return a.flush()
}

// flush writes down what was collected, and only then lets it show and set out.
func (a *acceptance) flush() error {
	if len(a.batch) == 0 {
		return nil
	}
	now := a.queue.Now() // one for all: what was handed over together belongs together
	for i := range a.batch {
		a.batch[i].Accepted = now
	}
	kept, err := a.queue.admit(a.ctx, a.batch)
	a.batch = a.batch[:0]
	for _, s := range kept {
		a.IDs = append(a.IDs, s.ID)
	}
	return err
}

// Adopt takes submissions over that the service has already: it waits for their results.
func (q *Queue) Adopt(ctx context.Context, subs []submission.Submission) error {
	_, err := q.admit(ctx, subs)
	return err
}

// Claims reports whether a result that is not known by its requestId may be the one of a submission on its way, which
// will find it by its name or link.
func (q *Queue) Claims(r *client.Result) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, it := range q.items {
		switch {
		case it.RequestID != "" || it.Earlier != "":
		case it.SendName != "" && (strings.EqualFold(it.SendName, r.OriginalFileName.Verbatim()) || strings.EqualFold(it.SendName, r.FileName.Verbatim())):
			return true
		case it.Link != "" && r.SocialLink != "" && submission.SameLink(it.Link) == submission.SameLink(r.SocialLink):
			return true
		}
	}
	return false
}

// admit writes new submissions down, and lets them show and set out.
func (q *Queue) admit(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	if q.ctx.Err() != nil {
		return nil, ErrClosed
	}
	// A write that has begun is ended: one that broke off might be on disk all the same.
	kept, err := q.Store.Add(context.WithoutCancel(ctx), subs)
	if err != nil {
		q.holdFor(&diskError{err})
		return nil, fmt.Errorf("nothing was taken: %w", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range kept {
		it := &item{Submission: s}
		it.takeUp()
		q.place(it)
		q.start(it)
	}
	return kept, nil
}

// asLink takes what is meant as an http(s) link, with the space that pasting leaves around it. Whether it is one that can be submitted
// its submission says.
func asLink(given string) (link string, ok bool) {
	link = strings.TrimSpace(given)
	scheme, _, found := strings.Cut(link, "://")
	return link, found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// linkName is a link for the screen: without its scheme.
func linkName(link string) string {
	_, rest, _ := strings.Cut(link, "://")
	return plain.From(cmp.Or(rest, link)).String()
}
