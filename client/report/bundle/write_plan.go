package bundle

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

// item is a result of the bundle.
type item struct {
	n         int                   // from 1
	sub       submission.Submission // without its Result, which can be large
	files     []mediaFile
	artifacts []artifact
}

// mediaFile is a file to take in, as it was received or sent.
type mediaFile struct {
	word   string // "received" or "sent", in its name
	path   string // on this computer; "" for none
	sha256 string // what it must have; "" where there is none
	size   int64
	// original says that the vault has a copy of it, which serves where the file can't be had.
	original bool
}

// artifact is one of the vault's copies to take in.
type artifact struct {
	store.Artifact
	sound bool // of a clip's sound
}

// plan looks up what goes in.
func (w *writer) plan(ctx context.Context) error {
	if w.from.SignLog != nil {
		if w.unsigned = w.from.SignLog(ctx); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	seen := map[string]bool{}
	for _, id := range w.from.IDs {
		r, err := report.Read(ctx, w.from.Records, w.from.Service, id)
		if w.o.Case != nil && errors.Is(err, report.ErrNoAnswer) {
			w.done.LeftOut++
			continue
		}
		if err != nil {
			return err
		}
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		next, err := w.planItem(ctx, r.ID)
		if err != nil {
			return err
		}
		w.items = append(w.items, next)
	}
	if len(w.items) > 0 {
		return nil
	}
	if w.o.Case != nil {
		return &report.Error{Text: i18n.F("Nothing in the case “%s” has an answer yet: there is nothing to export.", w.o.Case.Title), Err: report.ErrNoAnswer}
	}
	return &report.Error{Text: i18n.T("There is nothing to export.")}
}

func (w *writer) planItem(ctx context.Context, id string) (*item, error) {
	sub, ok, err := w.from.Records.Get(ctx, id)
	if err == nil && (!ok || sub.Result == nil) {
		err = &report.Error{Text: i18n.F("%s has no answer yet: there is nothing to export.", plain.From(sub.Name)), Err: report.ErrNoAnswer}
	}
	if err != nil {
		return nil, err
	}
	it := &item{n: len(w.items) + 1}
	sound, hasSound := sub.Result.Sound(sub.RequestID)
	sub.Result, it.sub = nil, sub
	kept, err := w.from.Records.Artifacts(ctx, sub.RequestID)
	if err != nil {
		return nil, err
	}
	it.files = w.mediaOf(sub, kept)
	it.artifacts = w.artifactsOf(sub, kept, false)
	if hasSound {
		if kept, err = w.from.Records.Artifacts(ctx, sound); err != nil {
			return nil, err
		}
		it.artifacts = append(it.artifacts, w.artifactsOf(sub, kept, true)...)
	}
	for _, f := range it.files {
		w.total += f.size
	}
	for _, a := range it.artifacts {
		w.total += a.Size
	}
	return it, nil
}

// mediaOf are the files of a submission that were asked for and whose hashes are known.
func (w *writer) mediaOf(sub submission.Submission, kept []store.Artifact) (files []mediaFile) {
	received := mediaFile{word: "received", path: sub.Path, sha256: sub.SHA256, size: sub.Size}
	sent := mediaFile{word: "sent", path: sub.Path, sha256: sub.SHA256, size: sub.Size}
	if sub.Copy.SHA256 != "" {
		sent.path, sent.sha256, sent.size = sub.Copy.Path, sub.Copy.SHA256, sub.Copy.Size
	}
	for _, a := range kept {
		if a.Kind != vault.Original {
			continue
		}
		for _, f := range []*mediaFile{&received, &sent} {
			f.original = f.original || a.SHA256 == f.sha256
		}
	}
	switch {
	case w.o.Media == report.MediaBoth && received.sha256 != sent.sha256:
		return []mediaFile{received, sent}
	case w.o.Media == report.MediaBoth, w.o.Media == report.MediaReceived: // it was sent as it is
		return []mediaFile{received}
	case w.o.Media == report.MediaSent && sent.sha256 != "":
		return []mediaFile{sent}
	}
	return nil
}

// artifactsOf are the artifacts of a submission. Those that show the media are left out where the reports do not show it. The original is one of the
// media, or, of a link and of what was handed over elsewhere, all there is of what the service received.
func (w *writer) artifactsOf(sub submission.Submission, kept []store.Artifact, sound bool) (all []artifact) {
	shown := w.o.Media != report.MediaNone && (w.o.Media != "" || sub.Gate == submission.GateSend)
	for _, a := range kept {
		take := shown || isData(a.Kind)
		if a.Kind == vault.Original {
			take = sub.SHA256 == "" && (w.o.Media == report.MediaSent || w.o.Media == report.MediaBoth)
		}
		if take {
			all = append(all, artifact{a, sound})
		}
	}
	return all
}

// isData reports whether a kind of artifact is JSON about the media, rather than something that shows it.
func isData(kind string) bool {
	switch kind {
	case vault.Aggregation, vault.AudioAggregation, vault.AudioResult:
		return true
	}
	return false
}

// results reads the bundle's results, one at a time.
func (w *writer) results(ctx context.Context) iter.Seq2[*report.Result, error] {
	return func(yield func(*report.Result, error) bool) {
		for _, it := range w.items {
			r, err := report.Read(ctx, w.from.Records, w.from.Service, it.sub.ID)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// named is the name of an item's file: with its number, a word, and what else tells it apart.
func (it *item) named(parts ...string) string {
	return fmt.Sprintf("%d-%s", it.n, strings.Join(parts, "-"))
}

// label is how a sentence calls an item: by number and name.
func (it *item) label() string {
	return i18n.F("Result %s, %s", i18n.Count(it.n), plain.From(it.sub.Name).Clip(longestName))
}

// mediaName is the name of one of the item's files.
func (it *item) mediaName(f mediaFile) string {
	name := it.sub.Name
	if f.word == "sent" && it.sub.Copy.SHA256 != "" && filepath.Ext(it.sub.Copy.Path) != "" {
		name = strings.TrimSuffix(name, filepath.Ext(name)) + filepath.Ext(it.sub.Copy.Path)
	}
	return MediaFolder + it.named(f.word, safeName(name))
}
