// Package copies keeps the copies that are sent in place of files, without metadata or in a format that the service takes: it makes them, checks what is left
// in them, and deletes them. It imports client/media and the packages below it, client/ffmpeg, client/submission and client/i18n.
package copies

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/media/facts"
	"assay/client/media/strip"
	"assay/client/submission"
)

// Folder holds the copies, each under the ID of its submission. All of its methods read or write the disk; those for different submissions may be
// called at the same time.
type Folder struct{ path string }

// In returns the folder at a path; it is made with the first copy, for the person alone.
func In(path string) *Folder { return &Folder{path} }

// unfinished is the extension of a copy that is being made.
const unfinished = ".part"

// Problem is why there is no copy, if the fault is not the file's own.
type Problem struct {
	Text i18n.Message // a sentence for the person
	Err  error        // the cause, nil where the sentence says it all
}

func (p *Problem) Error() string {
	if p.Err == nil {
		return p.Sentence()
	}
	return p.Sentence() + " (" + p.Err.Error() + ")"
}

// UserMessage is the message for the person.
func (p *Problem) UserMessage() i18n.Message { return p.Text }

// Sentence is the message in the language of the moment.
func (p *Problem) Sentence() string { return p.Text.String() }

func (p *Problem) Unwrap() error { return p.Err }

// Copy makes the copy of a file for the submission of this ID, and replaces an earlier one. It is made of the bytes that were hashed, and of nothing
// else. A text that needs nothing has none, since a text is all content. When Copy returns, the copy is on disk. Its error is ctx's, a *media.Changed or
// *media.Refusal, a *strip.Problem, a *convert.Problem or a *Problem.
func (f *Folder) Copy(ctx context.Context, file media.File, id string, how submission.Copying) (submission.Copy, error) {
	if how.Need != submission.NeedsNothing {
		return f.converted(ctx, file, id, how)
	}
	from, err := media.Open(file)
	if err != nil {
		return submission.Copy{}, err
	}
	defer from.Close() //nolint:errcheck // only read from
	made, err := f.stripped(ctx, from, file, id)
	if errors.Is(err, errText) {
		return submission.Copy{}, nil
	}
	return made, said(err)
}

// stripped makes a copy without metadata of an open file.
func (f *Folder) stripped(ctx context.Context, from *os.File, file media.File, id string) (made submission.Copy, err error) {
	err = f.write(id, filepath.Ext(file.SendName), func(to *os.File) (err error) {
		made, err = fill(ctx, to, from, file)
		return err
	}, &made.Path)
	return made, err
}

// write makes the file of a copy, with the extension given if the service takes it, and sets its path. fill writes it.
func (f *Folder) write(id, extension string, fill func(*os.File) error, at *string) error {
	path, err := f.pathOf(id, extension)
	if err != nil {
		return err
	}
	to, err := f.create(path + unfinished)
	if err != nil {
		return notWritten(err)
	}
	if err = fill(to); err == nil {
		err = onDisk(to.Sync())
	}
	err = errors.Join(err, onDisk(to.Close()))
	if err == nil {
		err = onDisk(os.Rename(path+unfinished, path))
	}
	if err == nil {
		err = onDisk(durable.SyncFolder(f.path))
	}
	if err != nil {
		_ = os.Remove(path + unfinished)
		return err
	}
	*at = path
	return nil
}

// errText is why there is no copy of a text.
var errText = errors.New("a text holds nothing but itself")

// fill writes the copy of an open file, and then checks what in it still identifies somebody.
func fill(ctx context.Context, to, from *os.File, file media.File) (submission.Copy, error) {
	var made submission.Copy
	found, err := facts.ReadFile(ctx, from, file.Name)
	if err != nil {
		return made, err
	}
	if found.Format == facts.Text && len(facts.Identifying(found)) == 0 {
		return made, errText
	}
	removed, err := strip.Copy(ctx, from, file.Size, found.Format, to)
	if err != nil {
		return made, err
	}
	if err := sameBytes(ctx, from, file); err != nil {
		return made, err
	}
	left, err := facts.ReadFile(ctx, to, file.Name)
	if err != nil {
		return made, err
	}
	if left.Incomplete {
		return made, strip.ErrUnread
	}
	if len(facts.Identifying(left)) > 0 {
		return made, &Problem{Text: i18n.M("The copy would still identify somebody, so Assay does not send it.")}
	}
	info, err := to.Stat()
	if err != nil {
		return made, onDisk(err)
	}
	made.Size = info.Size()
	if _, err := to.Seek(0, io.SeekStart); err != nil {
		return made, onDisk(err)
	}
	if made.SHA256, err = media.Hash(ctx, to, nil); err != nil {
		return made, err
	}
	kinds := make([]string, len(removed.Kinds))
	for i, kind := range removed.Kinds {
		kinds[i] = string(kind)
	}
	made.Removed = strings.Join(kinds, ",")
	return made, nil
}

// sameBytes checks that the file from which a copy was made holds the bytes that were hashed; else the error is a *media.Changed.
func sameBytes(ctx context.Context, from *os.File, file media.File) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum, err := media.Hash(ctx, from, nil)
	if err != nil {
		return err
	}
	if err := media.StillSame(file, from); err != nil {
		return err
	}
	if sum != file.SHA256 {
		return &media.Changed{Path: file.Path, SizeWas: file.Size, SizeIs: file.Size, TimeWas: file.ModTime, TimeIs: file.ModTime}
	}
	return nil
}

// Remove deletes the copy of a submission, where there is one.
func (f *Folder) Remove(id string) error {
	return f.delete(func(of string, whole bool) bool { return whole && of == id })
}

// Sweep deletes all copies but those of these submissions, and those that an earlier run did not finish.
func (f *Folder) Sweep(kept []string) error {
	return f.delete(func(of string, whole bool) bool { return !whole || !slices.Contains(kept, of) })
}

// delete deletes the copies for which fits is true, given their submission's ID and whether they are finished. If there is no folder, there are none.
func (f *Folder) delete(fits func(id string, whole bool) bool) error {
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var failed []error
	for _, e := range entries {
		id, _, _ := strings.Cut(e.Name(), ".")
		if e.Type().IsRegular() && fits(id, !strings.HasSuffix(e.Name(), unfinished)) {
			failed = append(failed, os.Remove(filepath.Join(f.path, e.Name())))
		}
	}
	return errors.Join(append(failed, err)...)
}

// pathOf is the path of a submission's copy. It has the extension given, if the service takes that.
func (f *Folder) pathOf(id, extension string) (string, error) {
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return r == '.' || r == '/' || r == '\\' || r == ':' || r < ' ' }) {
		return "", fmt.Errorf("%q can't name a copy", id)
	}
	name := id
	if _, supported := media.TypeOf(extension); supported {
		name += strings.ToLower(extension)
	}
	return filepath.Join(f.path, name), nil
}

// create makes an empty file that only the person can read, and replaces an earlier one.
func (f *Folder) create(path string) (*os.File, error) {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// onDisk wraps an error of the folder of copies.
func onDisk(err error) error {
	if err == nil {
		return nil
	}
	return notWritten(err)
}

func notWritten(err error) *Problem {
	return &Problem{Text: i18n.M("The copy could not be written. Make room on the disk that holds Assay's folder, and try again."), Err: err}
}

// said wraps an error that has no sentence.
func said(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || !i18n.MessageOf(err, i18n.Message{}).IsZero() {
		return err
	}
	return &Problem{Text: i18n.M("The copy could not be made."), Err: err}
}
