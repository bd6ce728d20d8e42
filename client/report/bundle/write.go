package bundle

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/plain"
	"assay/client/report"
)

// Options are how a bundle is written.
type Options struct {
	// Options are those of its reports. Replace replaces a bundle, and no other folder. Media also says which files go in: "" and none take only their
	// hashes. Of a result whose names are neutral, what has the names is left out: answers, entries of the custody log.
	report.Options
	Version string             // of Assay
	Key     ed25519.PrivateKey // seals it; nil: it has no seal
	// SignLog signs the custody log as it is now, so that every entry can be proved; nil where it was signed already. An error that is a sentence, or a
	// *custody.Rewritten, is named among what the bundle lacks; any other one ends the writing.
	SignLog func(context.Context) error
	// Authorities are the URLs of up to two time stamp authorities, which Ask asks. Only a hash is sent.
	Authorities []string
	Ask         func(ctx context.Context, url string, query []byte) (reply []byte, err error)
	// Progress is called as files are copied, with the bytes of media and artifacts so far and of all; it may be nil. Should a file change meanwhile,
	// it begins again.
	Progress func(done, total int64)
}

// Written says what a bundle has.
type Written struct {
	Results     int      // in it
	Lacks       []string // sentences: what could not be had, as LeftOutFile has it
	Fingerprint string   // of the key that sealed it; "" for none
	Stamps      []Stamp
	// StampProblems are sentences, one for each authority whose stamp is missing.
	StampProblems []string
}

// temporary is the pattern for names of what is not complete yet.
const temporary = ".assay-*.tmp"

// Write writes a bundle: a .zip or a folder, as its name says, completely or not at all, even after a crash. The same records and options make the same
// bytes, but for time stamps. Errors about the file or folder, and about results, are a *report.Error; the end of ctx is ctx's.
func Write(ctx context.Context, path string, from *report.Selected, o Options) (Written, error) {
	if err := checkTarget(path, o.Replace); err != nil {
		return Written{}, err
	}
	o.Bundle, o.Options.Version = filepath.Base(path), cmp.Or(o.Options.Version, o.Version)
	if o.Hashes == nil {
		o.Hashes = media.NewHashes(time.Now)
	}
	w := &writer{Selected: from, o: o, changed: map[string]bool{}}
	if err := w.plan(ctx); err != nil {
		return Written{}, report.WriteError(ctx, path, err)
	}
	for {
		err := w.write(ctx, path)
		var other *changedFile
		if errors.As(err, &other) {
			w.changed[other.hash] = true // and once more, without it
			continue
		}
		return w.done, report.WriteError(ctx, path, err)
	}
}

// checkTarget refuses what must not be replaced.
func checkTarget(path string, replace bool) error {
	there, err := os.Lstat(path)
	if err != nil {
		return nil //nolint:nilerr // whatever it is, writing says it
	}
	name := plain.From(path)
	switch {
	case isZip(path) && there.IsDir():
		return &report.Error{Text: i18n.F("%s is a folder: name a file.", name)}
	case !replace:
		return &report.Error{Text: i18n.F("%s already exists. Assay did not change it.", name), Err: fs.ErrExist}
	case isZip(path):
		return nil
	case !there.IsDir():
		return &report.Error{Text: i18n.F("%s is a file: name a folder.", name)}
	}
	if _, err := os.Lstat(filepath.Join(path, BagItFile)); err == nil {
		return nil
	}
	if inside, err := os.ReadDir(path); err == nil && len(inside) == 0 {
		return nil
	}
	return &report.Error{Text: i18n.F("%s is a folder, but not a bundle. Assay replaces only bundles and did not change it.", name), Err: fs.ErrExist}
}

// writer writes one bundle.
type writer struct {
	*report.Selected
	o Options

	items    []*item
	total    int64           // bytes to copy
	unsigned string          // why the custody log is not signed up to now, a sentence; "": it is
	changed  map[string]bool // hashes of files that turned out to be others now

	*bag
	copiedSoFar int64
	proved      bool // there are proofs of the custody log
	signed      bool // there are signed judgements of colleagues
	done        Written
}

// changedFile is the error of a file that turned out, while it was copied, not to be the one that its hash is of.
type changedFile struct{ hash string }

func (c *changedFile) Error() string { return "the file " + c.hash + " is another one now" }

// write writes the bundle to its container.
func (w *writer) write(ctx context.Context, path string) error {
	if !isZip(path) {
		return durable.WriteFolder(path, temporary, func(root string) error {
			return w.writeInto(ctx, &folder{root: root, made: map[string]bool{}})
		})
	}
	top := cmp.Or(safeName(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))), "bundle")
	return durable.Write(path, durable.Options{Temp: temporary, ForOthers: true}, func(out io.Writer) error {
		return w.writeInto(ctx, zipped{zip.NewWriter(out), top})
	})
}

// writeInto writes all files.
func (w *writer) writeInto(ctx context.Context, into container) (err error) {
	defer func() { err = errors.Join(err, into.finish()) }()
	w.bag = &bag{ctx: ctx, into: into, copied: w.progress}
	w.done = Written{Results: len(w.items)}
	w.copiedSoFar = 0
	w.progress(0)
	return i18n.In(w.o.Language, func() error {
		for _, part := range []func() error{w.mediaFiles, w.reports, w.artifacts, w.answers, w.custody, w.desk, w.leftOut, w.crate, w.tagFiles} {
			if err := part(); err != nil {
				return err
			}
		}
		return nil
	})
}

// progress reports bytes that were copied.
func (w *writer) progress(n int64) {
	w.copiedSoFar += n
	if w.o.Progress != nil {
		w.o.Progress(min(w.copiedSoFar, w.total), w.total)
	}
}

// lacks notes a sentence about what can't be had.
func (w *writer) lacks(sentence string) {
	if !slices.Contains(w.done.Lacks, sentence) {
		w.done.Lacks = append(w.done.Lacks, sentence)
	}
}

// tagFiles writes what is not payload, and the seal.
func (w *writer) tagFiles() error {
	fingerprint := ""
	if w.o.Key != nil {
		var err error
		if fingerprint, err = Fingerprint(w.o.Key.Public().(ed25519.PublicKey)); err != nil {
			return err
		}
	}
	w.done.Fingerprint = fingerprint
	guides, err := w.guides()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		text []byte
	}{
		{BagItFile, []byte(BagItText)},
		{InfoFile, w.info()},
		{ReadmeFile, guides.html},
		{HowToFile, guides.text},
		{ProofCheckFile, guides.checker},
		{ManifestFile, manifest(w.payload)},
	} {
		if err := w.addText(file.name, file.text); err != nil {
			return err
		}
	}
	sealed := manifest(w.tags)
	if err := w.addText(TagManifestFile, sealed); err != nil {
		return err
	}
	if err := w.seal(sealed); err != nil {
		return err
	}
	return w.stamps(sealed)
}

// seal writes the signature over the tag manifest.
func (w *writer) seal(sealed []byte) error {
	if w.o.Key == nil {
		return nil
	}
	signed, err := signature(sealed, w.o.Key)
	if err != nil {
		return err
	}
	allowed, err := allowedSigners(w.o.Key.Public().(ed25519.PublicKey))
	if err != nil {
		return err
	}
	return errors.Join(w.addText(SignatureFile, signed), w.addText(AllowedSignersFile, []byte(allowed)))
}
