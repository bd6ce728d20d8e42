package gui

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
	"assay/gui/cases"
	"assay/gui/present"
)

// submissions is all submissions as the viewer needs them: from the queue's memory, or else from the store; with the artifacts of their results, from
// the vault, or else from the service. Its methods block: they are called on workers.
type submissions struct {
	queue  inMemory
	store  *store.Store
	client *client.Client
	fill   func(submission.Submission) // fetches a result's artifacts into the vault; returns at once
	now    func() time.Time
	near   func(ctx context.Context, id string) []present.Near // what is nearly the same as a submission; nil: nothing is

	mu        sync.Mutex
	artifacts map[string]*client.Artifacts // by request ID; those of one result share refreshed links
	checked   map[string]os.FileInfo       // by ID: the state of a person's file when its hash was found to match
}

// maxArtifacts bounds the results whose links are kept.
const maxArtifacts = 100

// inMemory is what the queue has without reading the disk, except for the file that it opens; *intake.Queue implements it.
type inMemory interface {
	Get(id string) (submission.Submission, bool)
	OpenFile(id string) (*os.File, error)
}

func newSubmissions(q inMemory, s *store.Store, c *client.Client, fill func(submission.Submission), now func() time.Time) *submissions {
	return &submissions{queue: q, store: s, client: c, fill: fill, now: now, artifacts: map[string]*client.Artifacts{}, checked: map[string]os.FileInfo{}}
}

// errNoSubmission is the error for an ID that neither queue nor store has.
var errNoSubmission = errors.New("there is no such submission any more")

// Viewer implements viewer.Source.
func (s *submissions) Viewer(ctx context.Context, id string) (v present.Viewer, ok bool, err error) {
	sub, err := s.get(ctx, id)
	switch {
	case errors.Is(err, errNoSubmission):
		return v, false, nil
	case err != nil:
		return v, false, err
	case sub.Result == nil:
		return v, false, nil
	}
	if _, queued := s.queue.Get(id); queued { // its note, its tags and its mark in memory are as old as the queue
		kept, known, err := s.store.Get(ctx, id)
		if err != nil {
			return v, false, err
		}
		if known {
			sub.Note, sub.Tags, sub.Graphic = kept.Note, kept.Tags, kept.Graphic
		}
	}
	if sub.Source == submission.Service {
		s.fill(sub) // not when it was pulled: there may be thousands
	}
	v = present.ViewerOf(sub, s.now())
	if err := s.shared(ctx, sub, &v); err != nil {
		return v, false, err
	}
	if s.near != nil {
		v.Near = s.near(ctx, id)
	}
	in, err := s.store.CasesOf(ctx, id)
	for _, c := range in {
		v.Cases = append(v.Cases, present.Case{ID: c.ID, Title: cases.EntryOf(c).Title})
	}
	return v, true, err
}

// get returns a submission, a duplicate with the answer of its primary.
func (s *submissions) get(ctx context.Context, id string) (submission.Submission, error) {
	if sub, ok := s.queue.Get(id); ok {
		return s.whole(ctx, sub)
	}
	sub, ok, err := s.store.Get(ctx, id)
	if err != nil || !ok {
		return sub, errors.Join(err, missing(ok, err))
	}
	if sub.Result == nil && sub.Earlier != "" {
		first, ok, err := s.store.Get(ctx, sub.Earlier)
		if err != nil || !ok {
			return sub, err
		}
		sub.Result, sub.RequestID, sub.Uploaded, sub.Answered, sub.AnsweredBy = first.Result, first.RequestID, first.Uploaded, first.Answered, first.AnsweredBy
	}
	return sub, nil
}

// whole is a submission of the queue's with its whole answer, from the store where the queue has it in brief.
func (s *submissions) whole(ctx context.Context, sub submission.Submission) (submission.Submission, error) {
	if sub.State != submission.Done || sub.Result == nil || sub.Result.Raw != nil {
		return voiced(ctx, s.store, sub), nil
	}
	id := cmp.Or(sub.Earlier, sub.ID)
	kept, err := s.store.Answers(ctx, []string{id})
	if err != nil {
		return sub, err
	}
	if sub.Result = kept[id]; sub.Result == nil {
		return sub, errNoSubmission
	}
	return sub, nil
}

// voiced is a submission of the queue's with what the service says of its voice, which the queue does not know. If it can't be read, it isn't known yet.
func voiced(ctx context.Context, kept *store.Store, sub submission.Submission) submission.Submission {
	if sub.State != submission.Done || sub.Result == nil {
		return sub
	}
	if _, ok := sub.Result.Sound(sub.RequestID); !ok {
		return sub
	}
	if voice, err := kept.Voice(ctx, sub.RequestID); err == nil && voice != nil {
		result := *sub.Result
		result.Voice, sub.Result = voice, &result
	}
	return sub
}

func missing(ok bool, err error) error {
	if err == nil && !ok {
		return errNoSubmission
	}
	return nil
}

// OpenFile implements thumbs.Files.
func (s *submissions) OpenFile(ctx context.Context, id string) (*os.File, error) {
	if _, ok := s.queue.Get(id); ok {
		return s.queue.OpenFile(id)
	}
	sub, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if sub.Path == "" || sub.SHA256 == "" {
		return nil, errNoFile
	}
	return media.Open(intake.FileOf(sub))
}

// absence is a sentence that says why there is no file to show.
type absence struct{ text i18n.Key }

var (
	errNoFile  = absence{"The file is not on this computer."}
	errTheirs  = absence{"A colleague shared this answer. What the service keeps beside it, such as heatmaps, is on their computer."}
	errNotYet  = toCome{"A colleague has shared this. It is not here yet."}
	errRemoved = absence{"The service has deleted its copy, under its retention rules."}
)

func (a absence) Error() string { return string(a.text) }

// Sentence is what the person reads.
func (a absence) Sentence() string { return i18n.T(a.text) }

// Lasting implements the interface of present.Lasting.
func (absence) Lasting() bool { return true }

// toCome is an absence that may end by itself.
type toCome absence

func (t toCome) Error() string { return string(t.text) }

// Sentence is what the person reads.
func (t toCome) Sentence() string { return i18n.T(t.text) }

// OpenOriginal opens the person's own file if it is what was submitted, else the service's copy. Of a clip of which a part was sent it opens that part: what was
// reported counts from where it begins.
func (s *submissions) OpenOriginal(ctx context.Context, id string) (*os.File, error) {
	if sub, err := s.get(ctx, id); err == nil && sub.Copy.Part != (submission.Part{}) && sub.Result != nil {
		return s.original(ctx, sub, errNoFile)
	}
	file, own := s.ownFile(ctx, id)
	if own == nil || ctx.Err() != nil {
		return file, own
	}
	sub, failed := s.get(ctx, id)
	if failed != nil || sub.Result == nil {
		return nil, errors.Join(own, failed)
	}
	return s.original(ctx, sub, own)
}

// OpenKept opens the person's own file if it is what was submitted, else the service's copy in the vault. It never asks the service.
func (s *submissions) OpenKept(ctx context.Context, id string) (*os.File, error) {
	file, own := s.ownFile(ctx, id)
	if own == nil || ctx.Err() != nil {
		return file, own
	}
	sub, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	kept, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Original, "")
	return kept, err
}

// SetNote implements viewer.Source. It is not cancelled when the window closes.
func (s *submissions) SetNote(ctx context.Context, id, note string) error {
	return s.store.SetNote(context.WithoutCancel(ctx), id, note)
}

// OpenThumbnail implements thumbs.Files.
func (s *submissions) OpenThumbnail(ctx context.Context, id string) (*os.File, error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if sub.RequestID == "" {
		return nil, fs.ErrNotExist
	}
	file, _, err := s.store.Artifact(ctx, sub.RequestID, vault.Thumbnail, "")
	return file, err
}

// links are a result's links, which are refreshed. Those of an answer that was read from the store are refreshed before use.
func (s *submissions) links(sub submission.Submission) *client.Artifacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.artifacts[sub.RequestID]
	if known == nil || sub.Result.Final() && !known.Result().Final() { // models were still running then: by now there are more artifacts
		if len(s.artifacts) >= maxArtifacts {
			clear(s.artifacts)
		}
		known = client.NewArtifacts(s.client, sub.Result, s.fetched(sub))
		s.artifacts[sub.RequestID] = known
	}
	return known
}

// fetched is when a result's links were received; zero if they must not be used.
func (s *submissions) fetched(sub submission.Submission) time.Time {
	if queued, ok := s.queue.Get(sub.ID); ok && queued.Result != nil && queued.Result.Raw != nil {
		return sub.Answered
	}
	return time.Time{}
}

// ownFile opens the person's own file if it is what was submitted, by its hash: size and modification time, which OpenFile checks, can be set by
// whoever changes a file. A file that stays as it is, is hashed once in a run.
func (s *submissions) ownFile(ctx context.Context, id string) (*os.File, error) {
	file, err := s.OpenFile(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, id, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (s *submissions) check(ctx context.Context, id string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	s.mu.Lock()
	before := s.checked[id]
	s.mu.Unlock()
	if before != nil && os.SameFile(before, info) && before.Size() == info.Size() && before.ModTime().Equal(info.ModTime()) {
		return nil
	}
	sub, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	hash, err := media.Hash(ctx, file, nil)
	if err != nil {
		return err
	}
	if hash != sub.SHA256 {
		return &media.Changed{Path: file.Name(), SizeWas: sub.Size, SizeIs: info.Size(), TimeWas: sub.Modified, TimeIs: info.ModTime()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.checked) >= maxChecked {
		clear(s.checked)
	}
	s.checked[id] = info
	return nil
}

// maxChecked bounds the files that are remembered as matching their hash.
const maxChecked = 1000
