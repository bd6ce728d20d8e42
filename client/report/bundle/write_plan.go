package bundle

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"assay/client/custody"
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
	neutral   bool                  // nothing may tell its names
	files     []mediaFile
	artifacts []artifact
}

// hidesAnswer reports whether the answers must be left out: they have the name as sent.
func (it *item) hidesAnswer() bool { return it.neutral && !it.sub.Neutral }

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
	if w.o.SignLog != nil {
		err := w.o.SignLog(ctx)
		var rewritten *custody.Rewritten
		switch {
		case errors.As(err, &rewritten):
			w.unsigned = i18n.T("The custody log was changed outside Assay: assay verify --log says where.")
		case err != nil && (ctx.Err() != nil || i18n.MessageOf(err, i18n.Message{}).IsZero()):
			return err
		case err != nil:
			w.unsigned = i18n.Sentence(err)
		}
	}
	for r, err := range w.Results(ctx) {
		if err != nil {
			return err
		}
		next, err := w.planItem(ctx, r)
		if err != nil {
			return err
		}
		w.items = append(w.items, next)
	}
	if len(w.items) == 0 {
		return &report.Error{Text: i18n.T("There is nothing to export.")}
	}
	for _, it := range w.items {
		w.total += it.size()
	}
	return nil
}

func (w *writer) planItem(ctx context.Context, r *report.Result) (*item, error) {
	sub, ok, err := w.Records.Get(ctx, r.ID)
	if err == nil && (!ok || sub.Result == nil) {
		err = &report.Error{Text: i18n.F("%s has no answer yet: there is nothing to export.", plain.From(sub.Name)), Err: report.ErrNoAnswer}
	}
	if err != nil {
		return nil, err
	}
	it := &item{n: len(w.items) + 1, neutral: !w.o.KeepsNames(r)}
	sound, hasSound := sub.Result.Sound(sub.RequestID)
	sub.Result, it.sub = nil, sub
	kept, err := w.Records.Artifacts(ctx, sub.RequestID)
	if err != nil {
		return nil, err
	}
	it.files = w.mediaOf(sub, kept)
	it.artifacts = w.artifactsOf(it, kept, false)
	if hasSound {
		if kept, err = w.Records.Artifacts(ctx, sound); err != nil {
			return nil, err
		}
		it.artifacts = append(it.artifacts, w.artifactsOf(it, kept, true)...)
	}
	return it, nil
}

// size is how many bytes of files and artifacts there are to copy.
func (it *item) size() (n int64) {
	for _, f := range it.files {
		n += f.size
	}
	for _, a := range it.artifacts {
		n += a.Size
	}
	return n
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

// artifactsOf are the artifacts of an item that go in. Those that show the media are left out where the reports do not show it. The original is one of
// the media, or, of a link and of what was handed over elsewhere, all there is of what the service received.
func (w *writer) artifactsOf(it *item, kept []store.Artifact, sound bool) (all []artifact) {
	shown := w.o.Media != report.MediaNone && (w.o.Media != "" || it.sub.Gate == submission.GateSend)
	without := func(p report.Part) bool { return slices.Contains(w.o.Without, p) }
	for _, a := range kept {
		take := shown
		switch a.Kind {
		case vault.Original:
			take = it.sub.SHA256 == "" && (w.o.Media == report.MediaSent || w.o.Media == report.MediaBoth)
		case vault.Heatmap:
			take = shown && !without(report.PartHeatmaps)
		case vault.Aggregation, vault.AudioAggregation:
			take = !it.hidesAnswer() && !without(report.PartTimelines)
		case vault.AudioResult:
			take = !it.hidesAnswer()
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
func (w *writer) results() iter.Seq2[*report.Result, error] {
	ids := make([]string, len(w.items))
	for i, it := range w.items {
		ids[i] = it.sub.ID
	}
	return report.Each(w.ctx, w.Records, w.Service, report.IDs(ids...), true)
}

// named is the name of an item's file: with its number, a word, and what else tells it apart.
func (it *item) named(parts ...string) string {
	return fmt.Sprintf("%d-%s", it.n, strings.Join(parts, "-"))
}

// label is how a sentence calls an item: by number and name.
func (it *item) label() string {
	if it.neutral {
		return i18n.F("Result %s", i18n.Count(it.n))
	}
	return i18n.F("Result %s, %s", i18n.Count(it.n), plain.From(it.sub.Name).Clip(longestName))
}

// mediaName is the name of one of the item's files.
func (it *item) mediaName(f mediaFile) string {
	name := it.sub.Name
	if f.word == "sent" && it.sub.Copy.SHA256 != "" && filepath.Ext(it.sub.Copy.Path) != "" {
		name = strings.TrimSuffix(name, filepath.Ext(name)) + filepath.Ext(it.sub.Copy.Path)
	}
	if it.neutral {
		name = "file" + strings.ToLower(filepath.Ext(name))
	}
	return MediaFolder + it.named(f.word, safeName(name))
}

// longestName is the length of a name in a bundle, in bytes, without the number before it. File systems take 255, and Windows 260 characters for a
// whole path.
const longestName = 120

// notInNames are characters that Windows does not take in names, and those that manifests would have to escape, which sha256sum does not undo.
var notInNames = strings.NewReplacer("<", "_", ">", "_", ":", "_", `"`, "_", "/", "_", `\`, "_", "|", "_", "?", "_", "*", "_", "%", "_")

// safeName makes a name from outside fit for files on every system, with its extension. A number is put before it, so that it may be reserved, begin
// with a dot, or differ from another one by capitals alone.
func safeName(name string) string {
	name = norm.NFC.String(plain.From(name).Folded().String())
	name = strings.TrimRight(notInNames.Replace(name), ". ")
	if len(name) <= longestName {
		return name
	}
	extension := filepath.Ext(name)
	if len(extension) > longestName/4 {
		extension = ""
	}
	stem := name[:longestName-len(extension)]
	for len(stem) > 0 && !utf8.RuneStart(name[len(stem)]) {
		stem = stem[:len(stem)-1]
	}
	return strings.TrimRight(stem, ". ") + extension
}
